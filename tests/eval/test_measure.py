import sys
from pathlib import Path

import pytest

from eval import measure
from eval.failure import EvalError

CHILD = "x = bytearray({size}); x[::4096] = b'1' * len(x[::4096])"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_processor_time_and_memory_of_children_count(tmp_path: Path) -> None:
    size = 200 << 20
    burn = "import time\nwhile time.process_time() < 0.5: pass"
    inner = f"{CHILD.format(size=size)}\n{burn}"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}]); print('x')"
    usage = measure.run(python(outer), 60, tmp_path)
    assert usage.cpu >= 0.5
    assert usage.wall >= 0.4
    assert usage.peak_process >= size
    assert usage.peak_total >= usage.peak_process
    assert usage.output == "x\n"


def test_it_runs_in_the_folder(tmp_path: Path) -> None:
    usage = measure.run(python("import os; print(os.getcwd())"), 60, tmp_path)
    assert Path(usage.output.strip()) == tmp_path.resolve()


def test_a_failure_tells_what_was_said(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="no luck"):
        measure.run(python("raise SystemExit('no luck')"), 60, tmp_path)


def test_what_does_not_end_is_ended(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="exited with -9"):
        measure.run(python("while True: pass"), 0.2, tmp_path)


@pytest.mark.parametrize(
    ("values", "share", "value"),
    [
        ([3, 1, 2], 0.5, 2),
        ([1, 2, 3, 4], 0.5, 2),
        (list(range(1, 41)), 0.95, 38),
        ([5], 0.95, 5),
        ([1, 9], 1.0, 9),
        ([1, 9], 0.0, 1),
    ],
)
def test_percentiles(values: list[float], share: float, value: float) -> None:
    assert measure.percentile(values, share) == value


def test_nothing_has_no_percentile() -> None:
    with pytest.raises(EvalError):
        measure.percentile([], 0.5)


def test_size_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a").write_bytes(b"123")
    (tmp_path / "inner" / "b").write_bytes(b"45")
    assert measure.folder_size(tmp_path) == 5
