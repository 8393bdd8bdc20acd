"""How tests are run: from chosen tests and a project's build files to commands for a shell."""

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from knowing.impact.mentions import Read

_MANY = 25
"""From so many tests of one file on, the file is run as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A test to run."""

    path: str
    line: int
    name: str
    """Owner chain: `TestCart.test_add`."""

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The last name of the type around it, if there is one."""
        return self.name.rpartition(".")[0].rpartition(".")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command that runs some tests."""

    runner: str
    folder: str
    """Where to run it, relative to the root; empty for the root."""
    words: tuple[str, ...]
    tests: int

    @property
    def line(self) -> str:
        """As it is typed into a shell at the root."""
        typed = shlex.join(self.words)
        return f"cd {shlex.quote(self.folder)} && {typed}" if self.folder else typed


def commands(cases: Iterable[Case], read: Read) -> list[Command]:
    """Commands that run the tests, one for each runner and folder where that is possible."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault(_runner(case.path, read), []).append(case)
    found: list[Command] = []
    for (runner, folder), chosen in sorted(groups.items()):
        for words, count in _WORDS[runner](folder, chosen, read):
            found.append(Command(runner=runner, folder=folder, words=tuple(words), tests=count))
    return found


# -- which runner ------------------------------------------------------------------------------


def _runner(path: str, read: Read) -> tuple[str, str]:
    """The runner of a test file and the folder to run it in."""
    pure = PurePosixPath(path)
    for endings, find in _FINDERS:
        if pure.name.endswith(endings):
            return find(path, read)
    return "other", ""


def _python(path: str, read: Read) -> tuple[str, str]:
    return "pytest", ""


def _ecmascript(path: str, read: Read) -> tuple[str, str]:
    for folder in _upwards(path):
        data = read(f"{folder}package.json")
        if data is None:
            continue
        try:
            package = json.loads(data)
        except ValueError:
            continue
        if not isinstance(package, dict):
            continue
        script = str((package.get("scripts") or {}).get("test", ""))
        needs = {**(package.get("devDependencies") or {}), **(package.get("dependencies") or {})}
        for runner in ("vitest", "jest", "mocha"):
            if runner in script or runner in needs:
                return runner, folder.rstrip("/")
        return "npm", folder.rstrip("/")
    return "npm", ""


def _jvm(path: str, read: Read) -> tuple[str, str]:
    for folder in _upwards(path):
        if read(f"{folder}pom.xml") is not None:
            return "maven", folder.rstrip("/")
        if any(read(f"{folder}{name}") is not None for name in _GRADLE_FILES):
            return "gradle", folder.rstrip("/")
    return "maven", ""


_GRADLE_FILES = ("build.gradle", "build.gradle.kts")


def _beside(runner: str, *names: str) -> Callable[[str, Read], tuple[str, str]]:
    """A runner that works in the nearest folder with one of some files."""

    def find(path: str, read: Read) -> tuple[str, str]:
        for folder in _upwards(path):
            if any(read(f"{folder}{name}") is not None for name in names):
                return runner, folder.rstrip("/")
        return runner, ""

    return find


_Finder = Callable[[str, Read], tuple[str, str]]
_FINDERS: tuple[tuple[tuple[str, ...], _Finder], ...] = (
    ((".py", ".pyi"), _python),
    ((".go",), _beside("go test", "go.mod")),
    ((".rs",), _beside("cargo test", "Cargo.toml")),
    ((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"), _ecmascript),
    ((".java", ".kt", ".kts", ".scala", ".groovy"), _jvm),
    ((".cs",), _beside("dotnet test")),
    (("_spec.rb",), _beside("rspec", "Gemfile")),
    ((".rb",), _beside("minitest", "Gemfile")),
    ((".php",), _beside("phpunit", "composer.json")),
    ((".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"), _beside("ctest", "CMakePresets.json")),
)


def _upwards(path: str) -> Iterator[str]:
    """The folders around a file, innermost first, each with a slash at its end."""
    folder = path.rpartition("/")[0]
    while folder:
        yield f"{folder}/"
        folder = folder.rpartition("/")[0]
    yield ""


def _below(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/") if folder else path


# -- the words of a command --------------------------------------------------------------------

_Lines = Iterator[tuple[list[str], int]]


def _files(cases: Sequence[Case], folder: str) -> dict[str, list[Case]]:
    """The cases of each file, by the file's path from the folder."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(_below(case.path, folder), []).append(case)
    return dict(sorted(found.items()))


