"""What the machine can spare: memory of a server's processes, load, battery."""

import os
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_SUPPLIES = Path("/sys/class/power_supply")
_SESSION, _RSS = 3, 21
"""Fields of `/proc/PID/stat`, counted after the name in parentheses."""
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When to hold back."""

    memory_mb: int = 2048
    """A server that takes more is started anew."""
    load_per_core: float = 1.5
    """Above this the server is suspended; 0 never suspends."""
    on_battery: bool = False


def memory_mb(leader: int) -> int | None:
    """Memory of all processes in the session of `leader`; None where it cannot be known."""
    if _PROC.joinpath("self/stat").exists():
        return _from_proc(leader)
    return _from_psutil(leader)


def _from_proc(leader: int) -> int | None:
    page = os.sysconf("SC_PAGE_SIZE")
    total, seen = 0, False
    for entry in os.scandir(_PROC):
        if not entry.name.isdigit():
            continue
        try:
            stat = Path(entry.path, "stat").read_bytes()
        except OSError:
            continue  # It has ended meanwhile.
        fields = stat[stat.rindex(b")") + 2 :].split()
        if int(fields[_SESSION]) == leader:
            total += int(fields[_RSS]) * page
            seen = True
    return total // _MEGABYTE if seen else None


def _from_psutil(leader: int) -> int | None:
    try:
        import psutil
    except ImportError:
        return None
    try:
        process = psutil.Process(leader)
        family = [process, *process.children(recursive=True)]
        return int(sum(member.memory_info().rss for member in family)) // _MEGABYTE
    except psutil.Error:
        return None


def reason_to_wait(limits: Limits) -> str:
    """Why this is no moment for work in the background; empty if it is one."""
    if limits.load_per_core > 0 and hasattr(os, "getloadavg"):
        try:
            load = os.getloadavg()[0]
        except OSError:
            load = 0.0
        if load > limits.load_per_core * (os.cpu_count() or 1):
            return f"the machine is busy (load {load:.1f})"
    if not limits.on_battery and on_battery():
        return "the machine runs on battery"
    return ""


def on_battery(supplies: Path = _SUPPLIES) -> bool:
    """Whether a battery is being used up; no where that cannot be known."""
    try:
        folders = sorted(supplies.iterdir())
    except OSError:
        return False
    for folder in folders:
        try:
            kind = (folder / "type").read_text(encoding="utf-8").strip()
            status = (folder / "status").read_text(encoding="utf-8").strip()
        except OSError:
            continue
        if kind == "Battery" and status == "Discharging":
            return True
    return False
