"""`python -m eval bench index`: what indexing costs, set against parsing alone.

Everything happens in a throw-away copy of the repository's files. Printed are the processor
seconds of tree-sitter parsing the files of the index, of a full index without history, and their
ratio, each in one process so that cores which share their units do not count twice; parsing is
measured before and after, the better of two runs each, and averaged. Memory, time and processor
seconds with all workers come from a run of its own. Last, what updating one edited file costs,
over files chosen by a fixed seed.
"""

import argparse
import json
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tree_sitter import Parser
from tree_sitter_language_pack import get_language

from eval import measure
from eval.edits import EDITS, editable
from eval.failure import EvalError
from eval.index import INDEX_SECONDS, PROJECT, Index, Symbol, command
from knowing.languages import Registry, load_languages
from knowing.settings import Settings

NOT_COPIED = (".git", ".venv", "node_modules", "__pycache__")
VENDORED = ("vendor",)
SEED = 20
PARSE_RUNS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsing:
    """Parsing alone."""

    files: int
    bytes: int
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """One edited file brought into the index; milliseconds."""

    path: str
    edit: str
    cpu: float
    wall: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """All that one run measures."""

    repo: str
    parsing: Parsing
    index: measure.Usage
    parallel_cpu: float
    """Processor seconds of the run with all workers."""
    disk: int
    symbols: int
    updates: tuple[Update, ...]

    @property
    def ratio(self) -> float:
        return self.index.cpu / self.parsing.cpu if self.parsing.cpu else 0.0


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("bench", help="measure what the engine costs")
    kinds = parser.add_subparsers(dest="what", required=True)
    index = kinds.add_parser("index", help="full index against parsing alone; one-file updates")
    index.add_argument("--repo", type=Path, required=True, help="repository, never written to")
    index.add_argument("--no-vendor", action="store_true", help="leave out vendored folders")
    index.add_argument("--updates", type=int, default=40, help="how many files are edited")
    index.add_argument("--json", action="store_true")
    index.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    repository: Path = options.repo.resolve()
    if not repository.is_dir():
        raise EvalError(f"no such folder: {repository}")
    left_out = (*NOT_COPIED, *(VENDORED if options.no_vendor else ()))
    with tempfile.TemporaryDirectory(prefix="knowing-bench-") as folder:
        copy = Path(folder).resolve() / repository.name
        shutil.copytree(
            repository,
            copy,
            symlinks=True,
            ignore=shutil.ignore_patterns(*left_out),
        )
        result = _measure(repository, copy, Path(folder) / "index", options.updates)
    print(json.dumps(as_json(result)) if options.json else as_text(result))
    return 0


def _measure(repository: Path, copy: Path, folder: Path, updates: int) -> Result:
    where = ("--root", str(copy), "--index-dir", str(folder))
    index = ("index", "--full", "--no-history", "--json", *where)
    parallel = measure.run(command(*index), INDEX_SECONDS, PROJECT)
    disk = measure.folder_size(folder)
    symbols = Index(copy, folder).symbols()
    registry = load_languages()
    paths = sorted({symbol.path for symbol in symbols})
    before = parse_alone(copy, paths, registry)
    alone = measure.run(command(*index, "--set", "index.workers=1"), INDEX_SECONDS, PROJECT)
    after = parse_alone(copy, paths, registry)
    return Result(
        repo=str(repository),
        parsing=replace(before, cpu=(before.cpu + after.cpu) / 2),
        index=replace(parallel, cpu=alone.cpu),
        parallel_cpu=parallel.cpu,
        disk=disk,
        symbols=len(symbols),
        updates=tuple(update_files(copy, folder, symbols, registry, updates)),
    )


