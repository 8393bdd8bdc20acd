import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.server.conftest import Connect
from tests.server.talking import PATIENCE, REPOSITORY, Editor, Refused, names_of
from tests.server.workspaces import large, shop

PROGRESS = {"window": {"workDoneProgress": True}}


def test_it_says_what_it_can_do_and_answers_before_and_after_indexing(
    tmp_path: Path, connect: Connect
) -> None:
    root = large(tmp_path / "work", files=40, functions=30)
    editor = connect()
    able = editor.start(root)
    assert able["textDocumentSync"]["change"] == 2
    assert able["codeLensProvider"] == {"resolveProvider": True}
    for provider in ("hoverProvider", "callHierarchyProvider", "workspaceSymbolProvider"):
        assert able[provider]
    assert "knowing.contextForTask" in able["executeCommandProvider"]["commands"]

    early = editor.ask("knowing/context", {"task": "place an order"})
    assert early["index"]["state"] == "indexing"
    assert early["notes"]
    editor.fresh(root)
    late = editor.ask("knowing/context", {"task": "place an order"})
    assert late["index"]["state"] == "fresh"
    assert "place_order" in names_of(late["symbols"])
    assert "def place_order" in late["markdown"]
    assert editor.garbage == b""


def test_an_index_on_disk_is_answered_from_at_once(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    first = connect()
    first.start(root)
    first.fresh(root)
    assert first.end() == 0

    second = connect()
    second.start(root)
    second.wait(
        lambda m: m.get("method") == "knowing/indexChanged" and m["params"]["index"]["symbols"] > 0
    )
    found = second.ask("knowing/context", {"task": "place an order"})
    assert "place_order" in names_of(found["symbols"])


def test_progress_is_shown_only_to_those_who_show_it(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    shown, hidden = connect(), connect()
    shown.start(root, capabilities=PROGRESS)
    shown.fresh(root)
    kinds = [params["value"]["kind"] for params in shown.all("$/progress")]
    if kinds:
        # A run may be over before the client has agreed to show it.
        assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert shown.all("window/workDoneProgress/create")
    hidden.start(root)
    hidden.fresh(root)
    assert not hidden.all("$/progress") + hidden.all("window/workDoneProgress/create")


def test_indexing_that_is_cancelled_stops_and_is_not_begun_again_by_itself(
    tmp_path: Path, connect: Connect
) -> None:
    root = large(tmp_path / "work", files=300, functions=12)
    editor = connect()
    editor.start(root, capabilities=PROGRESS)
    begin = editor.wait(lambda m: _progress(m) == "begin")["params"]
    assert begin["value"]["cancellable"] is True
    editor.tell("window/workDoneProgress/cancel", {"token": begin["token"]})
    end = editor.wait(lambda m: _progress(m) == "end")["params"]["value"]
    assert end["message"] == "cancelled"
    (root / ".gitignore").write_text("filler_0.py\n", "utf-8")
    editor.watched(root / ".gitignore", kind=1)
    state = editor.ask("knowing/status", {})["index"]
    assert state["state"] == "stale"
    assert any("cancelled" in note for note in state["notes"])

    editor.run("knowing.reindex")
    editor.fresh(root)
    assert "place_order" in editor.names("place_order")
    assert not editor.names("filler_0")


def _progress(message: dict) -> str:  # type: ignore[type-arg]
    found = message.get("params") or {}
    return found["value"]["kind"] if message.get("method") == "$/progress" else ""


def test_it_ends_in_order_and_out_of_order(tmp_path: Path, connect: Connect) -> None:
    root = large(tmp_path / "work", files=60, functions=40)
    orderly = connect()
    orderly.start(root)
    assert orderly.end() == 0
    rude = connect()
    rude.start(root)
    rude.tell("exit")
    assert rude.process.wait(10) == 1
    gone = connect()
    gone.start(root)
    assert gone.process.stdin
    gone.process.stdin.close()
    assert gone.process.wait(10) == 1


def test_after_shutdown_nothing_is_answered_but_refused(tmp_path: Path, connect: Connect) -> None:
    editor = connect()
    with pytest.raises(Refused) as early:
        editor.ask("knowing/status")
    assert early.value.code == -32002
    editor.start(shop(tmp_path / "work"))
    with pytest.raises(Refused, match="already"):
        editor.ask("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    editor.ask("shutdown")
    with pytest.raises(Refused, match="shutting down"):
        editor.ask("knowing/status")


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_no_process_outlives_a_client_that_is_killed(tmp_path: Path, connect: Connect) -> None:
    root = large(tmp_path / "work", files=60, functions=200)
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    editor = connect()
    editor.start(root, capabilities=PROGRESS, process=client.pid)
    # By then there are processes that read.
    editor.wait(
        lambda m: _progress(m) == "report" and m["params"]["value"]["message"].startswith("reading")
    )
    server = psutil.Process(editor.process.pid)
    family = [server, *server.children(recursive=True)]
    assert len(family) > 1
    client.kill()
    # The pipe to the server stays open: only the number of the process tells.
    _, alive = psutil.wait_procs(family[1:], timeout=PATIENCE)
    assert editor.process.wait(PATIENCE) is not None
    assert alive == []
    client.communicate()


NOISY = """
import os, sys
from server import __main__, app
create = app.create_server
def noisy(index_dir):
    print("noise of this process", flush=True)
    os.system("echo noise of a child")
    return create(index_dir)
app.create_server = noisy
sys.exit(__main__.main(sys.argv[1:]))
"""


def test_nothing_but_the_protocol_reaches_standard_output(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    given = [sys.executable, "-P", "-c", NOISY, "--stdio", "--index-dir", str(tmp_path / "index")]
    editor = connect(given=given)
    editor.start(root)
    editor.fresh(root)
    assert editor.end() == 0
    assert editor.garbage == b""
    log = editor.log.read_text("utf-8")
    assert "noise of this process" in log
    assert "noise of a child" in log


def _trap(root: Path, *packages: str) -> None:
    for package in packages:
        (root / package).mkdir()
        for name in ("__init__.py", "__main__.py"):
            (root / package / name).write_text("raise SystemExit('the wrong package')\n", "utf-8")


@pytest.mark.parametrize(
    ("packages", "start"),
    [
        (("server", "knowing"), ["-P", "-m", "server"]),
        (("server", "knowing"), [str(REPOSITORY / "server" / "__main__.py")]),
        (("knowing",), ["-m", "server"]),
    ],
    ids=["safe path", "by file", "module"],
)
def test_a_workspace_with_packages_of_our_names_does_not_take_over(
    tmp_path: Path, connect: Connect, packages: tuple[str, ...], start: list[str]
) -> None:
    root = shop(tmp_path / "work")
    _trap(root, *packages)
    given = [sys.executable, *start, "--stdio", "--index-dir", str(tmp_path / "index")]
    editor = connect(given=given, cwd=root)
    editor.start(root)
    editor.fresh(root)
    assert "place_order" in editor.names("place_order")


def test_it_listens_on_a_port_and_logs_to_a_file(tmp_path: Path, connect: Connect) -> None:
    root, log = shop(tmp_path / "work"), tmp_path / "logs" / "server.log"
    script = "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])"
    port = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout.strip()
    given = [sys.executable, "-P", "-m", "server", "--tcp", f"127.0.0.1:{port}"]
    server = connect(
        given=[*given, "--log", str(log), "--debug", "--index-dir", str(tmp_path / "index")]
    )
    found = subprocess.run(
        [sys.executable, "-c", _CLIENT, port, root.as_uri()],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert json.loads(found.stdout)["serverInfo"]["name"] == "knowing"
    assert server.process.wait(PATIENCE) == 0
    assert "listening on 127.0.0.1" in log.read_text("utf-8")


_CLIENT = """
import json, socket, sys, time
def connected():
    until = time.monotonic() + 50
    while True:
        try:
            return socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
        except ConnectionRefusedError:
            assert time.monotonic() < until
with connected() as wire:
    stream = wire.makefile("rwb")
    def send(**message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream.write(b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
        stream.flush()
    def answer(number):
        while True:
            size = int(stream.readline().split()[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(size))
            if message.get("id") == number:
                return message["result"]
    start = {"capabilities": {}, "processId": None, "rootUri": sys.argv[2]}
    send(id=1, method="initialize", params=start)
    print(json.dumps(answer(1)))
    send(id=2, method="shutdown")
    answer(2)
    send(method="exit")
    stream.read()
"""


def test_wrong_arguments_are_told(tmp_path: Path) -> None:
    for arguments in ([], ["--tcp", "nowhere"], ["--stdio", "--tcp", "localhost:1"]):
        ran = subprocess.run(
            [sys.executable, "-P", "-m", "server", *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            check=False,
        )
        assert ran.returncode == 2
        assert "error:" in ran.stderr
        assert ran.stdout == ""


def test_an_editor_without_a_folder_is_told_so(connect: Connect) -> None:
    editor: Editor = connect()
    editor.start()
    with pytest.raises(Refused, match="no folder is open") as refused:
        editor.ask("knowing/context", {"task": "anything"})
    assert refused.value.data["hint"]
    place = {
        "textDocument": {"uri": "untitled:Untitled-1"},
        "position": {"line": 0, "character": 0},
    }
    assert editor.ask("textDocument/hover", place) is None
