"""One way to miss a use: files, the symbol that is asked about, what the answer has to say."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    mode: str
    language: str
    files: Mapping[str, str]
    symbol: str
    caller: str = ""
    place: str = ""
    code: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)
