namespace Shop.Stock;

public class Item
//           ^^^^ definition class Item exported
{
    public int Size;
//             ^^^^ definition field Item.Size
    public void Restock() { }
//              ^^^^^^^ definition method Item.Restock
}

public static class Catalogue
//                  ^^^^^^^^^ definition class Catalogue static
{
    public static Item Lookup(string name) => new Item();
//                     ^^^^^^ definition method Catalogue.Lookup static
//                                                ^^^^ reference call -> Item
}

public static class ItemExtensions
//                  ^^^^^^^^^^^^^^ definition class ItemExtensions
{
    public static void Polish(this Item item) => item.Restock();
//                     ^^^^^^ definition method ItemExtensions.Polish
//                                                    ^^^^^^^ reference call -> Item.Restock
}

public class ItemTests
//           ^^^^^^^^^ definition class ItemTests
{
    [Fact]
    public void Restocks() => new Item().Restock();
//              ^^^^^^^^ definition method ItemTests.Restocks test
//                                       ^^^^^^^ reference call -> Item.Restock
}
