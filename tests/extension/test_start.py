"""The start script of the extension: packages unpacked once, and no others in their way."""

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
START = ROOT / "vscode-extension" / "bundled" / "start.py"
TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"

CLI = """import sys
from dependency import WORD
def main():
    print(WORD, *sys.argv[1:])
    return 0
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """What the extension carries, with small stand-ins for our package and a dependency."""
    folder = tmp_path / "packages"
    folder.mkdir()
    _zip(folder / "common.zip", {"knowing/__init__.py": "", "knowing/cli.py": CLI})
    _zip(folder / f"{TAG}.zip", {"dependency.py": "WORD = 'ours'\n"})
    return folder


def _zip(path: Path, files: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def _start(packages: Path, *rest: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    home = packages.parent / "home"
    given = [sys.executable, "-I", str(START), "--packages", str(packages), "--home", str(home)]
    surroundings = {**os.environ, "PYTHONPATH": str(cwd)}
    return subprocess.run(
        [*given, *rest],
        cwd=cwd,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_workspace_cannot_put_its_packages_before_ours(packages: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    for name in ("knowing", "server", "dependency", "argparse", "zipfile"):
        (workspace / name).mkdir(parents=True)
        (workspace / name / "__init__.py").write_text("raise SystemExit('of the workspace')\n")

    done = _start(packages, "knowing", "status", "--json", cwd=workspace)

    assert (done.returncode, done.stdout, done.stderr) == (0, "ours status --json\n", "")
    assert not list(workspace.rglob("__pycache__"))


def test_packages_are_unpacked_once_and_again_when_they_differ(
    packages: Path, tmp_path: Path
) -> None:
    first = Path(_start(packages, "check", cwd=tmp_path).stdout.strip())
    mark = first / "mark"
    mark.touch()
    again = Path(_start(packages, "check", cwd=tmp_path).stdout.strip())
    _zip(packages / f"{TAG}.zip", {"dependency.py": "WORD = 'newer'\n"})
    newer = Path(_start(packages, "check", cwd=tmp_path).stdout.strip())

    assert again == first and mark.exists()
    assert newer != first
    assert _start(packages, "knowing", cwd=tmp_path).stdout == "newer\n"


def test_one_that_was_killed_half_way_is_done_again(packages: Path, tmp_path: Path) -> None:
    site = Path(_start(packages, "check", cwd=tmp_path).stdout.strip())
    (site / "ready").unlink()
    (site / "dependency.py").unlink()

    assert _start(packages, "knowing", cwd=tmp_path).stdout == "ours\n"


def test_several_windows_start_at_once(packages: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    given = [sys.executable, "-I", str(START), "--packages", str(packages), "--home", str(home)]
    running = [
        subprocess.Popen([*given, "knowing"], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]

    assert [process.communicate(timeout=120)[0] for process in running] == ["ours\n"] * 4
    assert len(list(home.iterdir())) == 1


def test_packages_that_nobody_uses_any_more_are_removed(packages: Path, tmp_path: Path) -> None:
    old = Path(_start(packages, "check", cwd=tmp_path).stdout.strip())
    long_ago = time.time() - 90 * 24 * 3600
    os.utime(old / "ready", (long_ago, long_ago))
    _zip(packages / f"{TAG}.zip", {"dependency.py": "WORD = 'newer'\n"})

    _start(packages, "check", cwd=tmp_path)

    assert not old.exists()


def test_a_python_that_nothing_is_carried_for_is_told_so(packages: Path, tmp_path: Path) -> None:
    (packages / f"{TAG}.zip").rename(packages / "cp399.zip")

    done = _start(packages, "server", "--stdio", cwd=tmp_path)

    assert done.returncode == 3
    assert TAG in done.stderr and "cp399" in done.stderr
    assert "Traceback" not in done.stderr
