"""Agents: the official client, talking to the server as a process of its own."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
from mcp import Client, StdioServerParameters, stdio_client

from knowing.engine import Engine

REPOSITORY = Path(__file__).resolve().parents[2]

TOOLS = {
    "get_task_context": {"task": "cancel an order and refund its payment"},
    "get_change_context": {"base": "HEAD"},
    "get_blast_radius": {"symbol": "Order.cancel"},
    "explain_score": {"task": "cancel an order", "symbol": "Order.cancel"},
    "find_symbol": {"query": "Order.cancel"},
    "get_index_status": {},
}
"""Every tool with arguments that make sense in the shop."""

SHOP = {
    "shop/orders.py": '''
        """Orders."""
        from shop.payments import refund


        class Order:
            def __init__(self, total):
                self.total = total

            def cancel(self):
                """Cancels the order and gives the money back."""
                return refund(self.total)
        ''',
    "shop/payments.py": '''
        def refund(amount):
            """Pays money back."""
            return -amount
        ''',
    "shop/api.py": """
        from shop.orders import Order


        def cancel_order(total):
            return Order(total).cancel()
        """,
    "tests/test_orders.py": """
        from shop.orders import Order


        def test_cancel():
            assert Order(3).cancel() == -3
        """,
}


@dataclass(frozen=True)
class Answer:
    """What a tool has returned."""

    fields: dict[str, Any]
    text: str
    is_error: bool

    @property
    def tokens(self) -> int:
        """Not fewer than a tokenizer would count, for both forms together."""
        return (len(json.dumps(self.fields).encode()) + len(self.text.encode())) // 3


class Agent:
    """A connected client that checks each answer against the schema of its tool."""

    def __init__(self, client: Client, schemas: dict[str, dict[str, Any]]) -> None:
        self.client = client
        self.schemas = schemas

    async def ask(self, tool: str, **arguments: object) -> Answer:
        found = await self.client.call_tool(tool, arguments)
        text = "".join(getattr(part, "text", "") for part in found.content)
        fields = found.structured_content or {}
        if not found.is_error:
            jsonschema.validate(fields, self.schemas[tool])
        return Answer(fields=fields, text=text, is_error=bool(found.is_error))


def command(root: Path, index_dir: Path) -> list[str]:
    places = ["--root", str(root), "--index-dir", str(index_dir)]
    return [sys.executable, "-m", "knowing", "mcp", *places]


@asynccontextmanager
async def agent(root: Path, index_dir: Path) -> AsyncIterator[Agent]:
    """A client and its server."""
    first, *rest = command(root, index_dir)
    started = StdioServerParameters(command=first, args=rest, cwd=REPOSITORY)
    async with Client(stdio_client(started)) as client:
        tools = (await client.list_tools()).tools
        yield Agent(client, {tool.name: tool.output_schema or {} for tool in tools})


async def until_fresh(asked: Agent, **arguments: object) -> Answer:
    """The status once the index is complete; each question starts a run if none is under way."""
    while True:
        found = await asked.ask("get_index_status", **arguments)
        if found.fields["state"] == "fresh":
            return found
        await asked.ask("find_symbol", query="anything", **arguments)


def read_in_part(root: Path, index_dir: Path) -> None:
    """Leaves an index behind whose making was stopped when all files had been read."""
    with Engine.open(root, index_dir=index_dir) as engine:
        engine.index(history=False)
        snapshots = engine.folder / "snapshots"
        for path in sorted(snapshots.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
