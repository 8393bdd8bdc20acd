package shop.stock;

/** What the shop has. */
public final class Catalogue {
//                 ^^^^^^^^^ definition class Catalogue exported
    public static Item lookup(String name) {
//                     ^^^^^^ definition method Catalogue.lookup static exported
        return new Item();
//                 ^^^^ reference call -> Item
    }

    @Test
    void testLookup() {
//       ^^^^^^^^^^ definition method Catalogue.testLookup test
        lookup("x");
//      ^^^^^^ reference call -> Catalogue.lookup
    }
}
