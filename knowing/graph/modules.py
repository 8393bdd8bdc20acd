"""Modules that are files inside one another: crates and packages."""

from collections.abc import Sequence
from posixpath import dirname, join

from knowing.graph.projects import Project
from knowing.languages import Language
from knowing.languages.language import ImportStyle


def stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0]


class ModuleTree:
    """Which file is the parent or child of which, and the root of its crate."""

    def __init__(
        self,
        paths: Sequence[str],
        languages: Sequence[Language],
        projects: Sequence[Project],
    ) -> None:
        self._paths = paths
        self._languages = languages
        self._file_by_path = {path: index for index, path in enumerate(paths)}
        self.crates, self.crate_of_file = self._index_crates(projects)

    def _index_crates(self, projects: Sequence[Project]) -> tuple[dict[str, int], dict[int, int]]:
        """Crate name -> root file, and for each file the root of the crate it belongs to."""
        roots: dict[str, int] = {}
        crates: dict[str, int] = {}
        named = {p.folder: p.name for p in projects if p.kind == "Cargo.toml" and p.name}
        for project in projects:
            index = self._file_by_path.get(project.base, -1) if project.kind == "Cargo.toml" else -1
            if index >= 0:
                roots[dirname(project.base)] = index
                crates[project.name.replace("-", "_")] = index
        files = [
            index
            for index, language in enumerate(self._languages)
            if language.imports == ImportStyle.CRATE
        ]
        for index in files:
            path = self._paths[index]
            folder = dirname(path)
            if stem(path) in ("lib", "main") and folder not in roots:
                roots[folder] = index
                outer = dirname(folder) if folder.endswith("src") else folder
                name = named.get(outer, outer.rsplit("/", 1)[-1])
                crates.setdefault(name.replace("-", "_"), index)
        of_file: dict[int, int] = {}
        for index in files:
            folder = dirname(self._paths[index])
            while folder and folder not in roots:
                folder = dirname(folder)
            of_file[index] = roots.get(folder, index)
        return crates, of_file

    def parent(self, file: int) -> int:
        """The file that declares this one as a submodule, itself where there is none."""
        path, language = self._paths[file], self._languages[file]
        folder = dirname(path)
        if stem(path) in language.index_files:
            folder = dirname(folder)
        for suffix in language.extensions:
            for name in (*language.index_files, "lib", "main"):
                index = self._file_by_path.get(join(folder, name + suffix))
                if index is not None and index != file:
                    return index
            index = self._file_by_path.get(folder + suffix)
            if index is not None:
                return index
        return file

    def child(self, file: int, name: str) -> int:
        """The file of submodule `name` of `file`, or -1."""
        path, language = self._paths[file], self._languages[file]
        if language.imports not in (ImportStyle.CRATE, ImportStyle.DOTTED):
            return -1
        own, folder = stem(path), dirname(path)
        if own not in (*language.index_files, "lib", "main"):
            if language.imports == ImportStyle.DOTTED:
                return -1
            folder = join(folder, own)
        for suffix in language.extensions:
            for candidate in (
                join(folder, name + suffix),
                *(join(folder, name, index + suffix) for index in language.index_files),
            ):
                found = self._file_by_path.get(candidate)
                if found is not None:
                    return found
        return -1
