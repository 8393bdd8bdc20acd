"""Makes the zip files that the extension carries: our own package and all it needs to run.

    python scripts/bundle.py --target linux-x64

What is the same for every version of Python goes into `common.zip`, so that it is carried once; the
rest into `cp311.zip` and so on. `bundled/start.py` unpacks them.
"""

import argparse
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
CHECKOUT = HERE.parent
PINS = HERE / "bundled" / "requirements.txt"

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_LINUX = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_26", "manylinux_2_17", "manylinux2014")
PLATFORMS = {
    "linux-x64": [f"{name}_x86_64" for name in (*_LINUX, "manylinux_2_12", "manylinux_2_5")],
    "linux-arm64": [f"{name}_aarch64" for name in _LINUX],
    "alpine-x64": [f"musllinux_{version}_x86_64" for version in ("1_2", "1_1")],
    "darwin-x64": [f"macosx_{version}_x86_64" for version in ("14_0", "11_0", "10_15", "10_9")],
    "darwin-arm64": [f"macosx_{version}_arm64" for version in ("14_0", "12_0", "11_0")],
    "win32-x64": ["win_amd64"],
    "win32-arm64": ["win_arm64"],
}

_TIME = (1980, 1, 1, 0, 0, 0)
"""Of all entries, so that the same wheels make the same file."""
_UNUSED = ("/tests/", "/testing/tests/", "numpy/f2py/", "/include/", "/pkgconfig/")
_UNUSED_ENDS = (".pyi", ".a", ".lib", ".pxd", ".pyx", ".h", ".c")
_PLACES = ("purelib", "platlib")

Files = dict[str, bytes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", choices=sorted(PLATFORMS), required=True)
    target = parser.parse_args().target
    work = HERE / "build" / "wheels" / target
    packages = HERE / "bundled" / "packages"
    own = _own_wheel()
    layers = {version: _files([own, *_download(version, target, work)]) for version in PYTHONS}
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir(parents=True)
    common = shared(list(layers.values()))
    _write(packages / "common.zip", common)
    for version, files in layers.items():
        rest = {name: data for name, data in files.items() if name not in common}
        _write(packages / f"cp{version.replace('.', '')}.zip", rest)
    for path in sorted(packages.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")


def _own_wheel() -> Path:
    folder = HERE / "build" / "own"
    shutil.rmtree(folder, ignore_errors=True)
    _pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(CHECKOUT))
    return next(folder.glob("knowing-*.whl"))


def _download(version: str, target: str, work: Path) -> list[Path]:
    """All wheels for one version of Python, each of exactly the pinned version."""
    folder = work / version
    stamp = folder / "pins"
    if not stamp.is_file() or stamp.read_bytes() != PINS.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        platforms = [part for name in PLATFORMS[target] for part in ("--platform", name)]
        wanted = ["--python-version", version, "--implementation", "cp", *platforms]
        how = ["--only-binary=:all:", "--no-deps", "--dest", str(folder)]
        _pip("download", "--quiet", *how, *wanted, "--requirement", str(PINS))
        stamp.write_bytes(PINS.read_bytes())
    return sorted(folder.glob("*.whl"))


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", *arguments, "--disable-pip-version-check"]
    subprocess.run(command, check=True)


def _files(wheels: list[Path]) -> Files:
    """All files that installing some wheels would make, by their path, without what nobody runs."""
    found: Files = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for entry in archive.infolist():
                name = _placed(entry.filename)
                if name and not entry.is_dir() and not _is_unused(name):
                    found[name] = archive.read(entry)
    return found


def _placed(name: str) -> str:
    """Where a file of a wheel belongs; empty for scripts and headers."""
    top, _, rest = name.partition("/")
    if not top.endswith(".data"):
        return name
    place, _, inner = rest.partition("/")
    return inner if place in _PLACES else ""


def _is_unused(name: str) -> bool:
    if name.startswith(("knowing/", "server/")):
        return False
    return name.endswith(_UNUSED_ENDS) or any(part in f"/{name}" for part in _UNUSED)


def shared(layers: list[Files]) -> Files:
    """The files that are in all layers and the same in all."""
    first, *others = layers
    return {
        name: data
        for name, data in first.items()
        if all(other.get(name) == data for other in others)
    }


def _write(path: Path, files: Files) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])


if __name__ == "__main__":
    main()
