"""Runs one command and sees to it that nothing of it outlives whoever asked for it.

Started as a script: `guard.py CONTROL STATUS NICE COMMAND...`.
CONTROL is the reading end of a pipe that the asking process holds open: the kernel closes it
however that process ends, and then the command and all its children are killed. They stand in a
group of their own, apart from this process, so that it is awake while they are suspended. STATUS
is the writing end of a pipe that is told the command's process id, or why it could not be run.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS = 100
_NOT_RUN = 127


def main(arguments: list[str]) -> int:
    control, status, niceness = (int(text) for text in arguments[:3])
    command = arguments[3:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wake, woken = os.pipe()
    for end in (wake, woken):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(woken)
    # Children that leave the group come to this process when their parents end.
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        _become(command, niceness, (control, status))
    os.write(status, f"{child}\n".encode())
    # The streams belong to the command: its end must be seen by whoever reads them.
    for stream in (0, 1, 2, status):
        os.close(stream)
    select.select([control, wake], [], [])
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    _, code = os.waitpid(child, 0)
    _end_orphans()
    return os.waitstatus_to_exitcode(code) & 0xFF


def _become(command: list[str], niceness: int, pipes: tuple[int, int]) -> None:
    """Turns this process into the command."""
    control, status = pipes
    try:
        os.setsid()
        # Second line of defence: should this very guard be killed.
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # Whoever waits for news of the command sees the pipe close once it runs.
        os.set_inheritable(status, False)
        os.set_inheritable(control, False)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.nice(niceness)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(status, f"{error.strerror}\n".encode())
    finally:
        os._exit(_NOT_RUN)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _end_orphans() -> None:
    """Kills what has left the group, where the system tells who that is."""
    for _ in range(_MOST_ROUNDS):
        orphans = _children()
        if not orphans:
            return
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> list[int]:
    found = []
    try:
        entries = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for name in entries:
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
            if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                found.append(int(name))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
