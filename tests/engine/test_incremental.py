"""Updates file by file end where a rebuild ends: edited, moved, removed or reverted."""

import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowing.engine import Engine
from knowing.graph import build_graph
from knowing.languages import load_languages
from tests.graph.views import assert_same

LANGUAGES = ("python", "typescript", "go", "java", "ruby", "rust")
_IDENTIFIER = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]{3,}\b")

edits = st.tuples(
    st.sampled_from(("edit", "append", "cut", "rename", "move", "delete", "revert")),
    st.integers(min_value=0, max_value=10**6),
    st.integers(min_value=0, max_value=10**6),
)


def samples(name: str, into: Path) -> None:
    """A workspace made of a language's own sample, twice, so that names repeat."""
    folder = Path(load_languages()[name].folder) / "sample"
    shutil.copytree(folder, into / "one")
    shutil.copytree(folder, into / "two")


class Workspace:
    """A folder that is edited at random; tells which paths an edit touched."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.original = {path: path.read_text() for path in self._files()}

    def _files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    def apply(self, action: str, which: int, where: int) -> list[Path]:
        if action == "revert":
            path = sorted(self.original)[which % len(self.original)]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.original[path])
            return [path]
        files = self._files()
        if not files:
            return []
        path = files[which % len(files)]
        if action == "delete":
            path.unlink()
            return [path]
        if action == "move":
            target = path.with_name(f"moved_{which % 3}_{path.name}")
            path.rename(target)
            return [path, target]
        path.write_text(self._edited(path.read_text(), action, where))
        return [path]

    @staticmethod
    def _edited(text: str, action: str, where: int) -> str:
        lines = text.splitlines(keepends=True)
        if not lines:
            return text
        at = where % len(lines)
        if action == "append":
            return text + "".join(lines[at : at + 8])
        if action == "cut":
            return "".join(lines[:at] + lines[at + 1 + where % 4 :])
        names = _IDENTIFIER.findall(text)
        if not names:
            return text
        old = names[where % len(names)]
        if action == "rename":
            return re.sub(rf"\b{old}\b", f"{old}x", text)
        other = names[(where * 7) % len(names)]
        return "".join(lines[:at]) + lines[at].replace(old, other) + "".join(lines[at + 1 :])


@pytest.mark.parametrize("language", LANGUAGES)
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(edits, min_size=1, max_size=8))
def test_updates_equal_a_rebuild(language: str, steps: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "work"
        samples(language, root)
        workspace = Workspace(root)
        with Engine.open(root, index_dir=Path(folder) / "index") as engine:
            engine.index(history=False)
            for step in steps:
                view = engine.update(workspace.apply(*step))
            live = engine.live_graph()
            assert_same(view, build_graph(live.files, live.setting).view)
            engine.index(history=False)
            assert_same(engine.view(), view)
