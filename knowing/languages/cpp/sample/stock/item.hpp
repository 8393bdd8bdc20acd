#ifndef STOCK_ITEM_HPP
#define STOCK_ITEM_HPP

namespace shop {
//        ^^^^ definition namespace shop

class Item {
//    ^^^^ definition class Item
 public:
    Item();
//  ^^^^ definition constructor Item.Item abstract
    Item* Next() const { return next_; }
//        ^^^^ definition method Item.Next
//                              ^^^^^ reference read -> Item.next_
    static Item Create(int price);
//              ^^^^^^ definition method Item.Create static abstract
    int price;
//      ^^^^^ definition field Item.price
    static int made;
//             ^^^^ definition field Item.made static

 private:
    Item* next_;
//        ^^^^^ definition field Item.next_ private
};

template <class T>
struct Base {
//     ^^^^ definition struct Base
    int Count() const;
//      ^^^^^ definition method Base.Count
};

class Missing : public std::exception {};
//    ^^^^^^^ definition class Missing

}  // namespace shop

#endif
