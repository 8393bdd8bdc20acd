"""Local names, the types they are declared with and the values they are given."""

from bisect import bisect_left

from knowing.model import CALLABLE_KINDS
from knowing.parse.captures import Op
from knowing.parse.facts import Mode, Role
from knowing.parse.rows import Frame
from knowing.parse.uses import Uses

# Plain integers: arithmetic on enum members costs several times as much.
_ATTRIBUTE, _BIND, _CAST = int(Op.ATTRIBUTE), int(Op.BIND), int(Op.CAST)
_TYPE = int(Role.TYPE)
_INSTANCE = int(Mode.INSTANCE)


class LocalNames(Uses):
    """Handles the captures inside declarations."""

    def _on_bind(self, start: int, end: int) -> None:
        top = self._frames[-1]
        if top.kind == _ATTRIBUTE and top.start == start and top.end == end and top.symbol > 0:
            top.bound = True
            return
        self._frames.append(Frame(start, end, -1, _BIND, self._scope))

    def _on_bind_name(self, start: int, end: int) -> None:
        if start < self._importing.end:
            return
        name = self.names[self.source[start:end]]
        self.bindings.append((self._scope, name, start, None, None))

    def _on_cast(self, start: int, end: int) -> None:
        self._frames.append(Frame(start, end, -1, _CAST, self._scope))

    def _end_cast(self, frame: Frame) -> None:
        """The whole expression is an instance of the type named in it, or what a part of it is."""
        if frame.value and not frame.type:
            value = self.value_at.get(frame.value[1], -1)
            if value >= 0:
                self.value_at[frame.end] = value
            return
        start, end = frame.type or (0, 0)
        ref = bisect_left(self.ref_start, start)
        known = len(self.ref_start)
        while (
            ref + 1 < known
            and self.ref_start[ref + 1] < end
            and self._receiver_of(ref + 1) == ref * 3
        ):
            ref += 1
        if ref < known and self.ref_start[ref] < end:
            self.value_at[frame.end] = ref * 3 + _INSTANCE
            self._cast[ref] = frame.start

    def _on_type(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        self.roles.append((start, end, _TYPE))
        if frame.symbol < 0:
            if frame.type is None:
                frame.type = (start, end)
            elif frame.names and start >= frame.type[1]:
                # `switch x := v.(type)`: each case gives the name another type.
                self.bindings += [
                    (frame.outer_scope, name, start, (start, end), None) for name, _ in frame.names
                ]
        elif frame.symbol > 0:
            row = self.symbols[frame.symbol]
            row.type = row.type or (start, end)

    def _on_type_use(self, start: int, end: int) -> None:
        self.roles.append((start, end, _TYPE))

    def _on_package(self, start: int, end: int) -> None:
        self.package = self.package or self.source[start:end]

    def _on_value(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol < 0:
            frame.value = (start, end)
        elif frame.symbol > 0:
            row = self.symbols[frame.symbol]
            row.value = row.value or (start, end)

    def _on_result(self, start: int, end: int) -> None:
        row = self.symbols[self._scope]
        if row.kind in CALLABLE_KINDS:
            row.value = row.value or (start, end)
