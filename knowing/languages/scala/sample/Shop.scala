package shop

import shop.stock.{Item, Catalogue => Books}
// import shop.stock Item
// import shop.stock Catalogue as Books
import shop.stock._
// import shop.stock

/** Sells things. */
abstract class Shop[T <: Item](val till: Till, label: String) extends Base(till) with Closeable {
//             ^^^^ definition class Shop abstract exported
//                                 ^^^^ definition field Shop.till
//                                       ^^^^ reference type -> Till
//                                             ^^^^^ definition field Shop.label
//                                                                    ^^^^ reference base -> Base
//                                                                                    ^^^^^^^^^ reference base -> Closeable
  private val items = new Shelf(3)
//            ^^^^^ definition field Shop.items private
//                        ^^^^^ reference call -> Shelf
  var drawer: Till = _
//    ^^^^^^ definition field Shop.drawer
  type Handler = Item => Unit
//     ^^^^^^^ definition type Shop.Handler

  def this(count: Int) = this(new Till, "b")
//    ^^^^ definition constructor Shop.this
//                                ^^^^ reference call -> Till

  def find[R](name: String, tills: Till*)(show: Item => R): Item = {
//    ^^^^ definition method Shop.find exported
//                                 ^^^^ reference type -> Till
//                                                          ^^^^ reference type -> Item
    val other: Till = till
//                    ^^^^ reference read -> Shop.till
    other.pay(Shop.Limit).close()
//        ^^^ reference call -> Till.pay
//                 ^^^^^ reference read -> Shop.Limit
//                        ^^^^^ reference call -> Receipt.close
    val shelf = new Shelf(1)
    shelf.fill()
//        ^^^^ reference call -> Shelf.fill
    other match {
      case big: BigTill => big.grand()
//                             ^^^^^ reference call -> BigTill.grand
      case _ => unknown(name).close()
//                            ^^^^^ reference call -> ?
    }
    other.asInstanceOf[BigTill].grand()
//                              ^^^^^ reference call -> BigTill.grand
    try tidy() catch { case problem: Empty => problem.report() }
//      ^^^^ reference call -> Base.tidy
//                                                    ^^^^^^ reference call -> Empty.report
    items.each(sell)
//             ^^^^ reference read -> Shop.sell
    items.each { item => item.toString }
//        ^^^^ reference call -> Shelf.each
    def nested(inner: Till): Receipt = inner.pay(2)
//      ^^^^^^ definition function Shop.find.nested
    nested(other).close()
//                ^^^^^ reference call -> Receipt.close
    super.tidy()
//        ^^^^ reference call -> Base.tidy
    if (name == "x") throw new Empty(name)
//                             ^^^^^ reference throw -> Empty
    Books.lookup(s"${label} $name")
//        ^^^^^^ reference call -> Catalogue.lookup
  }

  def sell(item: Item): Unit
//    ^^^^ definition method Shop.sell abstract

  def task = new Task(1) {
//    ^^^^ definition method Shop.task
//               ^^^^ definition class Shop.task.Task{}
//               ^^^^ reference base -> Task
    override def run(): Unit = done()
//               ^^^ definition method Shop.task.Task{}.run
//                             ^^^^ reference call -> Task.done
  }
}

object Shop {
  val Limit = 2
//    ^^^^^ definition field Shop.Limit
  def open(): Receipt = new Till().pay(Limit)
//    ^^^^ definition method Shop.open
//                                 ^^^ reference call -> Till.pay
//                                     ^^^^^ reference read -> Shop.Limit
}
