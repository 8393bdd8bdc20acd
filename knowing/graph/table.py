"""Edges as parallel columns."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ids, Ints, Mask, pair
from knowing.model import ORIGIN_CONFIDENCE, EdgeKind, Origin

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTable:
    """Parallel columns; `file` and `line` are the site, -1 and 0 where there is none."""

    source: Ids
    target: Ids
    kind: Bytes
    origin: Bytes
    confidence: Floats
    file: Ids
    line: Ids

    def __len__(self) -> int:
        return len(self.source)

    @classmethod
    def of(
        cls,
        source: Ids | Ints,
        target: Ids | Ints,
        kind: EdgeKind | Bytes,
        origin: Origin | Bytes,
        *,
        confidence: float | Floats | None = None,
        file: Ids | None = None,
        line: Ids | None = None,
    ) -> Self:
        """A table from columns and constants."""
        size = len(source)
        origins = np.broadcast_to(np.asarray(origin, dtype=np.uint8), size)
        if confidence is None:
            confidence = _CONFIDENCE[origins]
        return cls(
            source=np.asarray(source, dtype=np.int32),
            target=np.asarray(target, dtype=np.int32),
            kind=np.broadcast_to(np.asarray(kind, dtype=np.uint8), size),
            origin=origins,
            confidence=np.broadcast_to(np.asarray(confidence, dtype=np.float32), size),
            file=np.full(size, -1, np.int32) if file is None else file.astype(np.int32),
            line=np.zeros(size, np.int32) if line is None else line.astype(np.int32),
        )

    @classmethod
    def concatenate(cls, tables: list[Self]) -> Self:
        return cls(
            **{
                item.name: np.concatenate([getattr(table, item.name) for table in tables])
                for item in fields(cls)
            }
        )

    def take(self, rows: Ints | Mask) -> Self:
        return type(self)(**{item.name: getattr(self, item.name)[rows] for item in fields(self)})

    def renumbered(self, numbers: Ids) -> Self:
        """The same edges between symbols that have got other numbers."""
        columns = {item.name: getattr(self, item.name) for item in fields(self)}
        columns["source"] = numbers[self.source]
        columns["target"] = numbers[self.target]
        return type(self)(**columns)

    def canonical(self) -> Self:
        """Sorted by source, target, kind, file and line, one row for each of these."""
        ends = pair(self.source, self.target)
        site = (self.kind.astype(np.int64) << 56) | pair(self.file + 1, self.line)
        order = np.lexsort((site, ends))
        ends, site = ends[order], site[order]
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (ends[1:] != ends[:-1]) | (site[1:] != site[:-1])
        return self.take(order if fresh.all() else order[fresh])


_CONFIDENCE = np.array([ORIGIN_CONFIDENCE[origin] for origin in Origin], dtype=np.float32)
