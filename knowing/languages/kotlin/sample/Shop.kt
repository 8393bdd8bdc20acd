package shop

import shop.stock.Item
// import shop.stock Item
import shop.stock.lookup as find
// import shop.stock lookup as find
import shop.stock.*
// import shop.stock

typealias Handler = (Item) -> Unit
//        ^^^^^^^ definition type Handler
//                   ^^^^ reference type -> Item
const val LIMIT = 3
//        ^^^^^ definition constant LIMIT exported
private val spare: Till = Till(LIMIT)
//          ^^^^^ definition variable spare private
//                 ^^^^ reference type -> Till
//                        ^^^^ reference call -> Till
//                             ^^^^^ reference read -> LIMIT
val Till.worth: Int get() = this.count()
//       ^^^^^ definition property Till.worth
//                               ^^^^^ reference call -> Till.count

/** Sells things. */
@RestController
@RequestMapping("/shop")
abstract class Shop<T : Item>(val till: Till, private var label: String, backup: Till) : Base(till), Closeable {
//             ^^^^ definition class Shop abstract exported
//                      ^^^^ reference type -> Item
//                                ^^^^ definition property Shop.till exported
//                                                        ^^^^^ definition property Shop.label private
//                                                                                       ^^^^ reference base -> Base
//                                                                                                   ^^^^^^^^^ reference base -> Closeable
    private val items = mutableListOf<Item>()
//              ^^^^^ definition property Shop.items private
    lateinit var drawer: Till
//               ^^^^^^ definition property Shop.drawer
//                       ^^^^ reference type -> Till
    val box by lazy { Box(backup) }
//      ^^^ definition property Shop.box
//                    ^^^ reference call -> Box
//                        ^^^^^^ reference read

    init {
        val first = Till(1)
        first.count()
//            ^^^^^ reference call -> Till.count
    }

    constructor(count: Int) : this(Till(count), "b", spare) {
//  ^^^^^^^^^^^ definition constructor Shop.constructor
//                            ^^^^ reference call
//                                                   ^^^^^ reference read -> spare
        register(this)
//      ^^^^^^^^ reference call -> Base.register
    }

    @GetMapping("/{name}")
//   ^^^^^^^^^^ reference decorator
    suspend fun <R> find(name: String, vararg tills: Till, show: (Item) -> R): Item? {
//                  ^^^^ definition method Shop.find async exported
//                                                   ^^^^ reference type -> Till
//                                                                             ^^^^ reference type -> Item
        val box = Box<Item>(name)
//                ^^^ reference call -> Box
        box.open().restock()
//          ^^^^ reference call -> Box.open
//                 ^^^^^^^ reference call -> Item.restock
        val other: Till = till.pay(1).till
//                             ^^^ reference call -> Till.pay
//                                    ^^^^ reference read -> Receipt.till
        other?.pay(LIMIT)!!.close()
//             ^^^ reference call -> Till.pay
//                          ^^^^^ reference call -> Receipt.close
        for (item: Item in items) item.restock()
//                                     ^^^^^^^ reference call -> Item.restock
        try {
            till.ring { tidy() }
//               ^^^^ reference call -> Till.ring
//                      ^^^^ reference call -> Base.tidy
        } catch (problem: Empty) {
            problem.report()
//                  ^^^^^^ reference call -> Empty.report
        }
        if (other is BigTill) (other as BigTill).grand()
//                   ^^^^^^^ reference type -> BigTill
//                                               ^^^^^ reference call -> BigTill.grand
        unknown(name).restock()
//                    ^^^^^^^ reference call -> ?
        items.forEach(Item::restock)
//                          ^^^^^^^ reference read -> Item.restock
        items.forEach(::sell)
//                      ^^^^ reference read -> Shop.sell
        val text = "${label(other)} and $LIMIT"
//                    ^^^^^ reference call -> Shop.label
//                                       ^^^^^ reference read -> LIMIT
        super.tidy()
//            ^^^^ reference call -> Base.tidy
        println(System.getenv("SHELL"))
        spare.shake()
//            ^^^^^ reference call -> Till.shake
        return find(text) ?: throw Empty(name)
//                                 ^^^^^ reference throw -> Empty
    }

    private fun label(till: Till) = till.pay(2)
//              ^^^^^ definition method Shop.label private
    fun print() = label(spare).close()
//      ^^^^^ definition method Shop.print
//                             ^^^^^ reference call -> Receipt.close
    abstract fun sell(item: Item)
//               ^^^^ definition method Shop.sell abstract

    fun task() = object : Task(1), Closeable {
//      ^^^^ definition method Shop.task
//                        ^^^^ definition class Shop.task.Task{}
//                        ^^^^ reference base -> Task
//                                 ^^^^^^^^^ reference base -> Closeable
        val runs = 0
//          ^^^^ definition property Shop.task.Task{}.runs
        override fun run() {
//                   ^^^ definition method Shop.task.Task{}.run
            this@Shop.print()
//                    ^^^^^ reference call -> Shop.print
            done()
//          ^^^^ reference call -> Task.done
        }
    }

    companion object {
        const val MOST = 9
//                ^^^^ definition constant Shop.MOST static
        fun open(): Shop<Item>? = null
//          ^^^^ definition method Shop.open static
    }

    inner class Shelf {
//              ^^^^^ definition class Shop.Shelf
        fun fill() = print()
//          ^^^^ definition method Shop.Shelf.fill
//                   ^^^^^ reference call -> Shop.print
    }
}

fun Till.shake(): Boolean {
//       ^^^^^ definition method Till.shake exported
    fun nested(till: Till) = till.count()
//      ^^^^^^ definition function Till.shake.nested
    return nested(this)
//         ^^^^^^ reference call -> Till.shake.nested
}
