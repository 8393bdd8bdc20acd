import asyncio
import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from knowing.engine import Engine
from knowing.store import Shelf
from tests.mcp.agents import REPOSITORY, TOOLS, agent, command, read_in_part, until_fresh

PATIENCE = 60


async def test_every_tool_answers_and_keeps_to_its_schema(shop: Path, tmp_path: Path) -> None:
    async with agent(shop, tmp_path / "index") as asked:
        await until_fresh(asked)
        assert set(asked.schemas) == set(TOOLS)
        assert all(schema["properties"] for schema in asked.schemas.values())
        for tool, arguments in TOOLS.items():
            found = await asked.ask(tool, **arguments)
            assert not found.is_error, found.text
            assert found.text


async def test_all_tools_only_read(shop: Path, tmp_path: Path) -> None:
    async with agent(shop, tmp_path / "index") as asked:
        tools = (await asked.client.list_tools()).tools
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert all(tool.description for tool in tools)


async def test_answers_are_about_the_code(shop: Path, tmp_path: Path) -> None:
    async with agent(shop, tmp_path / "index") as asked:
        await until_fresh(asked)
        context = await asked.ask("get_task_context", **TOOLS["get_task_context"])
        names = [item["name"] for item in context.fields["symbols"]]
        assert {"Order.cancel", "refund"} <= set(names[:3])
        assert "return refund(self.total)" in context.text
        blast = await asked.ask("get_blast_radius", symbol="Order.cancel")
        assert [item["name"] for item in blast.fields["direct"]] == ["cancel_order", "test_cancel"]
        found = await asked.ask("find_symbol", query="refund")
        assert found.fields["exact"] == 1
        assert found.fields["symbols"][0]["qualified_name"] == "shop/payments.py::refund"
        score = await asked.ask("explain_score", **TOOLS["explain_score"])
        parts = sum(part["value"] for part in score.fields["parts"])
        assert parts == pytest.approx(score.fields["score"], abs=1e-3)


async def test_a_change_is_named_with_its_tests(shop: Path, tmp_path: Path) -> None:
    async with agent(shop, tmp_path / "index") as asked:
        await until_fresh(asked)
        path = shop / "shop" / "payments.py"
        path.write_text("def refund(amount, fee):\n    return fee - amount\n", encoding="utf-8")
        found = await asked.ask("get_change_context", base="HEAD")
        while found.fields["index"]["state"] != "fresh":
            found = await asked.ask("get_change_context", base="HEAD")
    assert [(item["name"], item["change"]) for item in found.fields["changed"]] == [
        ("refund", "signature changed")
    ]
    assert any("tests/test_orders.py" in line for line in found.fields["test_commands"])
    assert "shop/orders.py" in found.text


async def test_while_another_process_indexes_answers_say_what_is_missing(
    shop: Path, tmp_path: Path
) -> None:
    """The lock is held, so that the server cannot get past this state."""
    index = tmp_path / "index"
    with Engine.open(shop, index_dir=index) as engine:
        folder = engine.folder
    with Shelf(folder).writing():
        async with agent(shop, index) as asked:
            for tool in ("get_task_context", "find_symbol", "get_index_status"):
                found = await asked.ask(tool, **TOOLS[tool])
                assert not found.is_error, found.text
                state = found.fields.get("index", found.fields)
                assert state["state"] == "indexing", tool
            blast = await asked.ask("get_blast_radius", **TOOLS["get_blast_radius"])
            assert blast.is_error
            assert "first index is being made" in blast.text


