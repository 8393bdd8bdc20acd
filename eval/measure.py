"""What a program costs: processor time, memory and time of its whole family of processes."""

import math
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from eval.failure import EvalError

SAMPLE_SECONDS = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Cost of one finished command."""

    cpu: float
    """Processor seconds of the process and of the children it waited for."""
    wall: float
    peak_process: int
    """Bytes resident in the largest process, at its highest."""
    peak_total: int
    """Bytes resident in all processes at once, at the highest; shared pages count repeatedly."""
    output: str


def run(command: Sequence[str], seconds: float, folder: Path) -> Usage:
    """Run a command in a folder to its end, or to that of its time, and say what it cost."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=errors)
        memory = _Memory(process.pid, started + seconds)
        memory.start()
        # Not `process.wait`: only wait4 tells the processor time of this child alone.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        memory.done.set()
        memory.join()
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            said = errors.read().decode(errors="replace").strip()[-2000:]
            raise EvalError(f"{' '.join(command)} exited with {process.returncode}: {said}")
        return Usage(
            cpu=used.ru_utime + used.ru_stime,
            wall=wall,
            peak_process=memory.largest,
            peak_total=memory.total,
            output=output.read().decode("utf-8"),
        )


class _Memory(threading.Thread):
    """Watches a family of processes; ends it when its time is up."""

    def __init__(self, pid: int, deadline: float) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.deadline = deadline
        self.done = threading.Event()
        self.largest = 0
        self.total = 0

    def run(self) -> None:
        try:
            parent = psutil.Process(self.pid)
        except psutil.NoSuchProcess:
            return
        while not self.done.wait(SAMPLE_SECONDS):
            try:
                family = [parent, *parent.children(recursive=True)]
            except psutil.NoSuchProcess:
                return
            self._sample(family)
            if time.perf_counter() > self.deadline:
                _kill(family)

    def _sample(self, family: Sequence[psutil.Process]) -> None:
        total = 0
        for process in family:
            try:
                resident = process.memory_info().rss
            except psutil.Error:
                continue
            total += resident
            self.largest = max(self.largest, resident, _high_water(process.pid))
        self.total = max(self.total, total)


def _kill(family: Sequence[psutil.Process]) -> None:
    for process in family:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


def _high_water(pid: int) -> int:
    """The most a process ever had resident, where the system tells; else 0."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def folder_size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is not below the given share of the values."""
    if not values:
        raise EvalError("nothing was measured")
    rank = math.ceil(len(values) * share)
    return sorted(values)[max(rank, 1) - 1]
