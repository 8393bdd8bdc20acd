"""RETRIEVE: a task in plain words to the symbols that matter for it, ranked and explained.

`prepare` makes what is looked up, once for each view; `index_past` does so for the history; `rank`
runs the stages of `pipeline` over them. Everything is a pure function of its arguments.
"""

from knowing.retrieve.around import rank_around
from knowing.retrieve.explain import Account, account
from knowing.retrieve.learned import Learned
from knowing.retrieve.past import Past, index_past
from knowing.retrieve.pipeline import Gathered, gather, rank, settle
from knowing.retrieve.prepared import FORMAT, Prepared, prepare
from knowing.retrieve.ranking import Hit, Ranking
from knowing.retrieve.search import Mode, What
from knowing.retrieve.tuning import DEFAULT, Tuning

__all__ = [
    "DEFAULT",
    "FORMAT",
    "Account",
    "Gathered",
    "Hit",
    "Learned",
    "Mode",
    "Past",
    "Prepared",
    "Ranking",
    "Tuning",
    "What",
    "account",
    "gather",
    "index_past",
    "prepare",
    "rank",
    "rank_around",
    "settle",
]
