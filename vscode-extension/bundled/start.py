"""Runs the server, or a command, with the packages that the extension carries.

    python -I start.py --packages DIR --home DIR server --stdio
    python -I start.py --packages DIR --home DIR knowing doctor

Packages lie in DIR as zip files: `common.zip` for every Python, `cp311.zip` and so on for one. They
are unpacked once, into a folder of their own under the home, so that nothing is installed into
the interpreter and no network is needed. Only the standard library is used, and with `-I` neither
the folder this is started in nor the environment can put other modules in front of ours.
"""

import argparse
import contextlib
import hashlib
import os
import shutil
import sys
import sysconfig
import time
import zipfile
from pathlib import Path

READY = "ready"
COMMON = "common.zip"
_UNUSED_SECONDS = 30 * 24 * 3600
_REFUSED = 3
"""Exit code when the packages cannot be used with this Python."""


class Refused(Exception):
    """This Python cannot run what the extension carries."""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="start.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--packages", type=Path, required=True, help="where the zip files are")
    parser.add_argument("--home", type=Path, required=True, help="where they are unpacked")
    parser.add_argument("program", choices=("server", "knowing", "check"))
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    try:
        site = prepared(options.packages, options.home)
    except (Refused, OSError, zipfile.BadZipFile) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(_REFUSED) from error
    sys.path.insert(0, str(site))
    run(options.program, options.rest)


def run(program: str, rest: list[str]) -> None:
    """Hands over to the program as if it had been started itself."""
    sys.argv = [program, *rest]
    if program == "check":
        print(sys.path[0])
    elif program == "server":
        from server.__main__ import run as serve

        serve()
    else:
        from knowing.cli import main as command

        raise SystemExit(command())


def prepared(packages: Path, home: Path) -> Path:
    """The folder with the packages for this Python; unpacks them if that was not done yet."""
    layers = [packages / COMMON, packages / f"{tag()}.zip"]
    for layer in layers:
        if not layer.is_file():
            known = ", ".join(sorted(path.stem for path in packages.glob("cp*.zip"))) or "none"
            raise Refused(f"no packages for {tag()} in {packages} (there are: {known})")
    site = home / f"{tag()}-{_key(layers)}"
    if not (site / READY).is_file():
        _unpack(layers, site)
        _remove_unused(home, site)
    with contextlib.suppress(OSError):
        os.utime(site / READY)
    return site


def tag() -> str:
    """What compiled modules have to be built for, e.g. `cp311`, or `cp313t` without the lock."""
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    short = "cp" if sys.implementation.name == "cpython" else sys.implementation.name
    return f"{short}{sys.version_info[0]}{sys.version_info[1]}{free}"


def _key(layers: list[Path]) -> str:
    """Differs whenever what is carried differs; sizes and times would not survive a copy."""
    digest = hashlib.sha256()
    for layer in layers:
        with zipfile.ZipFile(layer) as archive:
            for entry in archive.infolist():
                digest.update(f"{entry.filename}:{entry.CRC:08x}\n".encode())
    return digest.hexdigest()[:16]


def _unpack(layers: list[Path], site: Path) -> None:
    """Into a folder beside, then in one step to its place: two windows may do it at once."""
    site.parent.mkdir(parents=True, exist_ok=True)
    beside = site.with_name(f".{site.name}.{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        for layer in layers:
            with zipfile.ZipFile(layer) as archive:
                archive.extractall(beside)
        (beside / READY).touch()
        _move(beside, site)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _move(beside: Path, site: Path) -> None:
    try:
        beside.rename(site)
    except OSError:
        if (site / READY).is_file():
            return
        # What is there was left by one that was killed while it deleted or copied.
        shutil.rmtree(site, ignore_errors=True)
        beside.rename(site)


def _remove_unused(home: Path, used: Path) -> None:
    """Folders of versions that nobody has started for a month."""
    for folder in home.iterdir():
        ready = folder / READY
        with contextlib.suppress(OSError):
            unused = folder != used and ready.is_file()
            if unused and time.time() - ready.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
