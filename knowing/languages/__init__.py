"""Languages as data: each folder here describes one language and nothing but data is in it.

`load_languages()` reads every `language.toml` below the package (and below one extra folder, if
given) into `Language` values; `tags.scm` stays text until `knowing.parse` compiles it. A new
language is a new folder, here or outside: see docs/add-a-language.md.
"""

from knowing.languages.language import Language, ServicePattern
from knowing.languages.registry import Registry, load_languages

__all__ = ["Language", "Registry", "ServicePattern", "load_languages"]
