package shop.stock;

public class Item {
//           ^^^^ definition class Item exported
    public void restock() {}
//              ^^^^^^^ definition method Item.restock exported
}
