package shop

import shop.stock.Item
// import shop.stock Item

interface Closeable {
//        ^^^^^^^^^ definition interface Closeable
    fun close()
//      ^^^^^ definition method Closeable.close abstract
    val open: Boolean
//      ^^^^ definition property Closeable.open
}

open class Base(till: Till) {
//         ^^^^ definition class Base
    protected fun tidy() {}
//                ^^^^ definition method Base.tidy protected
    internal fun register(base: Base) {}
//               ^^^^^^^^ definition method Base.register private
}

abstract class Task(count: Int) {
//             ^^^^ definition class Task abstract
    fun done() {}
//      ^^^^ definition method Task.done
    abstract fun run()
//               ^^^ definition method Task.run abstract
}

open class Till(count: Int) {
//         ^^^^ definition class Till
    fun count() = Shop.MOST
//      ^^^^^ definition method Till.count
//                     ^^^^ reference read -> Shop.MOST
    fun pay(amount: Int): Receipt = Receipt(this, Kind.PAPER)
//      ^^^ definition method Till.pay
//                                  ^^^^^^^ reference call -> Receipt
//                                                     ^^^^^ reference read -> Kind.PAPER
    fun ring(then: () -> Unit) = then()
//      ^^^^ definition method Till.ring
}

class BigTill : Till(2) {
//    ^^^^^^^ definition class BigTill
//              ^^^^ reference base -> Till
    fun grand() = true
//      ^^^^^ definition method BigTill.grand
}

data class Receipt(val till: Till, val kind: Kind) {
//         ^^^^^^^ definition class Receipt
//                     ^^^^ definition property Receipt.till
//                                     ^^^^ definition property Receipt.kind
    fun close() = kind.check()
//      ^^^^^ definition method Receipt.close
//                     ^^^^^ reference call -> Kind.check
}

enum class Kind(val code: Int) {
//         ^^^^ definition enum Kind
//                  ^^^^ definition property Kind.code
    PAPER(1) {
//  ^^^^^ definition enum_member Kind.PAPER
//           ^ definition class Kind.PAPER{}
        override fun check() {}
//                   ^^^^^ definition method Kind.PAPER{}.check
    },
    MAIL(2);
//  ^^^^ definition enum_member Kind.MAIL

    open fun check() {
//           ^^^^^ definition method Kind.check
        when (this) {
            PAPER -> Registry.note(code)
//          ^^^^^ reference read -> Kind.PAPER
//                            ^^^^ reference call -> Registry.note
            else -> throw Empty("kind")
//                        ^^^^^ reference throw -> Empty
        }
    }
}

object Registry {
//     ^^^^^^^^ definition class Registry
    fun note(code: Int) {}
//      ^^^^ definition method Registry.note
}

class Box<V>(value: V) {
//    ^^^ definition class Box
    fun open(): Item? = null
//      ^^^^ definition method Box.open
}

class Empty(name: String) : RuntimeException(name) {
//    ^^^^^ definition class Empty
    fun report() {}
//      ^^^^^^ definition method Empty.report
}

annotation class Marked(val value: String)
//               ^^^^^^ definition class Marked
//                          ^^^^^ definition property Marked.value
