"""Whether code outside the workspace may use what a file makes public."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Read = Callable[[str], bytes | None]

_PYTHON_PROJECT = re.compile(rb"^\s*\[(?:project|tool\.poetry|tool\.flit)", re.MULTILINE)
_LIBRARY_GRADLE = re.compile(rb"java-library|maven-publish|com\.android\.library|kotlin.*multiplat")
_POM_PACKAGING = re.compile(rb"<packaging>\s*(\w+)\s*</packaging>")


def is_published(path: str, read: Read) -> bool:
    """Whether the nearest build file says that others may depend on this code.

    Where no build file is found, nobody outside can name the code, so it is not.
    """
    if "/internal/" in f"/{path}":
        return False
    for folder in _upwards(path):
        for name, judge in _JUDGES.items():
            data = read(f"{folder}{name}")
            if data is not None:
                return judge(data)
    return False


def _upwards(path: str) -> Iterator[str]:
    """The folders around a file, innermost first, each with a slash at its end."""
    folder = path.rpartition("/")[0]
    while folder:
        yield f"{folder}/"
        folder = folder.rpartition("/")[0]
    yield ""


def _python(data: bytes) -> bool:
    return _PYTHON_PROJECT.search(data) is not None


def _package_json(data: bytes) -> bool:
    found = _mapping(data, json.loads)
    named = any(key in found for key in ("main", "exports", "module"))
    return named and not bool(found.get("private"))


def _cargo(data: bytes) -> bool:
    found = _mapping(data, lambda text: tomllib.loads(text.decode("utf-8", "replace")))
    package = found.get("package")
    publish = package.get("publish", True) if isinstance(package, Mapping) else True
    return bool(publish)


def _composer(data: bytes) -> bool:
    return bool(_mapping(data, json.loads).get("type", "library") != "project")


def _pom(data: bytes) -> bool:
    found = _POM_PACKAGING.search(data)
    return found is None or found[1] in (b"jar", b"pom", b"bundle")


def _gradle(data: bytes) -> bool:
    return _LIBRARY_GRADLE.search(data) is not None


def _always(_data: bytes) -> bool:
    return True


def _mapping(data: bytes, parse: Callable[[bytes], Any]) -> Mapping[str, Any]:
    try:
        found = parse(data)
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}


_JUDGES: Mapping[str, Callable[[bytes], bool]] = {
    "pyproject.toml": _python,
    "setup.py": _always,
    "setup.cfg": _always,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "go.mod": _always,
    "composer.json": _composer,
    "pom.xml": _pom,
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
}
