"""Every request and command, as VS Code, Neovim and the least able client ask for them."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from server import protocol
from tests.server.talking import at, environment
from tests.server.workspaces import repository

pytestmark = pytest.mark.asyncio(loop_scope="module")

CLIENTS = {
    "vscode": "visual_studio_code",
    "neovim": "neovim",
    "minimal": "",
}


class Session(NamedTuple):
    """A client that is connected, and the workspace it shows."""

    client: LanguageClient
    root: Path
    early: Any
    """What it was answered before anything was indexed."""

    async def ask(self, method: str, **params: Any) -> Any:
        return plain(await self.client.protocol.send_request_async(method, params))

    async def run(self, name: str, **argument: Any) -> Any:
        params = lsp.ExecuteCommandParams(command=name, arguments=[argument])
        return plain(await self.client.workspace_execute_command_async(params))

    def at(self, path: str, needle: str, occurrence: int = 0) -> Any:
        return at(self.root / path, needle, occurrence)

    def place(self, path: str, needle: str, occurrence: int = 0) -> dict[str, Any]:
        """The same for requests that are typed."""
        given = self.at(path, needle, occurrence)
        return {
            "text_document": lsp.TextDocumentIdentifier(given["textDocument"]["uri"]),
            "position": lsp.Position(**given["position"]),
        }


def plain(value: Any) -> Any:
    """Results of methods that the client does not know come as tuples with names."""
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest_asyncio.fixture(params=CLIENTS, scope="module", loop_scope="module")
async def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Session]:
    folder = tmp_path_factory.mktemp(request.param)
    root = repository(folder / "work")
    config = ClientServerConfig(
        server_command=[
            *(sys.executable, "-P", "-m", "server", "--stdio"),
            *("--index-dir", str(folder / "index")),
        ],
        server_env=environment(),
    )
    client = await config.start()
    assert isinstance(client, LanguageClient)
    states: list[Any] = []
    client.feature(protocol.INDEX_CHANGED)(lambda params: states.append(plain(params)))
    name = CLIENTS[request.param]
    able = client_capabilities(name) if name else lsp.ClientCapabilities()
    folders = [lsp.WorkspaceFolder(uri=root.as_uri(), name="work")]
    await client.initialize_session(
        lsp.InitializeParams(capabilities=able, workspace_folders=folders, root_uri=root.as_uri())
    )
    early = plain(
        await client.protocol.send_request_async(protocol.CONTEXT, {"task": "place an order"})
    )
    while not states or states[-1]["index"]["state"] != "fresh":
        await client.wait_for_notification(protocol.INDEX_CHANGED)
    yield Session(client, root, early)
    await client.shutdown_session()
    await client.stop()


async def test_it_answers_before_anything_is_indexed(session: Session) -> None:
    assert session.early["index"]["state"] in ("indexing", "fresh")
    assert session.early["symbols"] or session.early["notes"]


async def test_context_in_all_its_forms(session: Session) -> None:
    asked = await session.ask("knowing/context", task="place an order", budget=2000)
    assert asked["symbols"][0]["name"] == "place_order"
    assert asked["budget"]["used"] <= asked["budget"]["tokens"] == 2000
    assert asked["index"]["state"] == "fresh"
    assert asked["markdown"] == asked["text"] != ""
    ran = await session.run("knowing.contextForTask", task="place an order", budget=2000)
    assert ran == asked
    xml = await session.ask("knowing/context", task="place an order", format="xml")
    assert xml["text"].lstrip().startswith("<")
    files = await session.run("knowing.contextForTask", files=["store.py"])
    assert files["symbols"][0]["path"] == "store.py"

    (session.root / "shop.py").write_text(
        (session.root / "shop.py").read_text("utf-8").replace("-number", "0 - number"), "utf-8"
    )
    changes = await session.run("knowing.contextForChanges", base="HEAD")
    names = [item["name"] for item in changes["symbols"]]
    assert "cancel_order" in names


async def test_context_for_a_selection_weighs_cursor_diagnostics_and_open_files(
    session: Session,
) -> None:
    place = session.at("store.py", "check_number", 1)
    cursor = await session.run("knowing.contextForSelection", **place)
    assert cursor["symbols"][0]["name"] == "OrderStore.check_number"
    assert "OrderStore.save_order" in [item["name"] for item in cursor["symbols"]]
    wrong = session.at("shop.py", "place_order(", 1)["position"]
    diagnostic = {
        "uri": (session.root / "shop.py").as_uri(),
        "range": {"start": wrong, "end": wrong},
        "message": "wrong",
    }
    both = await session.ask(
        "knowing/contextForSelection", **place, diagnostics=[diagnostic], budget=3000
    )
    names = [item["name"] for item in both["symbols"]]
    assert names[0] == "OrderStore.check_number"
    assert "cancel_order" in names
    opened = await session.ask(
        "knowing/contextForSelection",
        **place,
        openDocuments=[(session.root / "tests" / "test_shop.py").as_uri()],
    )
    assert "test_place_order" in [item["name"] for item in opened["symbols"]]


async def test_blast_radius_by_name_and_by_place(session: Session) -> None:
    named = await session.run("knowing.blastRadius", symbol="OrderStore.save_order")
    assert [item["name"] for item in named["direct"]] == ["place_order"]
    assert named["direct"][0]["via"] == {"edge": "calls", "path": "shop.py", "line": 9}
    assert [item["name"] for item in named["tests"]] == ["test_place_order"]
    assert {"level", "score", "parts"} <= set(named["risk"])
    assert "place_order" in named["markdown"]
    # At a use, the symbol that is used is meant; elsewhere the one around.
    used = await session.ask("knowing/blastRadius", **session.at("shop.py", "save_order"))
    assert used["symbol"]["name"] == "OrderStore.save_order"
    around = await session.ask("knowing/blastRadius", **session.at("shop.py", "store = "))
    assert around["symbol"]["name"] == "place_order"
    nobody = await session.ask("knowing/blastRadius", symbol="cancel_order")
    assert nobody["direct"] == []
    assert nobody["reasons"]


async def test_explanations_relations_search_map_and_status(session: Session) -> None:
    why = await session.run(
        "knowing.explainScore", task="place an order", **session.at("shop.py", "place_order")
    )
    assert why["symbol"] == "shop.py::place_order"
    assert why["rank"] == 1
    assert sum(part["value"] for part in why["parts"]) == pytest.approx(why["score"])
    related = await session.run("knowing.relatedSymbols", symbol="place_order")
    assert "OrderStore.save_order" in [item["name"] for item in related["items"]]
    assert "shop.py" not in related["query"]
    found = await session.run("knowing.search", query="save order", mode="keyword")
    assert found["items"][0]["name"] == "OrderStore.save_order"
    link = (session.root / "store.py").as_uri()
    assert f"]({link}#L" in found["markdown"]
    files = await session.run("knowing.search", query="store", what="files")
    assert files["items"][0]["path"] == "store.py"
    overview = await session.run("knowing.map", budget=500)
    assert overview["budget"]["used"] <= 500
    assert "OrderStore" in overview["markdown"]
    status = await session.run("knowing.status")
    assert status["files"] == 3
    assert status["by_language"] == {"python": 3}
    assert status["indexing"] is False


async def test_feedback_is_noted_shown_and_taken_back(session: Session) -> None:
    task = "where are orders placed"
    pinned = await session.ask(
        "knowing/feedback", symbol="place_order", deed="pinned", task=task, root=str(session.root)
    )
    assert pinned["accepted"], pinned["reason"]
    found = await session.ask("knowing/explain", task=task, symbol="place_order")
    assert found["rank"] == 1
    assert "pins" in {part["name"] for part in found["parts"]}
    undone = await session.run(
        "knowing.feedback", symbol="place_order", deed="pinned", task=task, undo=True
    )
    assert undone["accepted"]
    found = await session.ask("knowing/explain", task=task, symbol="place_order")
    assert "pins" not in {part["name"] for part in found["parts"]}
    used = await session.run("knowing.feedback", text="nothing that was shown")
    assert used["accepted"] is False
    with pytest.raises(Exception, match="is missing"):
        await session.ask("knowing/feedback", deed="opened")


async def test_what_is_not_there_is_said(session: Session) -> None:
    again = await session.run("knowing.reindex")
    assert again["started"] == [session.root.as_uri()]
    with pytest.raises(Exception, match="no symbol is called 'place_ordr'"):
        await session.ask("knowing/blastRadius", symbol="place_ordr")
    with pytest.raises(Exception, match="no such command"):
        await session.run("knowing.nothing")


async def test_hover_is_a_few_lines_with_links(session: Session) -> None:
    for place in (
        session.place("shop.py", "place_order"),
        session.place("tests/test_shop.py", "place_order", 2),
    ):
        hover = await session.client.text_document_hover_async(lsp.HoverParams(**place))
        assert hover is not None
        assert isinstance(hover.contents, lsp.MarkupContent)
        text = hover.contents.value
        assert text.startswith("**place_order** — function")
        assert "1 caller · " in text
        assert "1 test" in text
        assert f"]({(session.root / 'store.py').as_uri()}#L" in text
        assert len(text.splitlines()) <= 6
    keyword = session.place("shop.py", "from")
    assert await session.client.text_document_hover_async(lsp.HoverParams(**keyword)) is None


async def test_lenses_are_counted_when_they_are_shown(session: Session) -> None:
    document = lsp.TextDocumentIdentifier((session.root / "shop.py").as_uri())
    lenses = await session.client.text_document_code_lens_async(lsp.CodeLensParams(document))
    assert lenses is not None
    assert len(lenses) == 2
    assert all(lens.command is None for lens in lenses)
    assert lenses[0].range.start == lsp.Position(5, 4)
    shown = await session.client.code_lens_resolve_async(lenses[0])
    assert shown.command is not None
    assert shown.command.title.startswith("1 caller · ")
    assert shown.command.command == "knowing.blastRadius"
    assert shown.command.arguments
    found = await session.run(shown.command.command, **plain(shown.command.arguments[0]))
    assert found["symbol"]["name"] == "place_order"
    assert session.client.shown_documents or session.client.messages


async def test_calls_in_both_directions(session: Session) -> None:
    place = session.place("shop.py", "save_order")
    items = await session.client.text_document_prepare_call_hierarchy_async(
        lsp.CallHierarchyPrepareParams(**place)
    )
    assert items is not None
    assert [item.name for item in items] == ["OrderStore.save_order"]
    calls = await session.client.call_hierarchy_incoming_calls_async(
        lsp.CallHierarchyIncomingCallsParams(items[0])
    )
    assert calls is not None
    assert [call.from_.name for call in calls] == ["place_order"]
    start = lsp.Position(8, 10)
    assert list(calls[0].from_ranges) == [lsp.Range(start, lsp.Position(8, 20))]
    out = await session.client.call_hierarchy_outgoing_calls_async(
        lsp.CallHierarchyOutgoingCallsParams(items[0])
    )
    assert out is not None
    assert [call.to.name for call in out] == ["OrderStore.check_number"]


async def test_symbols_of_a_document_and_of_the_workspace(session: Session) -> None:
    document = lsp.TextDocumentIdentifier((session.root / "store.py").as_uri())
    found = await session.client.text_document_document_symbol_async(
        lsp.DocumentSymbolParams(document)
    )
    assert found
    first = found[0]
    assert first.name == "OrderStore"
    assert first.kind == lsp.SymbolKind.Class
    if isinstance(first, lsp.DocumentSymbol):
        assert [child.name for child in first.children or []] == ["save_order", "check_number"]
        assert first.range.end.line == 11
    else:
        assert [item.name for item in found] == ["OrderStore", "save_order", "check_number"]
    everywhere = await session.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("ORDER"))
    assert everywhere
    assert "place_order" in [item.name for item in everywhere]
