#include "shelf.h"
// import shelf.h
#include <stdlib.h>
// import stdlib.h

int made = 0, *counter = &made;
//  ^^^^ definition variable made
//             ^^^^^^^ definition variable counter
//                        ^^^^ reference read -> made

/* Cheaper items come first. */
static int by_price(const item_t *left, const item_t *right)
//         ^^^^^^^^ definition function by_price private static
{
    return left->price - right->price;
//               ^^^^^ reference read -> item.price
}

struct operations { void (*fill)(struct shelf *, item_t *); state start; };
//     ^^^^^^^^^^ definition struct operations
//                         ^^^^ definition field operations.fill
//                                                                ^^^^^ definition field operations.start

static const struct operations operations = {
//                             ^^^^^^^^^^ definition constant operations private
    .fill = shelf_fill,
//          ^^^^^^^^^^ reference read -> shelf_fill
    .start = EMPTY,
//           ^^^^^ reference read -> state.EMPTY
};

struct shelf *shelf_new(compare_fn compare)
//            ^^^^^^^^^ definition function shelf_new
{
    struct shelf *shelf = calloc(LIMIT, sizeof(struct shelf));
//                               ^^^^^ reference read -> LIMIT
//                                                    ^^^^^ reference type -> shelf
    shelf->compare = compare ? compare : by_price;
//                                       ^^^^^^^^ reference read -> by_price
    made++;
//  ^^^^ reference read -> made
    return shelf;
}

void shelf_fill(struct shelf *shelf, item_t items[])
//   ^^^^^^^^^^ definition function shelf_fill
{
    item_t *item = &items[0], *other;
    other = item->next->next;
//                ^^^^ reference read -> item.next
    shelf->first[LARGER(1, 2)].price = items[1].price;
//               ^^^^^^ reference call -> LARGER
//                             ^^^^^ reference read -> item.price
    if (shelf->compare(item, other))
//             ^^^^^^^ reference call -> shelf.compare
        ((struct shelf *)other)->first = item;
//                               ^^^^^ reference read -> shelf.first
    unknown()->first = NULL;
//             ^^^^^ reference read -> ?
}

int main(int argc, char **argv)
//  ^^^^ definition function main
{
    struct shelf *shelf = shelf_new(by_price);
//                        ^^^^^^^^^ reference call -> shelf_new
//                                  ^^^^^^^^ reference read -> by_price
    union number number = { .whole = FULL };
//                                   ^^^^ reference read -> state.FULL
    operations.fill(shelf, &(item_t){ 1 });
//             ^^^^ reference call -> operations.fill
//                           ^^^^^^ reference type -> item_t
    return system(getenv("SHELL")) + number.part;
//                                          ^^^^ reference read -> number.part
}
