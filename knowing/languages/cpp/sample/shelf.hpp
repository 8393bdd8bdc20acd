#pragma once
#include <memory>
// import memory
#include "stock/item.hpp"
// import stock/item.hpp

#define SHOP_API __attribute__((visibility("default")))
//      ^^^^^^^^ definition constant SHOP_API

SHOP_NAMESPACE_BEGIN
namespace shop {
//        ^^^^ definition namespace shop

enum class Size { Small, Large = 2 };
//         ^^^^ definition enum Size
//                ^^^^^ definition enum_member Size.Small
//                       ^^^^^ definition enum_member Size.Large

/// Holds items.
template <typename T>
class SHOP_API Shelf final : public Base<T>, private stock::Counted {
//             ^^^^^ definition class Shelf
//                                  ^^^^ reference base -> Base
//                                                          ^^^^^^^ reference base
    int hidden_ = 0;
//      ^^^^^^^ definition field Shelf.hidden_ private

 public:
    explicit Shelf(Size size) : Base<T>(size), size_(size) {}
//           ^^^^^ definition constructor Shelf.Shelf
//                              ^^^^ reference call -> Base
    Shelf(const Shelf&) = delete;
//  ^^^^^ definition constructor Shelf.Shelf abstract
    ~Shelf() override;
//  ^^^^^^ definition method Shelf.~Shelf
    static Shelf* Make(Size size);
//         ^^^^^ reference type -> Shelf
//                ^^^^ definition method Shelf.Make static abstract
    virtual T& Get(int index) const = 0;
//             ^^^ definition method Shelf.Get abstract
    bool operator==(const Shelf& other) const { return this->size_ == other.size_; }
//       ^^^^^^^^^^ definition method Shelf.operator==
//                                                           ^^^^^ reference read -> Shelf.size_
//                                                                          ^^^^^ reference read -> Shelf.size_
    using Items = std::vector<T>;
//        ^^^^^ definition type Shelf.Items
    struct Node { Node* next; T value; };
//         ^^^^ definition struct Shelf.Node
//                      ^^^^ definition field Shelf.Node.next
//                              ^^^^^ definition field Shelf.Node.value

 protected:
    int GuardedCount() const { return Count(); }
//      ^^^^^^^^^^^^ definition method Shelf.GuardedCount protected
//                                    ^^^^^ reference call -> Base.Count

 private:
    Size size_;
//       ^^^^^ definition field Shelf.size_ private
    std::unique_ptr<Item> first_, second_ GUARDED_BY(lock_);
//                  ^^^^ reference type -> Item
//                        ^^^^^^ definition field Shelf.first_
//                                ^^^^^^^ definition field Shelf.second_
};

void Fill(Shelf<Item>& shelf, const Item& item = Item());
//   ^^^^ definition function Fill abstract
//        ^^^^^ reference type -> Shelf

}  // namespace shop
SHOP_NAMESPACE_END
