"""How a definition looks on one line, for each family of languages.

Two readers use these shapes: git, which writes the enclosing definition into a hunk's header
(its diff drivers, chosen by an attributes file), and the patch parser, which finds definitions
on changed lines and takes the name out of a header. A suffix nobody lists here uses the shapes
most languages share.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# Identifiers may hold any non-ASCII letter: bytes above 0x7f count as such.
_W = r"[\w\x80-\xff]+"
_END = r"[^;\n]{0,400}(?=\n)"
_GENERIC = r"(?:<[^\n<>]{0,80}(?:<[^\n<>]{0,80}>)?[^\n<>]{0,80}>)?"

# Each shape opens with what its first word can be: nearly every line of a patch fails there.
_PYTHON = rf"""(?=def|class|async|(?<=[-+])[\w\x80-\xff])
    (?:(?:async[ \t]+)?def[ \t]+(?P<name>{_W})
    |class[ \t]+(?P<type>{_W})
    |(?<=[-+])(?P<variable>{_W})[ \t]*(?::[^=\n]{{0,120}})?=(?!=))"""

_GO = rf"""(?:func[ \t]+
        (?:\((?:{_W}[ \t]+)?\*?[ \t]*(?P<owner>{_W})(?:\[[^\]\n]{{0,80}}\])?\)[ \t]*)?
        (?P<name>{_W})
    |type[ \t]+(?P<type>{_W})
    |(?<=[-+])(?:var|const)[ \t]+(?P<variable>{_W}))"""

_RUST = rf"""(?=pub|fn|const|static|async|unsafe|extern|struct|enum|trait|union|type|mod|impl
        |macro_r|default)
    (?:pub(?:\([^)\n]{{0,40}}\))?[ \t]+)?(?:default[ \t]+)?
    (?:(?:(?:const|async|unsafe|extern(?:[ \t]+"[^"\n]{{0,20}}")?)[ \t]+)*
            fn[ \t]+(?P<name>{_W})
        |(?:unsafe[ \t]+)?(?:struct|enum|trait|union|type|mod)[ \t]+(?P<type>{_W})
        |(?:unsafe[ \t]+)?impl(?:<[^\n{{]{{0,200}}?>)?[ \t]+(?:[^\n{{]{{0,200}}[ \t]for[ \t]+)?
            (?:&[ \t]*)?(?:mut[ \t]+)?(?:{_W}::)*(?P<extended>{_W})
        |macro_rules![ \t]*(?P<macro>{_W})
        |(?:const|static)[ \t]+(?:mut[ \t]+)?(?P<variable>{_W})[ \t]*:)"""

_TYPED = r"(?:[A-Za-z_<][\]\[?<>.,\w]*[ \t]+)+"
_JAVA_WORDS = (
    r"(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp|case|implicit"
    r"|@[\w.]+)[ \t]+)*"
)
_NO_CALL = r"""(?!(?:if|for|while|switch|catch|return|else|do|new|throw|case|assert|import|package
    |yield|await|using|instanceof|goto|delete|typedef|extends|implements|throws|super|this|function
    |in|of|let|const|var|typeof|with)\b)"""

_JAVA = rf"""(?=[A-Za-z_<@][\]\[?<>.,\w]*[ \t])
    (?:{_JAVA_WORDS}(?:class|@?interface|enum|record|object|trait)[ \t]+(?P<type>{_W})
    |{_NO_CALL}{_TYPED}(?P<name>{_W})[ \t]*\({_END})"""

_KOTLIN = rf"""(?=[\w@]+[ \t])(?:(?!val\b|var\b|return\b|if\b)[\w@]+[ \t]+){{0,8}}?
    (?:fun[ \t]+{_GENERIC}[ \t]*(?:(?P<owner>{_W}){_GENERIC}\??\.)?(?P<name>{_W})
    |(?:class|interface|object|typealias)[ \t]+(?P<type>{_W})
    |const[ \t]+val[ \t]+(?P<variable>{_W}))"""

_CSHARP = rf"""(?:(?:[a-z]+[ \t]+){{0,8}}?
        (?:class|interface|struct|enum|record(?:[ \t]+(?:class|struct))?|namespace)[ \t]+
        (?:{_W}\.)*(?P<type>{_W})
    |{_NO_CALL}(?:[A-Za-z_(][\]\[?<>.,()\w]*[ \t]+)+(?:{_W}\.)?
        (?P<name>{_W}){_GENERIC}[ \t]*\({_END}
    |(?:public|private|protected|internal)[ \t]+(?:[A-Za-z_(][\]\[?<>.,()\w]*[ \t]+)+
        (?P<property>{_W})[ \t]*(?=\n|\{{|=>))"""

_RUBY = rf"""(?=def|class|module|p[ru]|[A-Z])(?:(?:private|protected|public|module_function)[ \t]+)?
    (?:def[ \t]+(?:self\.|(?P<owner>[A-Z]\w*)\.)?(?P<name>{_W}[?!]?)
    |(?:class|module)[ \t]+(?:::)?(?:{_W}::)*(?P<type>{_W})
    |(?P<variable>[A-Z][A-Z0-9_]+)[ \t]*=(?![=~]))"""

_PHP = rf"""(?:(?:abstract|final|public|private|protected|static|readonly)[ \t]+)*
    (?:function[ \t]+&?[ \t]*(?P<name>{_W})
    |(?:class|interface|trait|enum)[ \t]+(?P<type>{_W})
    |const[ \t]+(?P<variable>{_W})[ \t]*=)"""

_CPP = rf"""(?:\#[ \t]*define[ \t]+(?P<macro>{_W})
    |(?:template[ \t]*{_GENERIC}[ \t]*)?(?:typedef[ \t]+)?
        (?:class|struct|union|enum(?:[ \t]+(?:class|struct))?|namespace)[ \t]+
        (?:[A-Z_]+[ \t]+)?(?P<type>{_W})[ \t]*(?:final[ \t]*)?(?=[:{{\n])
    |{_NO_CALL}(?:(?<=[-+])|[A-Za-z_~](?:[\w:,*&\[\]~> \t]|<(?!<)){{0,200}}?[ \t*&])
        (?:(?P<owner>{_W}){_GENERIC}::)?(?P<name>~?{_W})[ \t]*\({_END})"""

_SCRIPT_WORDS = (
    r"(?:(?:export|default|declare|abstract|async|public|private|protected|static|readonly"
    r"|override|get|set)[ \t]+)*"
)
_NO_BLOCK = r"(?!(?:if|for|while|switch|catch|with|function|return|await|new|do|else)\b)"
_SCRIPT = rf"""{_SCRIPT_WORDS}
    (?:function[ \t]*\*?[ \t]*(?P<name>[\w$]+)
    |(?:class|interface|enum|namespace|module|type)[ \t]+(?P<type>[\w$]+)
    |(?:(?<=[-+])|(?<=export[ ]))(?:const|let|var)[ \t]+(?P<variable>[\w$]+)
    |(?:(?P<owner>[\w$]+)\.(?:prototype\.)?)?(?P<property>[\w$]+)[ \t]*[=:][ \t]*(?:async[ \t]*)?
        (?:function\b|\([^()\n]{{0,200}}\)[^=\n]{{0,80}}=>|[\w$]+[ \t]*=>)
    |{_NO_BLOCK}\*?\#?(?P<method>[\w$]+)[ \t]*{_GENERIC}
        \((?:[^;'"`=\n]|=(?!>)){{0,300}}\{{[ \t]*(?=\n))"""

_SHARED = rf"""(?=[\w@]+[ \t])(?:[\w@]+[ \t]+){{0,6}}?
    (?:(?:def|defp|fun|func|fn|function|sub|proc|macro)[ \t]+
        (?:(?P<owner>{_W})[.:])?(?P<name>{_W}[?!]?)
    |(?:class|struct|trait|enum|interface|type|module|object|record|protocol|defmodule|extension)
        [ \t]+(?P<type>{_W}))"""

# Functions bound to names come first: the second line turns away calls with a callback, whose
# shape is that of a method otherwise.
_SCRIPT_HEADER = "\n".join(
    (
        r"!^[ \t]*(if|for|while|switch|catch|return|else|do|new|throw|await|case)[^A-Za-z0-9_$]",
        r"^[ \t]*((export[ \t]+|default[ \t]+|declare[ \t]+|abstract[ \t]+|async[ \t]+)*"
        r"(function[ \t*]|class[ \t]|interface[ \t]|enum[ \t]|namespace[ \t]|type[ \t]).*)$",
        r"^((export[ \t]+)?(const|let|var)[ \t]+[A-Za-z0-9_$]+.*)$",
        r"^[ \t]*([A-Za-z0-9_$. \t]+[=:][ \t]*(async[ \t]+)?function.*)$",
        r"!(=>|function[ \t]*\([^)]*\))[ \t]*[{][ \t]*$",
        r"^[ \t]+([A-Za-z0-9_$# \t*]+(<[^>]*>)?\([^;'\"`]*[{])[ \t]*$",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Languages whose definitions look alike."""

    driver: str
    """Name of git's diff driver; empty for git's plain rule, any line that is not indented."""
    header: str = ""
    """Lines that may stand in a hunk header, for a driver that git does not know."""
    shape: str
    scan: re.Pattern[bytes] = field(init=False)
    """Finds hunk headers and definitions on changed lines in one file's patch."""
    name: re.Pattern[bytes] = field(init=False)
    """Takes a definition apart that git put into a hunk header."""

    def __post_init__(self) -> None:
        scan = (
            r"\n(?:@@[ ]-\S+[ ]\+(?P<line>\d+)\S*[ ]@@[ ]?(?P<context>[^\n]*)"
            rf"|(?P<sign>[-+])(?P<indent>[ \t]*+){self.shape})"
        )
        name = rf"[-+]{self.shape}"
        object.__setattr__(self, "scan", re.compile(scan.encode("latin-1"), re.VERBOSE))
        object.__setattr__(self, "name", re.compile(name.encode("latin-1"), re.VERBOSE))


_FAMILIES = {
    "python": Family(driver="python", shape=_PYTHON),
    "go": Family(driver="golang", shape=_GO),
    "rust": Family(driver="rust", shape=_RUST),
    "java": Family(driver="java", shape=_JAVA),
    "kotlin": Family(driver="kotlin", shape=_KOTLIN),
    "csharp": Family(driver="csharp", shape=_CSHARP),
    "ruby": Family(driver="ruby", shape=_RUBY),
    "php": Family(driver="php", shape=_PHP),
    "c": Family(driver="cpp", shape=_CPP),
    "cpp": Family(driver="cpp", shape=_CPP),
    "script": Family(driver="knowing-script", header=_SCRIPT_HEADER, shape=_SCRIPT),
    "shared": Family(driver="", shape=_SHARED),
}
_SUFFIXES = {
    "python": (".py", ".pyi", ".pyx"),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java", ".scala", ".groovy"),
    "kotlin": (".kt", ".kts"),
    "csharp": (".cs",),
    "ruby": (".rb", ".rake", ".gemspec", "Rakefile", "Gemfile"),
    "php": (".php",),
    "c": (".c", ".h", ".m"),
    "cpp": (".cc", ".hh", ".cpp", ".hpp", ".cxx", ".hxx", ".c++", ".h++", ".inl", ".mm"),
    "script": (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"),
}
_FAMILY_OF_SUFFIX = {suffix: name for name, group in _SUFFIXES.items() for suffix in group}
PROSE_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc")
"""Files without definitions: commits are linked to them, nothing is looked for inside."""


def family_of(suffix: str) -> Family | None:
    """The family of a file suffix; None for prose."""
    if suffix.lower() in PROSE_SUFFIXES:
        return None
    return _FAMILIES[_FAMILY_OF_SUFFIX.get(suffix, "shared")]


def attributes(suffixes: Iterable[str]) -> str:
    """An attributes file by which git diffs files of these suffixes and no others.

    Turning the rest off saves reading contents that nobody looks at.
    """
    lines = ["* -diff"]
    for suffix in sorted(suffixes, key=lambda text: (len(text), text)):
        family = family_of(suffix)
        pattern = re.sub(r'([\\*?\[\]"#!])', r"\\\1", suffix)
        if family is None or any(char.isspace() for char in suffix):
            continue
        lines.append(f"*{pattern} diff={family.driver}" if family.driver else f"*{pattern} diff")
    return "\n".join(lines) + "\n"


def driver_settings() -> tuple[str, ...]:
    """Settings for git that explain the drivers it does not know."""
    return tuple(
        f"diff.{family.driver}.xfuncname={family.header}"
        for family in _FAMILIES.values()
        if family.header
    )
