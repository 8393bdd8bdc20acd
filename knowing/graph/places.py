"""From the text of an import to the file or package it names.

One function for each import style, shared by all languages of that style. A place is a container
number (see `members`): a file's own symbol or a package; `EXTERNAL` when the workspace has none.
The second value is the part of the text that names something inside the place.
"""

from collections.abc import Callable, Sequence
from copy import copy
from posixpath import dirname, join, normpath

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, Mask
from knowing.graph.modules import ModuleTree, stem
from knowing.graph.projects import Project
from knowing.languages import Language, Registry
from knowing.languages.language import ImportStyle

EXTERNAL = -2
Place = tuple[int, tuple[str, ...]]
NOWHERE: Place = (EXTERNAL, ())


_STYLES = {
    ImportStyle.DOTTED: "_dotted",
    ImportStyle.PATH: "_path",
    ImportStyle.DIRECTORY: "_directory",
    ImportStyle.PACKAGE: "_declared",
    ImportStyle.NAMESPACE: "_declared",
    ImportStyle.CRATE: "_crate",
    ImportStyle.FILE: "_file",
}


class Places:
    """Finds modules by name; built once for a corpus."""

    def __init__(self, corpus: Corpus, registry: Registry, projects: Sequence[Project]) -> None:
        self._corpus = corpus
        self.languages = [registry[name] for name in corpus.languages]
        self.spoken = list(dict.fromkeys(self.languages))
        """The languages of the workspace, each once."""
        number = {language: index for index, language in enumerate(self.spoken)}
        self._language_of_file: Ids = np.array(
            [number[language] for language in self.languages], dtype=np.int32
        )
        families = sorted({language.family or language.name for language in self.spoken})
        self.family_of_file: Ids = self.numbers_of_files(
            lambda language: families.index(language.family or language.name)
        )
        self._suffixes: dict[str, list[str]] = {}
        for language in registry.languages:
            family = self._suffixes.setdefault(language.family or language.name, [])
            family += language.extensions
        self.folders = np.array([dirname(path) for path in corpus.paths], dtype=object)
        """The folder of each file."""
        self._file_by_path = {path: index for index, path in enumerate(corpus.paths)}
        self._projects = projects
        self.package_names: list[tuple[str, str]] = []
        self._package_ids: dict[tuple[str, str], int] = {}
        self.package_of_file = [self._package(index) for index in range(len(corpus.paths))]
        self.package_numbers: Ids = np.array(self.package_of_file, dtype=np.int32)
        self._by_dotted, self._dotted_root = self._index_dotted()
        self._by_suffix = self._index_suffixes()
        self.modules = ModuleTree(corpus.paths, self.languages, projects)
        self._cache: dict[tuple[object, str], Place] = {}
        self._styles: dict[ImportStyle, Callable[[int, str], Place]] = {
            style: getattr(self, name) for style, name in _STYLES.items()
        }

    def files_in(self, language: Language) -> Mask:
        """The files of a language, as a mask."""
        return self.marked_files(lambda other: other is language)

    def marked_files(self, trait: Callable[[Language], bool]) -> Mask:
        """The files whose language has a trait, as a mask."""
        marks: Mask = np.array([trait(language) for language in self.spoken], dtype=bool)
        return marks[self._language_of_file]

    def numbers_of_files(self, trait: Callable[[Language], int]) -> Ids:
        """A number for each file that depends on its language alone."""
        numbers: Ids = np.array([trait(language) for language in self.spoken], dtype=np.int32)
        return numbers[self._language_of_file]

    def rebased(self, corpus: Corpus) -> "Places":
        """The same places for a corpus with the same files and packages but other numbers."""
        twin = copy(self)
        twin._corpus = corpus
        twin._cache = {}
        twin._styles = {style: getattr(twin, name) for style, name in _STYLES.items()}
        return twin

    def locate(self, file: int, module: str) -> Place:
        """Where `module`, as written in `file`, leads."""
        language = self.languages[file]
        style = self._styles.get(language.imports)
        if style is None or not module:
            return NOWHERE
        key = (self.folders[file], language.name, module)
        if language.imports == ImportStyle.CRATE:
            key = (self._corpus.paths[file], language.name, module)
        found = self._cache.get((key, module))
        if found is None:
            found = self._cache[key, module] = style(file, module)
        return found

    def root_package(self, file: int) -> int:
        """The package of files that declare none, -1 where there are none."""
        language = self.languages[file]
        return self._package_ids.get((language.family or language.name, ""), -1)

    def container(self, file: int) -> int:
        """A file as a container."""
        return int(self._corpus.symbol_base[file])

    def package_container(self, package: int) -> int:
        return len(self._corpus.symbols) + package

    # -- packages ------------------------------------------------------------------------------

    def _package(self, file: int) -> int:
        """The package that a file is part of, -1 where the language has none."""
        language = self.languages[file]
        if language.imports == ImportStyle.DIRECTORY:
            name = dirname(self._corpus.paths[file])
        elif language.imports in (ImportStyle.PACKAGE, ImportStyle.NAMESPACE):
            name = self._corpus.packages[file].strip("\\")
        else:
            return -1
        key = (language.family or language.name, name)
        number = self._package_ids.setdefault(key, len(self._package_ids))
        if number == len(self.package_names):
            self.package_names.append(key)
        return number

    def _declared(self, file: int, module: str) -> Place:
        """The longest declared package that begins `module`; the rest names a type and members."""
        language = self.languages[file]
        family, separator = language.family or language.name, language.import_separator
        parts = [part for part in module.strip("\\").split(separator) if part]
        for size in range(len(parts), 0, -1):
            package = self._package_ids.get((family, separator.join(parts[:size])))
            if package is not None:
                return self.package_container(package), tuple(parts[size:])
        if len(parts) == 1 and (family, "") in self._package_ids:
            return self.package_container(self._package_ids[family, ""]), tuple(parts)
        return NOWHERE

    def _directory(self, file: int, module: str) -> Place:
        family = self.languages[file].family or self.languages[file].name
        for project in self._projects:
            if project.kind != "go.mod" or not project.name:
                continue
            if module == project.name or module.startswith(project.name + "/"):
                folder = normpath(join(project.folder, module[len(project.name) + 1 :] or "."))
                package = self._package_ids.get((family, "" if folder == "." else folder))
                if package is not None:
                    return self.package_container(package), ()
        return NOWHERE

    # -- dotted module paths -------------------------------------------------------------------

    def _index_dotted(self) -> tuple[dict[str, list[int]], dict[int, str]]:
        """Files by dotted name, each from its own import root and from the workspace's root."""
        by_name: dict[str, list[int]] = {}
        roots: dict[int, str] = {}
        root_of_folder: dict[str, str] = {}
        marked = {
            folder
            for folder, path, language in zip(
                self.folders, self._corpus.paths, self.languages, strict=True
            )
            if language.imports == ImportStyle.DOTTED and stem(path) in language.index_files
        }
        for index, (path, language) in enumerate(
            zip(self._corpus.paths, self.languages, strict=True)
        ):
            if language.imports != ImportStyle.DOTTED:
                continue
            folder = self.folders[index]
            root = root_of_folder.get(folder)
            if root is None:
                root = folder
                while root and root in marked:
                    root = dirname(root)
                root_of_folder[folder] = root
            roots[index] = root
            for base in dict.fromkeys((root, "")):
                name = _dotted_name(path, base, language)
                if name:
                    by_name.setdefault(name, []).append(index)
        return by_name, roots

    def _dotted(self, file: int, module: str) -> Place:
        path = self._corpus.paths[file]
        bare = module.lstrip(".")
        if len(bare) < len(module):
            folder = dirname(path)
            for _ in range(len(module) - len(bare) - 1):
                folder = dirname(folder)
            return self._dotted_below(folder, bare)
        parts = module.split(".")
        own = self._dotted_root.get(file, "")
        for size in range(len(parts), 0, -1):
            found = self._best_dotted(".".join(parts[:size]), own, path)
            if found >= 0:
                return self.container(found), tuple(parts[size:])
        return NOWHERE

    def _dotted_below(self, folder: str, bare: str) -> Place:
        parts = [part for part in bare.split(".") if part]
        for size in range(len(parts), -1, -1):
            target = "/".join([folder, *parts[:size]]).strip("/")
            for candidate in (f"{target}.py", f"{target}.pyi", join(target, "__init__.py")):
                index = self._file_by_path.get(candidate)
                if index is not None:
                    return self.container(index), tuple(parts[size:])
        return NOWHERE

    def _best_dotted(self, name: str, own_root: str, path: str) -> int:
        """Of several files of one dotted name: same root first, then the nearest."""
        candidates = self._by_dotted.get(name, ())
        allowed = [
            index
            for index in candidates
            if self._dotted_root[index] == own_root
            or "." in name
            or path.startswith(self._dotted_root[index] + "/")
            or not self._dotted_root[index]
            or stem(self._corpus.paths[index]) in self.languages[index].index_files
        ]
        if not allowed:
            return -1
        return min(
            allowed,
            key=lambda index: (
                self._dotted_root[index] != own_root,
                self._corpus.paths[index].endswith(".pyi"),
                -_common(self._corpus.paths[index], path),
                self._corpus.paths[index],
            ),
        )

    # -- file paths ----------------------------------------------------------------------------

    def _path(self, file: int, module: str) -> Place:
        language = self.languages[file]
        if module.startswith("."):
            found = self._try_path(
                normpath(join(dirname(self._corpus.paths[file]), module)), language
            )
            return (self.container(found), ()) if found >= 0 else NOWHERE
        for target in self._aliased(file, module):
            found = self._try_path(target, language)
            if found >= 0:
                return self.container(found), ()
        return NOWHERE

    def _aliased(self, file: int, module: str) -> list[str]:
        """Paths that aliases and workspace packages give to a bare module name, nearest first."""
        path = self._corpus.paths[file]
        targets: list[str] = []
        nearby = [p for p in self._projects if not p.folder or path.startswith(p.folder + "/")]
        for project in sorted(nearby, key=lambda p: -len(p.folder)):
            for pattern, candidates in project.aliases.items():
                head, star, tail = pattern.partition("*")
                if star and module.startswith(head) and module.endswith(tail):
                    middle = module[len(head) : len(module) - len(tail)]
                    targets += [candidate.replace("*", middle) for candidate in candidates]
                elif module == pattern:
                    targets += candidates
            if project.kind in ("tsconfig.json", "jsconfig.json") and project.base:
                targets.append(join(project.base, module))
        for project in self._projects:
            if project.kind == "package.json" and project.name:
                if module == project.name:
                    targets += [join(project.folder, "src"), project.folder]
                elif module.startswith(project.name + "/"):
                    rest = module[len(project.name) + 1 :]
                    targets += [join(project.folder, rest), join(project.folder, "src", rest)]
        return targets

    def _try_path(self, target: str, language: Language) -> int:
        family = language.family or language.name
        suffixes = self._suffixes[family]
        bare = target
        for suffix in suffixes:
            if target.endswith(suffix):
                bare = target[: -len(suffix)]
        candidates = [target, *(bare + suffix for suffix in suffixes)]
        candidates += [join(target, name + s) for name in language.index_files for s in suffixes]
        for candidate in candidates:
            index = self._file_by_path.get(candidate.lstrip("/"))
            if index is not None:
                return index
        return -1

    # -- included files ------------------------------------------------------------------------

    def _index_suffixes(self) -> dict[str, list[int]]:
        """Files by base name, for styles that search folders we do not know."""
        by_base: dict[str, list[int]] = {}
        for index, (path, language) in enumerate(
            zip(self._corpus.paths, self.languages, strict=True)
        ):
            if language.imports == ImportStyle.FILE:
                by_base.setdefault(path.rsplit("/", 1)[-1], []).append(index)
        return by_base

    def _file(self, file: int, module: str) -> Place:
        """A path relative to the file, else the one file whose path ends like it."""
        path, language = self._corpus.paths[file], self.languages[file]
        near = normpath(join(dirname(path), module))
        wanted = [module, *(module + suffix for suffix in language.extensions)]
        for candidate in (near, *(near + suffix for suffix in language.extensions)):
            if candidate in self._file_by_path:
                return self.container(self._file_by_path[candidate]), ()
        for name in wanted:
            clean = name.lstrip("./").replace("../", "")
            found = [
                index
                for index in self._by_suffix.get(clean.rsplit("/", 1)[-1], ())
                if ("/" + self._corpus.paths[index]).endswith("/" + clean)
            ]
            if found:
                best = max(found, key=lambda index: _common(self._corpus.paths[index], path))
                return self.container(best), ()
        return NOWHERE

    # -- crates --------------------------------------------------------------------------------

    def _crate(self, file: int, module: str) -> Place:
        first, *rest = module.split("::")
        if first == "crate":
            return self.container(self.modules.crate_of_file[file]), tuple(rest)
        if first == "self":
            return self.container(file), tuple(rest)
        if first == "super":
            outer = self.modules.parent(file)
            while rest and rest[0] == "super":
                outer = self.modules.parent(outer)
                rest.pop(0)
            return self.container(outer), tuple(rest)
        if first in self.languages[file].external_modules:
            return NOWHERE
        if first in self.modules.crates:
            return self.container(self.modules.crates[first]), tuple(rest)
        child = self.modules.child(file, first)
        if child >= 0:
            return self.container(child), tuple(rest)
        return NOWHERE


def _dotted_name(path: str, root: str, language: Language) -> str:
    inner = path[len(root) + 1 :] if root else path
    parts = inner.rsplit(".", 1)[0].split("/")
    if parts[-1] in language.index_files:
        parts.pop()
    return ".".join(parts)


def _common(left: str, right: str) -> int:
    """How many leading folders two paths share."""
    count = 0
    for a, b in zip(left.split("/"), right.split("/"), strict=False):
        if a != b:
            break
        count += 1
    return count
