package shop.stock

class Item {
//    ^^^^ definition class Item
    fun restock() {}
//      ^^^^^^^ definition method Item.restock
}

fun lookup(name: String): Item = Item()
//  ^^^^^^ definition function lookup
//                               ^^^^ reference call -> Item

class ItemTest {
//    ^^^^^^^^ definition class ItemTest
    @Test
    fun `finds an item`() {
//      ^^^^^^^^^^^^^^^ definition method ItemTest.`finds_an_item` test
        lookup("x").restock()
//      ^^^^^^ reference call -> lookup
//                  ^^^^^^^ reference call -> Item.restock
    }
}
