"""The vocabulary of `tags.scm`: what each capture name makes the event machine do."""

from enum import IntEnum, unique

from knowing.errors import LanguageError
from knowing.languages import Language
from knowing.model import SymbolFlag, SymbolKind


@unique
class Op(IntEnum):
    """Operations in the order in which captures of one and the same node are handled."""

    DEF = 0
    """Plus the `SymbolKind`: an outer definition opens before anything inside it."""
    SPAN = 40
    """Widens the definition inside it that ends where it ends: decorators."""
    PACKAGE = 41
    IMPORT = 42
    IMPORT_MODULE = 43
    IMPORT_NAME = 44
    IMPORT_ALIAS = 45
    IMPORT_ALL = 46
    IMPORT_TREE = 47
    """A whole use tree with braces, split as text."""
    IMPORT_EXPORTED = 48
    IMPORT_STATIC = 49
    EXTENSION = 50
    """A block that adds members to a type named by `@owner`: Rust's `impl`."""
    TEST = 51
    """A test that is a call with a title: `it("adds", ...)`."""
    ATTRIBUTE = 52
    """A field made by assigning to the instance: `self.x = ...`."""
    BIND = 53
    """A local name; `@name`, `@type` and `@value` inside tell which and what."""
    BIND_NAME = 54
    """A local name of which nothing else is known."""
    OWNER = 55
    NAME = 56
    BODY = 57
    DOC = 58
    TYPE = 59
    VALUE = 60
    SELF_OWNER = 61
    BASE = 62
    IMPLEMENTS = 63
    DECORATOR = 64
    THROW = 65
    REF = 66
    REF_CALL = 67
    MEMBER = 68
    MEMBER_CALL = 69
    ARGS = 70
    FIELDS = 71
    """A literal that makes an instance of the name before it: `Point{1, 2}`."""
    PASS = 72
    """Stands between a name and what follows without changing it: type arguments."""
    STRING = 73
    STRING_KEY = 74
    ANONYMOUS = 75
    """A body that makes a type without a name: `new Runnable() { ... }`."""
    CAST = 76
    """An expression whose type is written in it: `((Foo) x).bar()`."""
    NAME_USED = 77
    """A name that is given and used in one: an embedded field."""
    REF_QUOTED = 80
    """A name given as a symbol or string: `before_save :check`."""
    CLOSURE = 82
    """A function without a name: what is bound in it is its own."""
    MEMBERS = 83
    """A literal whose functions belong to the variable it is the value of."""
    IMPORT_DEFAULT = 84
    """The local name of what a module gives to those who name nothing."""
    EXPORT_NAME = 85
    EXPORT_ALIAS = 86
    EXPORT_DEFAULT = 87
    RECEIVER = 89
    """The type that a method can be called on although it stands in another: `this Foo foo`."""
    TYPE_USE = 88
    """Names of types that say nothing about the innermost frame."""
    RESULT = 81
    """What the enclosing function returns."""
    MACRO = 90
    """A call that may define something: the language's table of macros tells."""
    SYMBOL = 91
    """A symbol among the arguments of a call."""
    SECTION = 92
    """`private:` and the like: what follows in the same body is so."""
    IMPORT_USED = 93
    """A qualified name where it is used: an import of its own."""
    IMPORT_PREFIX = 94
    """What the use trees that follow in the statement begin with."""
    MEMBER_QUOTED = 95
    """A member named by a string after its owner: `[$this, "run"]`."""
    ALIAS = 96
    """One more name of the type that ends just before it: `typedef struct node {...} node_t`."""
    TOKEN = 97
    """A name among tokens that the grammar leaves as they are: arguments of Rust's macros."""
    PROTOTYPE = 78
    """A declaration of a function; inside a function it is a variable: `Key key(text);`."""
    NAME_QUALIFIED = 79
    """`A::B::f`: the last part is the name, what is before it the owner."""
    TITLE = 99
    """The title of a test that stands before it: `TEST_CASE("adds") { ... }`."""
    EXPORT_KEY = 98
    """The name under which the name that follows goes out: `exports.b = a`."""
    FLAG = 100
    """Plus the bit's position in `SymbolFlag`."""


_BY_NAME = {
    "span": Op.SPAN,
    "package": Op.PACKAGE,
    "import": Op.IMPORT,
    "import.module": Op.IMPORT_MODULE,
    "import.name": Op.IMPORT_NAME,
    "import.alias": Op.IMPORT_ALIAS,
    "import.all": Op.IMPORT_ALL,
    "import.tree": Op.IMPORT_TREE,
    "import.exported": Op.IMPORT_EXPORTED,
    "import.static": Op.IMPORT_STATIC,
    "extension": Op.EXTENSION,
    "def.test": Op.TEST,
    "def.alias": Op.ALIAS,
    "title": Op.TITLE,
    "def.prototype": Op.PROTOTYPE,
    "name.qualified": Op.NAME_QUALIFIED,
    "def.attribute": Op.ATTRIBUTE,
    "bind": Op.BIND,
    "bind.name": Op.BIND_NAME,
    "owner": Op.OWNER,
    "receiver": Op.RECEIVER,
    "name": Op.NAME,
    "name.used": Op.NAME_USED,
    "body": Op.BODY,
    "doc": Op.DOC,
    "type": Op.TYPE,
    "value": Op.VALUE,
    "self.owner": Op.SELF_OWNER,
    "base": Op.BASE,
    "implements": Op.IMPLEMENTS,
    "decorator": Op.DECORATOR,
    "throw": Op.THROW,
    "ref": Op.REF,
    "ref.call": Op.REF_CALL,
    "ref.quoted": Op.REF_QUOTED,
    "result": Op.RESULT,
    "macro": Op.MACRO,
    "symbol": Op.SYMBOL,
    "token": Op.TOKEN,
    "section": Op.SECTION,
    "import.used": Op.IMPORT_USED,
    "import.prefix": Op.IMPORT_PREFIX,
    "member.quoted": Op.MEMBER_QUOTED,
    "member": Op.MEMBER,
    "member.call": Op.MEMBER_CALL,
    "args": Op.ARGS,
    "fields": Op.FIELDS,
    "pass": Op.PASS,
    "string": Op.STRING,
    "string.key": Op.STRING_KEY,
    "def.anonymous": Op.ANONYMOUS,
    "closure": Op.CLOSURE,
    "members": Op.MEMBERS,
    "import.default": Op.IMPORT_DEFAULT,
    "export.name": Op.EXPORT_NAME,
    "export.alias": Op.EXPORT_ALIAS,
    "export.default": Op.EXPORT_DEFAULT,
    "export.key": Op.EXPORT_KEY,
    "type.use": Op.TYPE_USE,
    "cast": Op.CAST,
}
_KINDS = {kind.label: kind for kind in SymbolKind}
_FLAGS = {flag.name.lower(): flag for flag in SymbolFlag if flag.name}


def operation(capture: str, language: Language) -> int:
    """The operation of a capture name; -1 for helper captures, which begin with `_`."""
    if capture.startswith("_"):
        return -1
    if capture in _BY_NAME:
        return _BY_NAME[capture]
    head, _, tail = capture.partition(".")
    if head == "def" and tail in _KINDS:
        return Op.DEF + _KINDS[tail]
    if head == "flag" and tail in _FLAGS:
        return Op.FLAG + _FLAGS[tail].bit_length() - 1
    raise LanguageError(
        f"{language.folder}/tags.scm: unknown capture @{capture}",
        "docs/add-a-language.md lists the capture names",
    )
