#ifndef SHELF_H
#define SHELF_H

#include <stddef.h>
/* import stddef.h */

/** How many items fit. */
#define LIMIT 3
//      ^^^^^ definition constant LIMIT
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
//      ^^^^^^ definition macro LARGER

typedef struct item {
//             ^^^^ definition struct item
    int price;
//      ^^^^^ definition field item.price
    struct item *next;
//         ^^^^ reference type -> item
//               ^^^^ definition field item.next
} item_t;
//^^^^^^ definition type item_t

typedef enum { EMPTY, FULL = 2 } state;
//             ^^^^^ definition enum_member state.EMPTY
//                    ^^^^ definition enum_member state.FULL
//                               ^^^^^ definition enum state

typedef int (*compare_fn)(const item_t *left, const item_t *right);
//            ^^^^^^^^^^ definition type compare_fn
//                              ^^^^^^ reference type -> item_t

struct shelf {
//     ^^^^^ definition struct shelf
    item_t *first;
//  ^^^^^^ reference type -> item_t
//          ^^^^^ definition field shelf.first
    compare_fn compare;
//             ^^^^^^^ definition field shelf.compare
    int (*filter)(item_t *item);
//        ^^^^^^ definition field shelf.filter
    union {
        long bits;
//           ^^^^ definition field shelf.bits
        char bytes[8];
//           ^^^^^ definition field shelf.bytes
    };
    unsigned small : 3;
//           ^^^^^ definition field shelf.small
};

union number { int whole; float part; };
//    ^^^^^^ definition struct number
//                 ^^^^^ definition field number.whole
//                              ^^^^ definition field number.part

extern int made;
//         ^^^^ definition variable made abstract

struct shelf *shelf_new(compare_fn compare);
//     ^^^^^ reference type -> shelf
//            ^^^^^^^^^ definition function shelf_new abstract
void shelf_fill(struct shelf *shelf, item_t items[]);
//   ^^^^^^^^^^ definition function shelf_fill abstract

#endif