async def test_before_there_is_an_index_answers_come_from_the_files_read_so_far(
    shop: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    read_in_part(shop, index)
    with Engine.open(shop, index_dir=index) as engine:
        folder = engine.folder
    with Shelf(folder).writing():
        async with agent(shop, index) as asked:
            for tool, arguments in TOOLS.items():
                found = await asked.ask(tool, **arguments)
                assert not found.is_error, found.text
                assert found.fields.get("index", found.fields)["state"] == "indexing"
            blast = await asked.ask("get_blast_radius", symbol="Order.cancel")
    assert blast.fields["direct_count"] == 2
    assert not blast.fields["complete"]
    assert any(reason.startswith("indexing") for reason in blast.fields["reasons"])


async def test_two_agents_at_once_share_one_index(shop: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    async with agent(shop, index) as one, agent(shop, index) as other:
        first, second = await asyncio.gather(until_fresh(one), until_fresh(other))
        assert first.fields["generation"] == second.fields["generation"]
        answers = await asyncio.gather(
            *(
                each.ask("get_task_context", **TOOLS["get_task_context"])
                for each in (one, other)
                for _ in range(3)
            )
        )
    assert len({found.text for found in answers}) == 1
    assert len([path for path in index.iterdir() if path.is_dir()]) == 1


async def test_a_long_task_is_read_to_its_end(shop: Path, tmp_path: Path) -> None:
    task = "There are many words here that say little about anything. " * 40
    task += "Cancel an order and refund its payment."
    assert len(task) > 2000
    async with agent(shop, tmp_path / "index") as asked:
        await until_fresh(asked)
        found = await asked.ask("get_task_context", task=task)
    assert "Order.cancel" in [item["name"] for item in found.fields["symbols"][:3]]
    assert len(found.fields["task"]) < len(task)


async def test_an_unknown_symbol_is_an_error_with_symbols_that_may_be_meant(
    shop: Path, tmp_path: Path
) -> None:
    async with agent(shop, tmp_path / "index") as asked:
        await until_fresh(asked)
        found = await asked.ask("get_blast_radius", symbol="Order.cancle")
        missing = await asked.ask("get_task_context", task="x", root=str(tmp_path / "nowhere"))
        empty = await asked.ask("get_task_context", task="  ")
    assert found.is_error
    assert "no symbol is called 'Order.cancle'" in found.text
    assert "shop/orders.py::Order.cancel" in found.text
    assert missing.is_error
    assert "no such folder" in missing.text
    assert empty.is_error


async def test_another_folder_can_be_asked_about(shop: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "pump.py").write_text("def pump_water():\n    return 1\n", encoding="utf-8")
    async with agent(shop, tmp_path / "index") as asked:
        await until_fresh(asked, root=str(other))
        found = await asked.ask("find_symbol", query="pump_water", root=str(other))
    assert found.fields["symbols"][0]["path"] == "pump.py"
    assert found.fields["root"] == str(other)


async def test_an_answer_about_very_much_stays_small(tmp_path: Path) -> None:
    root = tmp_path / "wide"
    root.mkdir()
    body = "    return '%s'\n" % ("long text " * 30)
    for number in range(60):
        calls = "".join(
            f"\n\ndef a_function_with_a_rather_long_name_{number}_{part}(value):\n"
            f'    """Calls the helper that all others call as well."""\n    helper()\n{body}'
            for part in range(12)
        )
        text = f"from helpers import helper\n{calls}"
        (root / f"module_number_{number}.py").write_text(text, encoding="utf-8")
    (root / "helpers.py").write_text("def helper():\n    return 1\n", encoding="utf-8")
    async with agent(root, tmp_path / "index") as asked:
        await until_fresh(asked)
        blast = await asked.ask("get_blast_radius", symbol="helper", depth=5)
        task = "a function with a rather long name that calls the helper"
        context = await asked.ask("get_task_context", task=task, budget=100_000, limit=1000)
    assert blast.fields["direct_count"] >= 720
    assert 0 < len(blast.fields["direct"]) < 720
    assert context.fields["symbols"]
    assert blast.tokens < 20_000
    assert context.tokens < 20_000


async def test_status_and_map_are_resources(shop: Path, tmp_path: Path) -> None:
    async with agent(shop, tmp_path / "index") as asked:
        await until_fresh(asked)
        listed = (await asked.client.list_resources()).resources
        status = await asked.client.read_resource("knowing://status")
        overview = await asked.client.read_resource("knowing://map")
    assert {str(item.uri) for item in listed} == {"knowing://status", "knowing://map"}
    assert json.loads(getattr(status.contents[0], "text", ""))["files"] == len(
        list(shop.rglob("*.py"))
    )
    assert "Order" in getattr(overview.contents[0], "text", "")


def test_nothing_but_messages_is_written_to_standard_output(shop: Path, tmp_path: Path) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    task = {"name": "get_task_context", "arguments": {"task": "cancel an order"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": task},
    ]
    with subprocess.Popen(
        command(shop, tmp_path / "index"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for message in messages:
            server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.stdin.close()
        rest = server.stdout.read()
        assert server.wait(PATIENCE) == 0
    assert [answer["id"] for answer in answers] == [1, 2]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert rest == ""


def test_the_server_ends_when_its_client_is_killed(shop: Path, tmp_path: Path) -> None:
    client = (
        "import subprocess, sys, time\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", client, *command(shop, tmp_path / "index")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    ) as killed:
        assert killed.stdout is not None
        server = psutil.Process(int(killed.stdout.readline()))
        assert server.is_running()
        killed.kill()
    gone, alive = psutil.wait_procs([server], timeout=PATIENCE)
    assert gone or alive[0].status() == psutil.STATUS_ZOMBIE


def test_without_the_package_the_command_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "sys.modules['mcp'] = None\n"
        "from knowing.cli import main\n"
        "sys.exit(main(['mcp', '--root', sys.argv[1]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "pip install" in done.stderr
    assert "Traceback" not in done.stderr
