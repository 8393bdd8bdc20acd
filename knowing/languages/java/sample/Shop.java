package shop;

import static shop.stock.Catalogue.lookup;
// import shop.stock.Catalogue lookup
import shop.stock.*;
// import shop.stock
import shop.stock.Item;
// import shop.stock Item
import java.util.List;
// import java.util List
import java.util.function.Function;

/** Sells things. */
@RequestMapping("/shop")
public abstract class Shop<T extends Item> extends Base implements Closeable, Comparable<Shop<T>> {
//                    ^^^^ definition class Shop abstract exported
//                                   ^^^^ reference type -> Item
//                                                 ^^^^ reference base -> Base
//                                                                 ^^^^^^^^^ reference implements -> Closeable
    private static final int LIMIT = 3;
//                           ^^^^^ definition constant Shop.LIMIT private static
    @Inject protected Till till, spare = new Till();
//                         ^^^^ definition field Shop.till protected
//                    ^^^^ reference type -> Till
//                               ^^^^^ definition field Shop.spare protected
//                                           ^^^^ reference call -> Till
    final List<Item> items;
//                   ^^^^^ definition field Shop.items private
//             ^^^^ reference type -> Item
    private int size;
//              ^^^^ definition field Shop.size

    static {
        register(Shop.class);
//      ^^^^^^^^ reference call -> Base.register
//               ^^^^ reference type -> Shop
    }

    public Shop(List<Item> items) {
//         ^^^^ definition constructor Shop.Shop exported
        super(LIMIT);
//      ^^^^^ reference call
//            ^^^^^ reference read -> Shop.LIMIT
        this.items = items;
//           ^^^^^ reference read -> Shop.items
    }

    protected Shop() {
//            ^^^^ definition constructor Shop.Shop protected
        this(null);
//      ^^^^ reference call
    }

    int size() {
//      ^^^^ definition method Shop.size
        return size;
//             ^^^^ reference read -> Shop.size
    }

    @GetMapping("/{name}")
//   ^^^^^^^^^^ reference decorator
    public <R> Item find(@Nullable final String name, Till... tills) throws Empty {
//                  ^^^^ definition method Shop.find exported
//             ^^^^ reference type -> Item
//                                                    ^^^^ reference type -> Till
//                                                                          ^^^^^ reference throw -> Empty
        int size = size();
//                 ^^^^ reference call -> Shop.size
        var first = new Box<Item>(name);
//                      ^^^ reference call -> Shop.Box
//                          ^^^^ reference type -> Item
        var box = new Box<>(size);
//                    ^^^ reference call -> Shop.Box
        box.open().restock();
//          ^^^^ reference call -> Shop.Box.open
        Till till = new Till(), second;
        till.pay(LIMIT).close();
//           ^^^ reference call -> Till.pay
//                      ^^^^^ reference call -> Receipt.close
        second = till;
        second.<String>pay(1);
//                     ^^^ reference call -> Till.pay
        for (Item item : items) {
            item.restock();
//               ^^^^^^^ reference call -> Item.restock
        }
        try (Receipt receipt = till.pay(2)) {
            receipt.print(Shop.LIMIT);
//                  ^^^^^ reference call -> Receipt.print
//                             ^^^^^ reference read -> Shop.LIMIT
        } catch (Empty | IllegalStateException problem) {
            problem.report();
//                  ^^^^^^ reference call -> Empty.report
        }
        if (second instanceof BigTill big && big.grand()) {
//                                               ^^^^^ reference call -> BigTill.grand
//                            ^^^^^^^ reference type -> BigTill
            ((BigTill) second).grand();
//                             ^^^^^ reference call -> BigTill.grand
        }
        unknown(name).restock();
//                    ^^^^^^^ reference call -> ?
        if (size > LIMIT) {
            throw new Empty(name);
//                    ^^^^^ reference throw -> Empty
        }
        return lookup(name);
//             ^^^^^^ reference call -> Catalogue.lookup
    }

    void callbacks(Function<Item, String> show) {
//       ^^^^^^^^^ definition method Shop.callbacks
        items.forEach(Item::restock);
//                          ^^^^^^^ reference read -> Item.restock
        items.forEach(this::sell);
//                          ^^^^ reference read -> Shop.sell
        items.stream().map(Box::new);
//                         ^^^ reference call -> Shop.Box
        items.forEach(item -> sell(item));
//                            ^^^^ reference call -> Shop.sell
        show.apply(null);
        super.tidy();
//            ^^^^ reference call -> Base.tidy
        tidy();
//      ^^^^ reference call -> Base.tidy
    }

    abstract void sell(Item item);
//                ^^^^ definition method Shop.sell abstract
    void sell(Item item, int count) {
//       ^^^^ definition method Shop.sell
        Runnable task = new Task(count) {
//                          ^^^^ reference base -> Task
//                          ^^^^ definition class Shop.sell.Task{}
            private int runs = 0;
//                      ^^^^ definition field Shop.sell.Task{}.runs private
            @Override
            public void run() {
//                      ^^^ definition method Shop.sell.Task{}.run
                runs++;
                Shop.this.find("x");
//                        ^^^^ reference call -> Shop.find
                done();
//              ^^^^ reference call -> Task.done
            }
        };
        class Local {
//            ^^^^^ definition class Shop.sell.Local
            void go() {}
//               ^^ definition method Shop.sell.Local.go
        }
        new Local().go();
//                  ^^ reference call -> Shop.sell.Local.go
        new ProcessBuilder(System.getenv("SHELL"));
    }

    static class Box<V> {
//               ^^^ definition class Shop.Box static
        Box(Object value) {}
//      ^^^ definition constructor Shop.Box.Box
        Item open() { return null; }
//           ^^^^ definition method Shop.Box.open
    }

    interface Rule {
//            ^^^^ definition interface Shop.Rule
        int MAX = 9;
//          ^^^ definition constant Shop.Rule.MAX exported
        boolean allows(Item item);
//              ^^^^^^ definition method Shop.Rule.allows abstract exported
        default boolean always() { return allows(null); }
//                      ^^^^^^ definition method Shop.Rule.always exported
//                                        ^^^^^^ reference call -> Shop.Rule.allows
    }
}
