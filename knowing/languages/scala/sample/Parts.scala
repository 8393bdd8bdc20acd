package shop

trait Closeable {
//    ^^^^^^^^^ definition trait Closeable
  def close(): Unit
//    ^^^^^ definition method Closeable.close abstract
}

class Base(till: Till) {
//    ^^^^ definition class Base
//         ^^^^ definition field Base.till
  protected def tidy(): Unit = Shop.open()
//              ^^^^ definition method Base.tidy protected
//                                  ^^^^ reference call -> Shop.open
}

abstract class Task(count: Int) {
//             ^^^^ definition class Task
//                  ^^^^^ definition field Task.count
  def done(): Unit = {}
//    ^^^^ definition method Task.done
  def run(): Unit
//    ^^^ definition method Task.run abstract
}

class Till {
//    ^^^^ definition class Till
  def pay(amount: Int): Receipt = Receipt(amount, this)
//    ^^^ definition method Till.pay
//                                ^^^^^^^ reference call -> Receipt
}

class BigTill extends Till {
//    ^^^^^^^ definition class BigTill
//                    ^^^^ reference base -> Till
  def grand(): Boolean = true
//    ^^^^^ definition method BigTill.grand
}

case class Receipt(amount: Int, till: Till) extends Closeable {
//         ^^^^^^^ definition class Receipt
//                 ^^^^^^ definition field Receipt.amount
//                              ^^^^ definition field Receipt.till
  override def close(): Unit = till.pay(amount)
//             ^^^^^ definition method Receipt.close
//                                  ^^^ reference call -> Till.pay
}

class Shelf(size: Int) {
//    ^^^^^ definition class Shelf
//          ^^^^ definition field Shelf.size
  def fill(): Unit = {}
//    ^^^^ definition method Shelf.fill
  def each(action: Any => Unit): Unit = action(size)
//    ^^^^ definition method Shelf.each
}

class Empty(name: String) extends RuntimeException(name) {
//    ^^^^^ definition class Empty
//          ^^^^ definition field Empty.name
  def report(): Unit = {}
//    ^^^^^^ definition method Empty.report
}

class ShopTest {
//    ^^^^^^^^ definition class ShopTest
  @Test
  def testOpen(): Unit = Shop.open().close()
//    ^^^^^^^^ definition method ShopTest.testOpen test
//                                   ^^^^^ reference call -> Receipt.close
}