def _pytest(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    nodes: list[str] = []
    for path, chosen in _files(cases, folder).items():
        if len(chosen) >= _MANY:
            nodes.append(path)
        else:
            nodes += dict.fromkeys(f"{path}::{case.name.replace('.', '::')}" for case in chosen)
    yield ["python", "-m", "pytest", *nodes], len(cases)


def _go(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    packages: dict[str, list[Case]] = {}
    for path, chosen in _files(cases, folder).items():
        packages.setdefault(path.rpartition("/")[0], []).extend(chosen)
    for package, chosen in sorted(packages.items()):
        # Methods of a suite run through a function that the runner knows; it is not known here.
        plain = sorted({case.name for case in chosen if "." not in case.name})
        name = f"./{package}" if package else "."
        run = ["-run", f"^({'|'.join(plain)})$"] if plain and len(plain) < _MANY else []
        yield ["go", "test", name, *run], len(chosen)


def _cargo(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    targets: dict[str, list[Case]] = {}
    for path, chosen in _files(cases, folder).items():
        parts = path.split("/")
        whole = parts[0] == "tests" and len(parts) > 1
        targets.setdefault(parts[1].removesuffix(".rs") if whole else "", []).extend(chosen)
    for target, chosen in sorted(targets.items()):
        names = sorted({case.last for case in chosen})
        yield (
            ["cargo", "test", *(["--test", target] if target else []), "--", *names],
            len(chosen),
        )


def _titled(*command: str, flag: str) -> Callable[[str, Sequence[Case], Read], _Lines]:
    """For runners that are given files, and a pattern of titles when there are few."""

    def lines(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
        titles = sorted({re.escape(case.last).replace(r"\ ", " ") for case in cases})
        chosen = [flag, "|".join(titles)] if flag and len(titles) < _MANY else []
        yield [*command, *_files(cases, folder), *chosen], len(cases)

    return lines


def _maven(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    types = _by_type(cases)
    chosen = [f"{name}#{'+'.join(methods)}" if methods else name for name, methods in types.items()]
    yield ["mvn", "test", f"-Dtest={','.join(chosen)}"], len(cases)


def _gradle(folder: str, cases: Sequence[Case], read: Read) -> _Lines:
    words: list[str] = []
    for name, methods in _by_type(cases).items():
        patterns = [f"*{name}.{method}" for method in methods] or [f"*{name}"]
        words += [word for pattern in patterns for word in ("--tests", pattern)]
    wrapper = "gradlew"
    for outer in (f"{folder}/" if folder else "", *_upwards(folder)):
        if read(f"{outer}{wrapper}") is not None:
            up = "../" * (len(folder.split("/")) - outer.count("/")) if folder else ""
            yield [f"{up or './'}{wrapper}", "test", *words], len(cases)
            return
    yield ["gradle", "test", *words], len(cases)


def _by_type(cases: Sequence[Case]) -> dict[str, list[str]]:
    """Names of the test methods of each type; none where the type is run as a whole."""
    found: dict[str, list[str]] = {}
    for case in cases:
        stem = PurePosixPath(case.path).stem
        methods = found.setdefault(case.owner or stem, [])
        if case.owner and case.last not in methods:
            methods.append(case.last)
    return {
        name: sorted(methods) if len(methods) < _MANY else [] for name, methods in found.items()
    }


def _dotnet(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    names = sorted({f"{case.owner}.{case.last}" if case.owner else case.last for case in cases})
    chosen = "|".join(f"FullyQualifiedName~{name}" for name in names)
    yield ["dotnet", "test", "--filter", chosen], len(cases)


def _rspec(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    places: list[str] = []
    for path, chosen in _files(cases, folder).items():
        lines = sorted({case.line for case in chosen})
        places += [path] if len(lines) >= _MANY else [f"{path}:{line}" for line in lines]
    yield ["bundle", "exec", "rspec", *places], len(cases)


def _minitest(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    for path, chosen in _files(cases, folder).items():
        names = sorted({re.sub(r"\W+", "_", case.last) for case in chosen})
        pattern = ["-n", f"/{'|'.join(names)}/"] if len(names) < _MANY else []
        yield ["bundle", "exec", "ruby", "-Itest", path, *pattern], len(chosen)


def _phpunit(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    for path, chosen in _files(cases, folder).items():
        names = sorted({case.last for case in chosen})
        pattern = ["--filter", f"/::({'|'.join(names)})/"] if len(names) < _MANY else []
        yield ["vendor/bin/phpunit", *pattern, path], len(chosen)


def _ctest(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    names = sorted({PurePosixPath(case.path).stem for case in cases})
    names += sorted({case.last for case in cases})
    pattern = "|".join(re.escape(name) for name in names[:_MANY])
    yield ["ctest", "--test-dir", "build", "--output-on-failure", "-R", pattern], len(cases)


def _other(folder: str, cases: Sequence[Case], _read: Read) -> _Lines:
    """No runner is known, so there is nothing to type."""
    return iter(())


_WORDS: dict[str, Callable[[str, Sequence[Case], Read], _Lines]] = {
    "pytest": _pytest,
    "go test": _go,
    "cargo test": _cargo,
    "vitest": _titled("npx", "vitest", "run", flag="-t"),
    "jest": _titled("npx", "jest", flag="-t"),
    "mocha": _titled("npx", "mocha", flag="--grep"),
    "npm": _titled("npm", "test", "--", flag=""),
    "maven": _maven,
    "gradle": _gradle,
    "dotnet test": _dotnet,
    "rspec": _rspec,
    "minitest": _minitest,
    "phpunit": _phpunit,
    "ctest": _ctest,
    "other": _other,
}
