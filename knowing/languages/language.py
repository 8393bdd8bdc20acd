"""The description of one language, as read from its `language.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knowing.languages.prose import ProseRules


class ImportStyle(StrEnum):
    """How the text of an import names a file or a package."""

    NONE = "none"
    DOTTED = "dotted"
    """`a.b.c`, leading dots are relative: Python."""
    PATH = "path"
    """`./a/b`, index files, path aliases: TypeScript, JavaScript."""
    DIRECTORY = "directory"
    """`example.com/module/dir` names a folder: Go."""
    PACKAGE = "package"
    """`org.example.Type`, a package is declared in the file: Java, Kotlin."""
    NAMESPACE = "namespace"
    """`using A.B`, `use A\\B`: C#, PHP."""
    CRATE = "crate"
    """`crate::a::b`, `self`, `super`: Rust."""
    FILE = "file"
    """`#include "a/b.h"`, `require "a/b"`: C, C++, Ruby, Lua."""


class OpenNames(StrEnum):
    """Where a name that the file itself does not explain may be defined."""

    NONE = "none"
    PACKAGE = "package"
    """In the other files of the same folder or declared package."""
    GLOBAL = "global"
    """Anywhere among files of the language, when the name is unique there."""
    INCLUDED = "included"
    """In the files that this one includes, directly or not."""


class CallNames(StrEnum):
    """Whether a function and a variable of one name can stand side by side."""

    SHARED = "shared"
    """One name, one meaning: the nearest definition."""
    PREFERRED = "preferred"
    """Both may be in one scope; a call means the function: Kotlin."""
    SEPARATE = "separate"
    """A call never means a variable, and only a call means a function: Java."""


class MacroEffect(StrEnum):
    """What a call makes of its symbols, strings and names where calls define things."""

    FIELD = "field"
    """The first symbol is a field: `belongs_to :author`."""
    FIELDS = "fields"
    """Every symbol is a field: `attr_reader :a, :b`."""
    FUNCTION = "function"
    """The first symbol or string is a function, later symbols are uses: `alias_method :a, :b`."""
    TEST = "test"
    """The first string is the title of the test that is the block."""
    NAMES = "names"
    """Symbols are uses of what they name: `before_save :check`."""
    IMPLEMENTS = "implements"
    """Names are what the enclosing type takes in: `include Comparable`."""
    THROW = "throw"
    """The first name is thrown."""
    IMPORT = "import"
    """The first string is the path of an imported file."""
    LITERAL = "literal"
    """The first symbol is looked at as a string is: `resources :posts`."""
    PRIVATE = "private"
    """What is defined in the arguments is private: `private def f`."""
    PROTECTED = "protected"


