"""What a called object is: the function or class it stands for, and what else may be meant.

Attribute access is limited to types whose attributes are known to be plain, because asking a
proxy or a mock for `__wrapped__` runs code of the project under test.
"""

import functools
import os
import sys
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass

INIT = "init"
"""`__init__` or `__new__` of a class that was called, or a metaclass's `__call__`."""
BASE = "base"
"""The same member further along the receiver's MRO: what the member that ran overrides."""
BASE_CLASS = "base_class"
"""A base of a class that was called, or the base's `__init__` if that did not run."""
WRAPPER = "wrapper"
"""Code that ran in place of a decorated function, or a function that such code wraps."""

_CACHED = type(functools.lru_cache(lambda: None))
_ALIASES = (types.GenericAlias, type(typing.Iterable[int]))
_NATIVE = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A definition: path relative to the recorded root (empty outside of it), name and line."""

    path: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Callee:
    """The definition a call reached, and those that are as right an answer."""

    place: Place
    internal: bool
    also: tuple[tuple[str, Place], ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """Where definitions are looked for, and what the instrumented files define.

    Paths are strings: tests replace `pathlib.Path` while calls are being described.
    """

    root: str
    packages: tuple[str, ...]
    """Absolute, as the root."""
    lines: dict[tuple[str, str], int]
    """(path, name) of each function and class of the instrumented files -> line."""

    def relative(self, filename: str) -> str:
        """Path below the root with `/`, or an empty string."""
        start = self.root + os.sep
        return filename[len(start) :].replace(os.sep, "/") if filename.startswith(start) else ""

    def holds(self, filename: str) -> bool:
        """Whether a file belongs to the recorded packages."""
        return any(filename.startswith(package + os.sep) for package in self.packages)


def describe(
    called: object, name: str, decorated: dict[int, Place | None], ground: Ground
) -> Callee:
    """Say what was called; `name` is the called name as written, for looking along the MRO."""
    peeled = _peel(called)
    if is_class(peeled.core):
        return _construction(peeled.core, ground)
    known, places = peeled.definition(decorated), []
    for layer in _layers(peeled.core):
        known = known or decorated.get(id(layer))
        if type(layer) is types.FunctionType:
            places.append(_function_place(layer, ground))
    if not places and known is None:
        return Callee(Place("", _native_name(peeled.core), 0), False)
    inside = [place for place, internal in places if internal]
    main = known or (inside or [place for place, _ in places])[0]
    also = [(WRAPPER, place) for place in inside if place != main]
    if peeled.receiver is not None:
        further = _further(peeled.receiver, peeled.core, name, ground)
        also += [(BASE, place) for place in further]
    return Callee(main, bool(known or inside), tuple(also))


def identity(called: object, decorated: dict[int, Place | None]) -> object:
    """A cheap key: calls of one site with equal keys have the same `describe`."""
    peeled = _peel(called)
    core, receiver = peeled.core, peeled.receiver
    known = peeled.definition(decorated)
    if is_class(core):
        return core.__module__, core.__qualname__
    if type(core) is types.FunctionType:
        wrapped = core.__dict__.get("__wrapped__")
        return (
            core.__code__,
            known,
            wrapped.__code__ if type(wrapped) is types.FunctionType else None,
            None if receiver is None else (receiver.__module__, receiver.__qualname__),
        )
    return _native_name(core), known


def is_class(value: object) -> typing.TypeGuard[type]:
    """Whether it is a class; `isinstance` would believe `__class__`, which proxies forge."""
    return issubclass(type(value), type)


@dataclass(frozen=True, slots=True)
class _Peeled:
    """A called object without bound methods, partials and callable instances around it."""

    core: object
    receiver: type | None
    """Class of the object a method is bound to."""
    stages: tuple[object, ...]
    """What was peeled off, outermost first, and the core."""

    def definition(self, decorated: dict[int, Place | None]) -> Place | None:
        """The decorated definition that one of the stages is."""
        for stage in self.stages:
            if place := decorated.get(id(stage)):
                return place
        return None


def _peel(called: object) -> _Peeled:
    receiver: type | None = None
    stages = [called]
    for _ in range(8):
        kind = type(called)
        if kind is types.FunctionType or is_class(called):
            break
        if type(called) is types.MethodType:
            receiver = receiver or _class_of(called.__self__)
            called = called.__func__
        elif type(called) is functools.partial:
            called = called.func
        elif kind in _ALIASES:
            called = getattr(called, "__origin__", None)
        else:
            own = _python_call(called)
            if own is None:
                break
            receiver = receiver or kind
            called = own
        stages.append(called)
    return _Peeled(called, receiver, tuple(stages))


def _class_of(receiver: object) -> type:
    """The receiver's class, which for a class method is the receiver."""
    return receiver if is_class(receiver) else type(receiver)


