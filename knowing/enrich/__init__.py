"""ENRICH: language servers are asked what the syntax leaves open, in the background.

`Enricher` finds servers, asks them file by file and hands out `FileAnswers`; `apply` lays answers
over a graph; `import_scip` brings the same kind of answers from an index that a compiler wrote;
`disagreements` tells where the syntax was read wrongly. Nothing here writes, and whatever goes
wrong with a server leaves the graph as it was.
"""

from knowing.enrich.answers import Answer, External, FileAnswers, Inside
from knowing.enrich.apply import Enriched, apply
from knowing.enrich.disagreements import Disagreement, Verdict, disagreements, tally
from knowing.enrich.links import outdated
from knowing.enrich.load import Limits
from knowing.enrich.scip import Imported, ScipError, import_scip
from knowing.enrich.session import Enricher, Options, Work
from knowing.enrich.status import LanguageStatus, Progress, RunReport, State, Use

__all__ = [
    "Answer",
    "Disagreement",
    "Enriched",
    "Enricher",
    "External",
    "FileAnswers",
    "Imported",
    "Inside",
    "LanguageStatus",
    "Limits",
    "Options",
    "Progress",
    "RunReport",
    "ScipError",
    "State",
    "Use",
    "Verdict",
    "Work",
    "apply",
    "disagreements",
    "import_scip",
    "outdated",
    "tally",
]
