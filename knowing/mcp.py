"""The server for agents: six tools and two resources over the Model Context Protocol.

All tools only read. Each has one fixed output schema and gives the same answer twice: as fields,
and as text that reads well in a chat. An answer says when it comes from an index that is being
made, and stays below what clients accept.
"""

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from knowing import mcp_answers as answers
from knowing import mcp_values as values
from knowing.errors import AmbiguousError, KnowingError
from knowing.mcp_workspaces import Workspace, Workspaces

logger = logging.getLogger(__name__)

T = TypeVar("T")

_DEADLINE_SECONDS = 3.0
"""By when the process is gone once its client is, whatever it is at."""
_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_INSTRUCTIONS = """\
knowing has a graph of this code base. Begin a task with get_task_context: it returns the source \
of the symbols that matter, so that you need not search. Before you change a symbol ask \
get_blast_radius; after changes ask get_change_context for the tests to run. An answer whose \
index.state is `indexing` or whose `complete` is false may lack something: its notes and reasons \
say what."""


def serve(root: Path, index_dir: Path | None = None) -> None:
    """Answers on standard input and output until the client is gone."""
    workspaces = Workspaces(root, index_dir)
    server = create_server(workspaces)
    workspaces.at(None).ready(patience=0.0)
    try:
        server.run("stdio")
    finally:
        # A question that is still being answered has nobody left to answer.
        timer = threading.Timer(_DEADLINE_SECONDS, os._exit, (0,))
        timer.daemon = True
        timer.start()
        workspaces.close()


def create_server(workspaces: Workspaces) -> MCPServer[Any]:
    """A server with its tools and resources."""
    server: MCPServer[Any] = MCPServer(
        "knowing", instructions=_INSTRUCTIONS, version=_version(), log_level="WARNING"
    )
    _add_context_tools(server, workspaces)
    _add_symbol_tools(server, workspaces)
    _add_status(server, workspaces)
    return server


def _add_context_tools(server: MCPServer[Any], workspaces: Workspaces) -> None:
    @server.tool(title="Context for a task", annotations=_READS, structured_output=True)
    def get_task_context(
        task: str, root: str | None = None, budget: int = answers.BUDGET, limit: int = answers.LIMIT
    ) -> Annotated[CallToolResult, values.ContextResult]:
        """The source of the symbols that matter for a task, ranked and packed into a token budget.

        Call it first, with the task in plain words as it was given (an issue's text will do);
        names of symbols, files and error messages in it help. `text` holds the code, `symbols`
        says why each one is there. `root` is the folder of the code base, by default the one that
        the server was started for. `budget` is in tokens, at most 7500.
        """
        return _told(
            workspaces, root, lambda place: answers.task_context(place, task, budget, limit)
        )

    @server.tool(title="Context for a change", annotations=_READS, structured_output=True)
    def get_change_context(
        base: str = "HEAD",
        root: str | None = None,
        budget: int = answers.BUDGET,
        limit: int = answers.LIMIT,
    ) -> Annotated[CallToolResult, values.ChangeResult]:
        """What has changed since a revision: symbols, tests to run, code that is affected.

        `base` is a branch, tag or commit; what is compared with it are the files as they are,
        uncommitted ones too. `A..B` compares two revisions. `test_commands` can be run as they
        are; `untested` names changed symbols that no known test runs.
        """
        return _told(
            workspaces, root, lambda place: answers.change_context(place, base, budget, limit)
        )


def _add_symbol_tools(server: MCPServer[Any], workspaces: Workspaces) -> None:
    @server.tool(title="Blast radius of a symbol", annotations=_READS, structured_output=True)
    def get_blast_radius(
        symbol: str, root: str | None = None, depth: int = answers.DEPTH
    ) -> Annotated[CallToolResult, values.BlastResult]:
        """Who is affected when a symbol changes: callers, overriders, tests, with the lines.

        Ask before you change a signature or behaviour. `symbol` is a name path such as
        `Client.send`, `path::Client.send` or `path:line`. `complete` says whether `direct` holds
        all uses; if it is false, `reasons` and `possible` say what may be missing.
        """
        return _told(workspaces, root, lambda place: answers.blast_radius(place, symbol, depth))

    @server.tool(title="Why a symbol is ranked", annotations=_READS, structured_output=True)
    def explain_score(
        task: str, symbol: str, root: str | None = None
    ) -> Annotated[CallToolResult, values.ScoreResult]:
        """Why a symbol is in the context for a task, or is not: the parts of its score.

        `rank` is null for a symbol that was not returned; `verdict` says why in a sentence.
        """
        return _told(workspaces, root, lambda place: answers.score(place, task, symbol))

    @server.tool(title="Find symbols", annotations=_READS, structured_output=True)
    def find_symbol(
        query: str, root: str | None = None, limit: int = answers.LIMIT
    ) -> Annotated[CallToolResult, values.SymbolsResult]:
        """Symbols by name, by place (`path:line`) or by words that describe them.

        The first `exact` ones bear the name; the others fit the words. Their `qualified_name`
        can be given to the other tools.
        """
        return _told(workspaces, root, lambda place: answers.symbols(place, query, limit))


def _add_status(server: MCPServer[Any], workspaces: Workspaces) -> None:
    @server.tool(title="Status of the index", annotations=_READS, structured_output=True)
    def get_index_status(
        root: str | None = None,
    ) -> Annotated[CallToolResult, values.StatusResult]:
        """What is indexed, how current that is, and which files are left out and why."""
        return _told(workspaces, root, answers.status)

    @server.resource(
        "knowing://status", name="status", mime_type="application/json", title="Status of the index"
    )
    def status_resource() -> dict[str, Any]:
        """What is indexed of the folder that the server was started for."""
        return asdict(answers.status(workspaces.at(None))[0])

    @server.resource("knowing://map", name="map", mime_type="text/markdown", title="Module map")
    def map_resource() -> str:
        """The modules of the code base, what joins them, and their key symbols."""
        return answers.overview(workspaces.at(None))


def _told(
    workspaces: Workspaces, root: str | None, ask: Callable[[Workspace], tuple[Any, str]]
) -> CallToolResult:
    """An answer in both forms; errors that a user can mend reach the model as such."""
    try:
        found, text = ask(workspaces.at(root))
    except KnowingError as error:
        raise ToolError(_in_words(error)) from error
    except RecursionError as error:
        raise ToolError("nested too deeply") from error
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=asdict(found)
    )


def _in_words(error: KnowingError) -> str:
    lines = [str(error)]
    if isinstance(error, AmbiguousError):
        lines += [f"  {candidate}" for candidate in error.candidates]
    return "\n".join([*lines, *filter(None, [error.hint])])


def _version() -> str:
    try:
        return version("knowing")
    except PackageNotFoundError:
        return "0"
