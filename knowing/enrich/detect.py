"""Which servers are there: looked for, run once to see that they work, told apart by version.

A program that is found need not work: a shim may stand where the program was never installed. So
only one that tells its version counts as found.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from knowing.enrich.servers import ServerSpec, filled

_VERSION = re.compile(r"\d+(?:\.\d+)+[\w.+-]*")
_VERSION_SECONDS = 30.0
_PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"
_ENVIRONMENTS = (".venv", "venv", "env", ".env")
_SOURCES = ("src", "lib", ".")

Places = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A server that works here."""

    spec: ServerSpec
    command: tuple[str, ...]
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A server that cannot be used here, and why."""

    spec: ServerSpec
    reason: str


class Surroundings:
    """What a workspace brings along for servers: an environment, sources, a place for data."""

    def __init__(
        self,
        root: Path,
        cache: Path,
        python: Path | None = None,
        search: Sequence[Path] = (),
        *,
        own_programs: bool = True,
    ) -> None:
        self.root = root
        self.cache = cache
        self._given = python
        self._search = tuple(search)
        self._own_programs = own_programs

    @cached_property
    def python(self) -> Path | None:
        """The folder of the virtual environment, if there is one."""
        if self._given is not None:
            return self._given
        candidates = (self.root / name for name in _ENVIRONMENTS)
        return next((folder for folder in candidates if (folder / "pyvenv.cfg").is_file()), None)

    @cached_property
    def places(self) -> Places:
        """What stands for `{names}` in commands and settings."""
        sources = [str(self.root / name) for name in _SOURCES if (self.root / name).is_dir()]
        return {
            "root": str(self.root),
            "cache": str(self.cache),
            "python": str(self.python) if self.python else "",
            "sources": sources,
        }

    def program(self, name: str) -> str | None:
        """A program by its name: the workspace's own, then everybody's, then one beside ours."""
        if Path(name).is_absolute():
            return name if Path(name).is_file() else None
        folders = list(self._search)
        if self._own_programs:
            folders = [self.root / "node_modules" / ".bin", *folders]
        if self.python and (self._own_programs or not self.python.is_relative_to(self.root)):
            folders = [self.python / _PROGRAMS, *folders]
        own = str(Path(sys.executable).parent) if sys.executable else ""
        for path in (*map(str, folders), None, own):
            found = shutil.which(name, path=path)
            if found:
                return found
        return None

    def has_one_of(self, patterns: Sequence[str]) -> bool:
        return any(next(self.root.glob(pattern), None) is not None for pattern in patterns)


def look_for(spec: ServerSpec, around: Surroundings) -> Found | Missing:
    """The server if it is there and works; runs it to see."""
    if spec.needs_file and not around.has_one_of(spec.needs_file):
        return Missing(spec=spec, reason=f"the workspace has no {' or '.join(spec.needs_file)}")
    program = around.program(spec.command[0])
    if program is None:
        return Missing(spec=spec, reason=f"{spec.command[0]} is not installed")
    version = _version(spec, program, around)
    if isinstance(version, Missing):
        return version
    if spec.oldest and _parts(version) < _parts(spec.oldest):
        return Missing(spec=spec, reason=f"{program} is version {version}, not {spec.oldest}")
    arguments = filled(spec.command[1:], around.places)
    return Found(spec=spec, command=(program, *arguments), version=version)


def _version(spec: ServerSpec, program: str, around: Surroundings) -> str | Missing:
    if not spec.version:
        return _stamp(program)
    if spec.version_of:
        beside = shutil.which(spec.version_of, path=str(Path(program).parent))
        if beside is None:
            return _stamp(program)
        program = beside
    try:
        done = subprocess.run(
            [program, *spec.version],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_VERSION_SECONDS,
            check=False,
            cwd=around.root,
        )
    except subprocess.TimeoutExpired:
        return Missing(spec=spec, reason=f"{program} does not tell its version: no answer")
    except OSError as error:
        return Missing(spec=spec, reason=f"{program} cannot be run: {error.strerror}")
    said = (done.stdout + b"\n" + done.stderr).decode(errors="replace").strip()
    if done.returncode:
        first = said.splitlines()[0][:200] if said else f"exit code {done.returncode}"
        return Missing(spec=spec, reason=f"{program} does not work: {first}")
    number = _VERSION.search(said)
    return number[0] if number else said[:40] or _stamp(program)


def _stamp(program: str) -> str:
    """Stands for the version of a program that does not tell it."""
    stat = Path(program).resolve().stat()
    return f"{stat.st_size:x}-{stat.st_mtime_ns:x}"


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:4])


def fingerprint(spec: ServerSpec, around: Surroundings) -> str:
    """A hash of what changes the answers of a server besides the workspace's own sources."""
    digest = blake2b(digest_size=12)
    asked = (spec.command[1:], spec.options, spec.settings, spec.environment)
    digest.update(repr(asked).encode())
    for name in spec.depends_on:
        try:
            digest.update(b"\0" + name.encode() + b"\0" + (around.root / name).read_bytes())
        except OSError:
            continue
    if any("{python}" in repr(part) for part in asked):
        digest.update(repr(_installed(around.python)).encode())
    modules = around.root / "node_modules" / ".package-lock.json"
    if modules.is_file():
        digest.update(modules.read_bytes())
    return digest.hexdigest()


def _installed(environment: Path | None) -> list[str]:
    """The packages of a virtual environment with their versions."""
    if environment is None:
        return []
    patterns = ("lib/python*/site-packages/*.dist-info", "Lib/site-packages/*.dist-info")
    return sorted(path.name for pattern in patterns for path in environment.glob(pattern))