def parse_alone(root: Path, paths: Iterable[str], registry: Registry) -> Parsing:
    """Parse files with tree-sitter and throw the trees away."""
    parsers: dict[str, Parser] = {}
    work: list[tuple[Parser, bytes]] = []
    for path in paths:
        language = registry.for_path(path)
        file = root / path
        if language is None or not language.grammar or not file.is_file():
            continue
        if language.grammar not in parsers:
            grammar = get_language(language.grammar)  # type: ignore[arg-type]
            parsers[language.grammar] = Parser(grammar)
        work.append((parsers[language.grammar], file.read_bytes()))
    times = []
    for _ in range(PARSE_RUNS):
        started = time.process_time()
        for parser, text in work:
            parser.parse(text)
        times.append(time.process_time() - started)
    return Parsing(files=len(work), bytes=sum(len(text) for _, text in work), cpu=min(times))


def update_files(
    root: Path, folder: Path, symbols: Sequence[Symbol], registry: Registry, count: int
) -> list[Update]:
    """Edit files one after another, each in one of the typical ways, and update after each."""
    from knowing.engine import Engine

    functions = editable(symbols)
    chance = random.Random(SEED)
    chosen = chance.sample(list(functions), min(count, len(functions)))
    updates = []
    with Engine.open(root, Settings(), folder) as engine:
        engine.index(full=False, history=False)
        for number, path in enumerate(chosen):
            language = registry.for_path(path)
            function = chance.choice(functions[path])
            file = root / path
            text = file.read_bytes().decode("utf-8", errors="surrogateescape")
            edit = EDITS[number % len(EDITS)](text, function, language.name if language else "")
            file.write_bytes(edit.text.encode("utf-8", errors="surrogateescape"))
            cpu, started = _cpu_seconds(), time.perf_counter()
            engine.update([path])
            wall = time.perf_counter() - started
            cpu = _cpu_seconds() - cpu
            updates.append(Update(path=path, edit=edit.kind, cpu=cpu * 1000, wall=wall * 1000))
    return updates


def _cpu_seconds() -> float:
    """Processor time of this process and of the children it has waited for."""
    both = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def as_json(result: Result) -> dict[str, object]:
    """All figures; seconds, bytes and milliseconds."""
    index = asdict(result.index)
    index.pop("output")
    return {
        "repo": result.repo,
        "parsing": asdict(result.parsing),
        "index": {**index, "disk": result.disk, "symbols": result.symbols},
        "ratio": round(result.ratio, 3),
        "parallel_cpu": round(result.parallel_cpu, 3),
        "update_ms": {name: _spread(result.updates, name) for name in ("cpu", "wall")},
        "updates": [asdict(update) for update in result.updates],
    }


def _spread(updates: Sequence[Update], name: str) -> dict[str, float]:
    values = [float(getattr(update, name)) for update in updates]
    if not values:
        return {}
    shares = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    figures = {key: round(measure.percentile(values, share), 2) for key, share in shares.items()}
    return {**figures, "first": round(values[0], 2)}


def as_text(result: Result) -> str:
    """A table of the figures."""
    mb = 1 << 20
    index, parsing = result.index, result.parsing
    rows = [
        ("files parsed", f"{parsing.files} ({parsing.bytes / mb:.1f} MB)"),
        ("symbols", f"{result.symbols}"),
        ("parsing alone, CPU s", f"{parsing.cpu:.2f}"),
        ("full index, CPU s", f"{index.cpu:.2f}"),
        ("ratio", f"{result.ratio:.2f}"),
        ("full index with all workers, CPU s", f"{result.parallel_cpu:.2f}"),
        ("full index with all workers, wall s", f"{index.wall:.2f}"),
        ("peak memory, largest process MB", f"{index.peak_process / mb:.0f}"),
        ("peak memory, all processes MB", f"{index.peak_total / mb:.0f}"),
        ("index on disk MB", f"{result.disk / mb:.1f}"),
    ]
    for name in ("cpu", "wall"):
        spread = _spread(result.updates, name)
        text = ", ".join(f"{key} {value:.1f}" for key, value in spread.items()) or "no function"
        rows.append((f"one-file update, {name} ms ({len(result.updates)} files)", text))
    head = [f"| {result.repo} | |", "|---|---|"]
    return "\n".join(head + [f"| {name} | {value} |" for name, value in rows])
