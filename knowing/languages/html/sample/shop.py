class Shelf:
    size = 3

    def fill(self, things):
        return restock(self, things)


class Basket:
    def fill(self, things):
        return things


def restock(shelf, things):
    return [shelf, *things]


def check_stock(shelf):
    return shelf.size
