package shop.stock

class Item
//    ^^^^ definition class Item

object Catalogue {
//     ^^^^^^^^^ definition class Catalogue
  def lookup(name: String): Item = new Item
//    ^^^^^^ definition method Catalogue.lookup
//                                     ^^^^ reference call -> Item
}
