"""`python -m eval peers`: this engine beside baselines and peers, one table.

Each system ranks in a process of its own, one after the other. Of this engine and the baselines,
memory is the most that this process held, for indexing and answering together; of the peers, what
their own indexing held. Times of one run on one machine: compare within the table only.
"""

import argparse
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from eval import measure
from eval.failure import EvalError
from eval.index import PROJECT
from eval.metrics import BY_KEY
from eval.plot import bars
from eval.rank import OWN
from eval.report import ALL, Report, score_all, table
from eval.results import Costs, read_costs, read_rankings, write_text
from eval.systems import PREDECESSOR, SYSTEMS
from eval.tasks import Task, chosen, read_tasks

QUALITY = ("P@10", "R@10", "nDCG", "MRR", "sR@10", "snDCG", "zero", "szero")
RUN_SECONDS = 7200
MB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One system on all tasks."""

    name: str
    report: Report
    costs: Costs
    peak: int

    @property
    def milliseconds(self) -> float:
        """Half of the answers came within this time."""
        return statistics.median(cost.milliseconds for cost in self.costs.tasks.values())


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("peers", help="this engine beside others, on the same tasks")
    parser.add_argument("--tasks", type=Path, required=True, help="file or folder of tasks")
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--repo", action="append", help="only this repository")
    parser.add_argument("--system", action="append", help="only this system, besides our own")
    parser.add_argument("--predecessor", type=Path, help="binary of the Go predecessor")
    parser.add_argument("--output", type=Path, help="folder for rankings, peers.md and peers.svg")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure one system after the other; one that fails is said and left out."""
    tasks = chosen(read_tasks(options.tasks), options.repo)
    names = [OWN, *(options.system or SYSTEMS)]
    if options.predecessor:
        names.append(f"{PREDECESSOR}{options.predecessor.resolve()}")
    rows, failures = [], []
    with TemporaryDirectory(prefix="knowing-peers-") as temporary:
        folder: Path = options.output or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            print(f"{name} ...", file=sys.stderr, flush=True)
            try:
                rows.append(_measured(name, tasks, options, folder))
            except EvalError as error:
                failures.append(f"{name} failed: {error}")
        text = "\n".join([as_markdown(rows), *failures])
        write_text(folder / "peers.md", text + "\n")
        write_text(folder / "peers.svg", as_plot(rows))
    print(text)
    return 0


def _measured(
    name: str, tasks: Sequence[Task], options: argparse.Namespace, folder: Path
) -> Measured:
    label = name.partition(":")[0]
    ranking, costs = folder / f"{label}.ranking.json", folder / f"{label}.costs.json"
    command = [sys.executable, "-m", "eval", "rank", "--system", name]
    command += ["--tasks", str(options.tasks.resolve()), "--corpus", str(options.corpus.resolve())]
    command += ["--output", str(ranking.resolve()), "--costs", str(costs.resolve())]
    command += [part for repo in options.repo or () for part in ("--repo", repo)]
    usage = measure.run(command, RUN_SECONDS, PROJECT)
    spent = read_costs(costs)
    own_peak = max((cost.peak for cost in spent.repos.values()), default=0)
    return Measured(
        name=label,
        report=score_all(tasks, read_rankings(ranking), spent.tasks),
        costs=spent,
        peak=own_peak or usage.peak_process,
    )


def as_markdown(rows: Sequence[Measured]) -> str:
    """One row for each system."""
    titles = [BY_KEY[key].title for key in QUALITY]
    costs = ["index CPU s", "memory MB", "index MB", "query ms"]
    return table(["system", "tasks", *titles, *costs], [_cells(row) for row in rows])


def _cells(row: Measured) -> list[str]:
    group = row.report.overall[ALL]
    quality = [
        str(round(group.means[key] * group.tasks)) if "zero" in key else f"{group.means[key]:.3f}"
        for key in QUALITY
    ]
    repos = row.costs.repos.values()
    return [
        row.name,
        str(group.tasks),
        *quality,
        f"{sum(cost.cpu for cost in repos):.1f}",
        f"{row.peak / MB:.0f}",
        f"{sum(cost.disk for cost in repos) / MB:.1f}",
        f"{row.milliseconds:.1f}",
    ]


def as_plot(rows: Sequence[Measured]) -> str:
    """Strict figures of each system."""
    keys = ("sR@10", "snDCG")
    found = {
        row.name: {BY_KEY[key].title: row.report.overall[ALL].means[key] for key in keys}
        for row in rows
    }
    return bars("Systems on the same tasks", found)
