#include "shelf.hpp"
// import shelf.hpp

namespace shop {
//        ^^^^ definition namespace shop

namespace {
int Twice(int n) { return n + n; }
//  ^^^^^ definition function Twice private
}  // namespace

static constexpr int kLimit = 3;
//                   ^^^^^^ definition constant kLimit private

int Item::made = 0;
//        ^^^^ definition field Item.made

Item::Item()
//    ^^^^ definition constructor Item.Item
    : price(0),
#ifdef SHOP_CHECKED
      checked_(true),
#endif
      next_(nullptr) {}

Item Item::Create(int price) {
//         ^^^^^^ definition method Item.Create
    Item item;
    item.price = Twice(price) + kLimit;
//       ^^^^^ reference read -> Item.price
//               ^^^^^ reference call -> Twice
//                              ^^^^^^ reference read -> kLimit
    made++;
//  ^^^^ reference read -> Item.made
    return item;
}

template <typename T>
Shelf<T>* Shelf<T>::Make(Size size) {
//                  ^^^^ definition method Shelf.Make
    if (size == Size::Small) throw Missing();
//                    ^^^^^ reference read -> Size.Small
//                                 ^^^^^^^ reference throw -> Missing
    return new Shelf<T>(size);
//             ^^^^^ reference call -> Shelf
}

void Fill(Shelf<Item>& shelf, const Item& item) {
//   ^^^^ definition function Fill
    auto made = Item::Create(1);
//                    ^^^^^^ reference call -> Item.Create
    made.Next()->Next();
//       ^^^^ reference call -> Item.Next
//               ^^^^ reference call -> Item.Next
    Item copy(made);
    copy.Next();
//       ^^^^ reference call -> Item.Next
    auto owned = std::make_unique<Item>();
    owned->Next();
//         ^^^^ reference call -> Item.Next
    static_cast<Item*>(unknown())->Next();
//                                 ^^^^ reference call -> Item.Next
    unknown().Next();
//            ^^^^ reference call -> ?
    for (const Item& each : Items(shelf)) {
        each.Next();
//           ^^^^ reference call -> Item.Next
    }
    auto visit = [&](Item* one) { return one->price; };
//                                            ^^^^^ reference read -> Item.price
    std::for_each(begin(shelf), end(shelf), Twice);
//                                          ^^^^^ reference read -> Twice
    shop::Fill(shelf, item);
//        ^^^^ reference call -> Fill
    std::getenv("SHOP");
}

}  // namespace shop
