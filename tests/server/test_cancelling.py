import asyncio
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from knowing.errors import CancelledError
from server.work import Cancel, Lane, Pool
from tests.server.conftest import Connect
from tests.server.talking import Refused, at, names_of
from tests.server.workspaces import repository

SLOW_GIT = f"""#!{sys.executable}
import os, sys
if "GATE" in os.environ:
    open(os.environ["GATE"]).close()
sys.exit(1)
"""


@pytest.mark.skipif(os.name == "nt", reason="needs a named pipe")
def test_a_slow_request_holds_up_no_other_and_can_be_cancelled(
    tmp_path: Path, connect: Connect
) -> None:
    """Git waits at a gate, as it may with a slow disk, and so does who asks it."""
    root = repository(tmp_path / "work")
    gate, tools = tmp_path / "gate", tmp_path / "tools"
    os.mkfifo(gate)
    tools.mkdir()
    program = tools / "git"
    program.write_text(SLOW_GIT, "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    editor = connect(PATH=path, GATE=str(gate))
    editor.start(root, options={"history": {"enabled": False}})
    editor.fresh(root)

    slow = [editor.begin("knowing/contextForChanges", {"base": "HEAD"}) for _ in range(3)]
    hover = editor.ask("textDocument/hover", at(root / "shop.py", "place_order"))
    assert "place_order" in hover["contents"]["value"]
    found = editor.ask("knowing/context", {"task": "place an order"})
    assert "place_order" in names_of(found["symbols"])
    assert not [m for m in editor.received if m.get("id") in slow and "method" not in m]
    for number in slow:
        editor.tell("$/cancelRequest", {"id": number})
        with pytest.raises(Refused) as refused:
            editor.outcome(number)
        assert refused.value.code == -32800
    assert editor.end() == 0


async def test_a_cancelled_job_is_told_and_one_that_waits_is_never_begun() -> None:
    pool = Pool()
    begun, told = threading.Event(), threading.Event()
    ran: list[int] = []

    def job(cancel: Cancel) -> None:
        begun.set()
        while not cancel():
            pass
        told.set()
        cancel.check()

    running = [asyncio.ensure_future(pool.run(job, Lane.QUICK)) for _ in range(Lane.QUICK.value)]
    waiting = asyncio.ensure_future(pool.run(lambda _: ran.append(1), Lane.QUICK))
    elsewhere = await pool.run(lambda _: "another lane", Lane.SLOW)
    assert elsewhere == "another lane"
    await asyncio.to_thread(begun.wait, 30)
    for task in (waiting, *running):
        task.cancel()
    outcomes = await asyncio.gather(waiting, *running, return_exceptions=True)
    assert all(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes)
    assert await asyncio.to_thread(told.wait, 30)
    pool.close()
    assert ran == []


def test_work_that_looks_for_it_ends_when_it_is_cancelled() -> None:
    cancel = Cancel()
    cancel.check()
    cancel.set()
    with pytest.raises(CancelledError):
        cancel.check()
