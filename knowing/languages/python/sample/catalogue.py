"""What the shop sells."""


class Item:
#     ^^^^ definition class Item
    def restock(self) -> None:
#       ^^^^^^^ definition method Item.restock
        pass


def lookup(name):
#   ^^^^^^ definition function lookup
    return name
