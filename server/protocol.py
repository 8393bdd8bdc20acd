"""Names of everything that is not in the standard protocol."""

PREFIX = "knowing/"

CONTEXT = "knowing/context"
CONTEXT_FOR_SELECTION = "knowing/contextForSelection"
CONTEXT_FOR_CHANGES = "knowing/contextForChanges"
BLAST_RADIUS = "knowing/blastRadius"
PENDING_EDIT = "knowing/pendingEdit"
EXPLAIN = "knowing/explain"
RELATED = "knowing/related"
SEARCH = "knowing/search"
MAP = "knowing/map"
STATUS = "knowing/status"
FEEDBACK = "knowing/feedback"

INDEX_CHANGED = "knowing/indexChanged"

REINDEX_COMMAND = "knowing.reindex"
ENRICH_COMMAND = "knowing.enrich"

COMMANDS = {
    "knowing.contextForTask": CONTEXT,
    "knowing.contextForSelection": CONTEXT_FOR_SELECTION,
    "knowing.contextForChanges": CONTEXT_FOR_CHANGES,
    "knowing.blastRadius": BLAST_RADIUS,
    "knowing.pendingEdit": PENDING_EDIT,
    "knowing.explainScore": EXPLAIN,
    "knowing.relatedSymbols": RELATED,
    "knowing.search": SEARCH,
    "knowing.map": MAP,
    "knowing.status": STATUS,
    "knowing.feedback": FEEDBACK,
}
"""Each request as a command, for editors that can run commands only."""

SECTION = "knowing"
"""Of the settings in an editor."""