def _python_call(value: object) -> types.FunctionType | None:
    """`__call__` of an instance when it is written in Python."""
    for owner in type(value).__mro__:
        if "__call__" in owner.__dict__:
            own = owner.__dict__["__call__"]
            return own if type(own) is types.FunctionType else None
    return None


def _layers(function: object) -> Iterator[object]:
    """The called object and what it says it wraps, outermost first."""
    for _ in range(16):
        yield function
        if type(function) is types.FunctionType:
            function = function.__dict__.get("__wrapped__")
        elif type(function) is _CACHED:
            function = vars(function).get("__wrapped__")
        else:
            return
        if function is None:
            return
        function = _peel(function).core


def code_name(code: types.CodeType) -> str:
    """Owner chain of a function: `outer.inner`."""
    return code.co_qualname.replace(".<locals>", "")


def _function_place(function: types.FunctionType, ground: Ground) -> tuple[Place, bool]:
    code = function.__code__
    name = code_name(code)
    path = ground.relative(code.co_filename)
    if not path:
        return Place("", f"{function.__module__}.{name}", 0), False
    return Place(path, name, code.co_firstlineno), ground.holds(code.co_filename)


def _class_place(owner: type, ground: Ground) -> tuple[Place, bool]:
    """A class is inside when the instrumented files hold a `class` statement for it."""
    module = sys.modules.get(owner.__module__)
    filename = getattr(module, "__file__", None) or ""
    name = owner.__qualname__.replace(".<locals>", "")
    path = ground.relative(filename) if filename else ""
    line = ground.lines.get((path, name), 0)
    if not path:
        name = f"{owner.__module__}.{name}"
    return Place(path, name, line), line > 0


def _construction(owner: type, ground: Ground) -> Callee:
    """Calling a class means the class; its initialisers and base classes are named as well."""
    main, internal = _class_place(owner, ground)
    ran = _initialisers(owner, ground)
    also = [(INIT, place) for place in ran]
    for base in owner.__mro__[1:]:
        place, inside = _class_place(base, ground)
        if inside:
            also.append((BASE_CLASS, place))
            line = ground.lines.get((place.path, f"{place.name}.__init__"))
            initialiser = Place(place.path, f"{place.name}.__init__", line or 0)
            if line and initialiser not in ran:
                also.append((BASE_CLASS, initialiser))
    if not internal and ran:
        return Callee(ran[0], True, tuple(also[1:]))
    return Callee(main, internal, tuple(also))


def _initialisers(owner: type, ground: Ground) -> list[Place]:
    found = []
    for start, name in ((owner, "__init__"), (owner, "__new__"), (type(owner), "__call__")):
        for candidate in start.__mro__:
            if name in candidate.__dict__:
                function = _plain(candidate.__dict__[name])
                if type(function) is types.FunctionType:
                    place, inside = _function_place(function, ground)
                    if inside:
                        found.append(place)
                break
    return found


def _plain(member: object) -> object:
    if type(member) is staticmethod or type(member) is classmethod:
        return member.__func__
    return member


def _further(receiver: type, function: object, name: str, ground: Ground) -> Iterator[Place]:
    """The member's other definitions after the one that ran, in the receiver's MRO."""
    attribute = name
    passed = False
    if not any(_plain(owner.__dict__.get(name)) is function for owner in receiver.__mro__):
        attribute = function.__name__ if type(function) is types.FunctionType else name
    for owner in receiver.__mro__:
        if passed and attribute in owner.__dict__:
            place, _inside = _class_place(owner, ground)
            member = f"{place.name}.{attribute}"
            line = ground.lines.get((place.path, member))
            if line:
                yield Place(place.path, member, line)
        passed = passed or _plain(owner.__dict__.get(attribute)) is function


def _native_name(value: object) -> str:
    if issubclass(type(value), _NATIVE):
        owner = getattr(value, "__module__", None) or getattr(
            getattr(value, "__objclass__", None), "__module__", "builtins"
        )
        return f"{owner}.{getattr(value, '__qualname__', '')}"
    return f"{type(value).__module__}.{type(value).__qualname__}.__call__"