class Visibility(StrEnum):
    """How a language marks what is not for everybody."""

    PUBLIC = "public"
    """Public unless a `@flag.private` or `@flag.protected` capture says otherwise."""
    PRIVATE = "private"
    """Private unless a `@flag.exported` capture says otherwise."""
    MODULE = "module"
    """Private unless exported, but members are public unless a capture says otherwise."""
    UNDERSCORE = "underscore"
    """A leading underscore is private."""
    CAPITAL = "capital"
    """A capital first letter is exported, anything else private."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServicePattern:
    """A call, decorator or lookup that ties code to something outside it.

    `callee` holds the last one or two names of the called chain (`os.getenv`, `getenv`); the first
    string literal given names the thing. `method` fixes the verb of a route, otherwise the last
    name of the callee is the verb when it is one.
    """

    edge: str
    callee: tuple[str, ...]
    shape: str = "call"
    """`call`: `f("x", handler)`; `decorator`: `@f("x") def handler`; `lookup`: `f["x"]`;
    `member`: `f.x`."""
    method: str = ""
    path_contains: str = ""
    """What the literal must have in it."""
    bare: bool = False
    """Only a call without a receiver counts: `exec("ls")`, not `pattern.exec("text")`."""
    inline: bool = False
    """The handler may be written in place: then the function around it answers."""
    relative: bool = False
    """A route's path need not begin with a slash, and may be missing: `@GetMapping`."""
    handler: str = ""
    """Pattern for a handler that is named in a string of the call: `to: "posts#show"`."""
    handler_name: str = ""
    """The handler's name: `{0}`, `{1}` stand for the groups, `{0:type}` for one in camel case."""
    path: str = ""
    """The route's path where the literal is not it: `root "home#index"`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """One language, equal to itself only.

    Every field but the first two has a default that means "has no such thing".
    """

    name: str
    extensions: tuple[str, ...]
    grammar: str = ""
    """Needed by all languages but prose, as is the query."""
    tags: str = ""
    """Source of the one query; its capture names are explained in docs/add-a-language.md."""
    folder: str = ""
    filenames: tuple[str, ...] = ()
    sniff: str = ""
    """Pattern of text that only this language has, for files that another one claims by name."""
    sniff_extensions: tuple[str, ...] = ()
    """The files that `sniff` decides about: `.h` is C unless it looks like C++."""
    preprocessor: bool = False
    """`#if`, `#else`, `#endif` choose between texts; where both break the syntax, one is read."""
    blank: tuple[str, ...] = ()
    """Patterns of text that the grammar cannot read: their first groups are read as blanks."""
    line_comments: tuple[str, ...] = ()
    block_comments: tuple[tuple[str, str], ...] = ()
    doc_inside: bool = False
    """The documentation stands in the body (`@doc`) rather than before the definition."""
    self_names: tuple[str, ...] = ()
    super_names: tuple[str, ...] = ()
    self_types: tuple[str, ...] = ()
    """Names that stand for the type around them: Rust's `Self`."""
    constructors: tuple[str, ...] = ()
    """Names of the methods that run when a type is called or created."""
    factories: tuple[str, ...] = ()
    """Members of a type that return an instance of it: Ruby's `new`."""
    calls_by_paren: bool = True
    """A name directly before an opening parenthesis is called."""
    implicit_self: bool = False
    """A bare name inside a type may be one of its members."""
    outer_members: bool = True
    """A bare name in a nested type may be a member of the types around it: Java; not so in Ruby."""
    shadowing: bool = False
    """A local declaration hides earlier ones of its name even where those have declared types."""
    call_names: CallNames = CallNames.SHARED
    type_names: bool = False
    """In a type's place a name means a type although a member of that name is nearer: C#."""
    companions: bool = False
    """Types of one name in one place are one: a class and the object beside it in Scala."""
    open_enums: bool = False
    """The members of an enum are names of the scope around it: C."""
    namespaces_own: bool = False
    """A namespace is part of the owner chain: Ruby's modules."""
    declared_fields: bool = False
    """A type declares its fields; assignments only tell what they hold."""
    upper_constants: bool = False
    transparent_types: tuple[str, ...] = ()
    """Wrappers that are looked through for the type that matters: `Optional`, `Promise`."""
    transparent_members: tuple[str, ...] = ()
    """Members whose call gives what they are called on, or what it wraps: `unwrap`, `clone`."""
    builtins: tuple[str, ...] = ()
    """Bare names that are never the workspace's own."""
    builtin_members: tuple[str, ...] = ()
    """Members of built-in types: an unknown value's member of such a name is not guessed at."""
    imports: ImportStyle = ImportStyle.NONE
    external_modules: tuple[str, ...] = ()
    """First parts of module paths that are never the workspace's own: `std`."""
    import_separator: str = "."
    index_files: tuple[str, ...] = ()
    """Base names that stand for their folder: `__init__`, `index`, `mod`."""
    root_files: tuple[str, ...] = ()
    """Files that mark the root of imports: `go.mod`, `Cargo.toml`."""
    open_names: OpenNames = OpenNames.NONE
    family: str = ""
    """Languages of one family import each other's files: `typescript`, `tsx`, `javascript`."""
    visibility: Visibility = Visibility.PUBLIC
    file_static: bool = False
    """What is static and in no type is seen by its own file only: C."""
    test_patterns: tuple[str, ...] = ()
    test_names: tuple[str, ...] = ()
    """Prefixes of names that are tests when their file is one: `test_`, `Test`."""
    super_call: str = ""
    """What calling `super` itself calls: `method`, the one it stands in, or `constructor`."""
    reopened_types: bool = False
    """A type or namespace of one name is one, in whatever files its parts stand."""
    structural_interfaces: bool = False
    """A type that has the methods of an interface implements it."""
    decorators_call: bool = False
    """Applying a decorator calls it."""
    decorator_flags: Mapping[str, str] = field(default_factory=dict)
    """Last name of a decorator -> flag or kind it gives: `staticmethod = "static"`; `*_test`
    means all that end so."""
    macros: Mapping[str, MacroEffect] = field(default_factory=dict)
    """Called name -> what the call defines or does, for the `@macro` capture."""
    class_part: str = ""
    """The part of a mixed-in namespace whose members belong to the type, not to its instances."""
    mixin_namespaces: bool = False
    """A namespace with functions of its own can be mixed into types: it is a trait."""
    services: tuple[ServicePattern, ...] = ()
    prose: bool = False
    """Headings and text rather than code: read by `rules` instead of a grammar and a query."""
    rules: ProseRules = field(default_factory=ProseRules)
    looks_like: str = ""
    """Regular expression that must match somewhere near the beginning of a file of prose, where
    its extension does not tell; otherwise it is left alone."""
    fingerprint: str = ""
    """Of the folder's data: another one, other facts."""
