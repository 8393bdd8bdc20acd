"""Runs the program with its index on a disk that is full, and a little less so each time.

Has to run where mounting is allowed, such as in a namespace of its own (`unshare -rm`). It takes
two folders, one for the workspace and one to mount the disk on, and tells the story as JSON.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cli.running import Case, Ran
from tests.cli.workspaces import module, small
from tests.graph.views import facts_of

SIZE = 4_000_000
FILES = 120


def fill(disk: Path, spare: int) -> None:
    """Leaves no more than `spare` bytes."""
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    (disk / "ballast").write_bytes(bytes(max(free - spare, 0)))


def tell(folder: Path, disk: Path) -> dict[str, object]:
    case = Case(small(folder / "work"), disk)
    fill(disk, 3000)
    story: dict[str, Ran] = {"on a full disk": case.call("index")}
    (disk / "ballast").unlink()
    story["indexed"] = case.call("index", "--json")
    before = facts_of(case.view())
    for number in range(FILES):
        module(case.root, number, FILES, parts=4)
    unchanged, spare, ran = [], 200, Ran(1, "", "")
    while ran.code and spare < SIZE:
        fill(disk, spare)
        ran = story[f"index {spare}"] = case.call("index", "--json")
        story[f"status {spare}"] = case.call("status", "--json")
        if ran.code:
            story[f"dump {spare}"] = case.call("dump", "symbols")
            unchanged.append(facts_of(case.view()) == before)
        (disk / "ballast").unlink()
        spare = spare * 3 // 2 + 20_000
    story["check"] = case.call("check")
    return {
        "story": {name: [ran.code, ran.out, ran.err] for name, ran in story.items()},
        "unchanged": unchanged,
        "same": facts_of(case.view()) == facts_of(case.rebuilt(folder / "fresh")),
    }


def main(folder: Path, disk: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "disk", str(disk)], check=True)
    print(json.dumps(tell(folder, disk)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
