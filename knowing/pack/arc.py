"""A cache that adapts to how it is used: recent things and frequent things share its space.

Adaptive replacement (Megiddo and Modha, 2003): keys seen once and keys seen again are kept in two
lists, and the keys that each has lately lost are remembered. A hit among the lost ones shows which
list was too short, and the boundary between them moves.
"""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Arc(Generic[K, V]):
    """At most `capacity` values; safe to use from several threads."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError("a cache holds at least one value")
        self.capacity = capacity
        self._once: OrderedDict[K, V] = OrderedDict()
        self._again: OrderedDict[K, V] = OrderedDict()
        self._lost_once: OrderedDict[K, None] = OrderedDict()
        self._lost_again: OrderedDict[K, None] = OrderedDict()
        self._goal = 0
        """How long the list of keys seen once should be."""
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._once) + len(self._again)

    def __contains__(self, key: K) -> bool:
        return key in self._once or key in self._again

    def get(self, key: K) -> V | None:
        """The value, which counts as a use of it; None if it is not there."""
        with self._lock:
            if key in self._again:
                self._again.move_to_end(key)
                return self._again[key]
            if key in self._once:
                value = self._again[key] = self._once.pop(key)
                return value
            return None

    def put(self, key: K, value: V) -> None:
        """Keeps a value, in place of one that is needed least if there is no room."""
        with self._lock:
            if key in self._again or key in self._once:
                self._once.pop(key, None)
                self._again[key] = value
                self._again.move_to_end(key)
            elif key in self._lost_once:
                step = max(1, len(self._lost_again) // len(self._lost_once))
                self._goal = min(self.capacity, self._goal + step)
                del self._lost_once[key]
                self._keep_again(key, value)
            elif key in self._lost_again:
                step = max(1, len(self._lost_once) // len(self._lost_again))
                self._goal = max(0, self._goal - step)
                del self._lost_again[key]
                self._keep_again(key, value)
            else:
                self._make_room()
                self._once[key] = value
            self._forget()

    def clear(self) -> None:
        with self._lock:
            for part in (self._once, self._again, self._lost_once, self._lost_again):
                part.clear()
            self._goal = 0

    def _keep_again(self, key: K, value: V) -> None:
        self._make_room()
        self._again[key] = value

    def _make_room(self) -> None:
        while len(self) >= self.capacity:
            if self._once and (len(self._once) > self._goal or not self._again):
                self._lost_once[self._once.popitem(last=False)[0]] = None
            else:
                self._lost_again[self._again.popitem(last=False)[0]] = None

    def _forget(self) -> None:
        """Remembers no more lost keys than there are values: the longer list loses its oldest."""
        while len(self._lost_once) + len(self._lost_again) > self.capacity:
            longer = max(self._lost_once, self._lost_again, key=len)
            longer.popitem(last=False)
