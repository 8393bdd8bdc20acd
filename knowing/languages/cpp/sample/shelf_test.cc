#include "shelf.hpp"
// import shelf.hpp

class ShelfTest : public testing::Test {
//    ^^^^^^^^^ definition class ShelfTest
 protected:
    shop::Item item_;
//        ^^^^ reference type
//             ^^^^^ definition field ShelfTest.item_
};

TEST_F(ShelfTest, Fills) {
//                ^^^^^ definition method ShelfTest.Fills test
    EXPECT_EQ(item_.price, 3);
//            ^^^^^ reference read -> ShelfTest.item_
}

TEST(Plain, Adds) { shop::Item::Create(1); }
//          ^^^^ definition method Plain.Adds test
//                              ^^^^^^ reference call -> Item.Create

TEST_CASE("shelves hold items") {
//         ^^^^^^^^^^^^^^^^^^ definition function shelves_hold_items test
    shop::Item item;
    REQUIRE(item.price == 0);
//               ^^^^^ reference read -> Item.price
}
