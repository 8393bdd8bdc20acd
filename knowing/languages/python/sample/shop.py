"""A shop."""
import os
# import os
from catalogue import Item as Thing, lookup
# import catalogue Item as Thing
# import catalogue lookup

LIMIT = 3
# <- definition constant LIMIT exported
_cache: dict[str, Thing] = {}
# <- definition variable _cache private
#                 ^^^^^ reference type -> Item


def trace(function):
#   ^^^^^ definition function trace
    def wrapper(*args):
#       ^^^^^^^ definition function trace.wrapper
        return function(*args)

    return wrapper
#          ^^^^^^^ reference read


class Shelf(Thing):
#     ^^^^^ definition class Shelf
#           ^^^^^ reference base -> Item
    """Holds things."""

    size: int = 1
#   ^^^^ definition field Shelf.size

    def __init__(self, owner: "Owner") -> None:
#       ^^^^^^^^ definition constructor Shelf.__init__
#                              ^^^^^ reference type -> Owner
        self.owner = owner
#            ^^^^^ definition field Shelf.owner
        self.backup = Owner()
#            ^^^^^^ definition field Shelf.backup
#                     ^^^^^ reference call -> Owner

    @property
    def first(self) -> Thing:
#       ^^^^^ definition property Shelf.first
        return self.backup.pick(LIMIT)
#                          ^^^^ reference call -> Owner.pick
#                               ^^^^^ reference read -> LIMIT

    @staticmethod
    def make() -> "Shelf":
#       ^^^^ definition method Shelf.make static
        shelf = Shelf(Owner())
        shelf.fill()
#             ^^^^ reference call -> Shelf.fill
        unknown().fill()
#                 ^^^^ reference call -> ?
        return shelf

    @trace
#    ^^^^^ reference decorator -> trace
    def fill(self) -> None:
#       ^^^^ definition method Shelf.fill
        if not self.first:
            raise Empty(self.owner.pick(0))
#                 ^^^^^ reference throw -> Empty
#                                  ^^^^ reference call -> Owner.pick
        super().restock()
#               ^^^^^^^ reference call -> Item.restock
        lookup(os.getenv("SHOP"))
#       ^^^^^^ reference call -> lookup


class Owner:
#     ^^^^^ definition class Owner
    def pick(self, index: int) -> Thing:
#       ^^^^ definition method Owner.pick
        return Shelf.make().first


class Empty(Exception):
#     ^^^^^ definition class Empty
    pass
