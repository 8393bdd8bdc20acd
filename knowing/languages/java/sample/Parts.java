package shop;

abstract class Base {
//             ^^^^ definition class Base abstract private
    Base(int limit) {}
//  ^^^^ definition constructor Base.Base
    static void register(Class<?> type) {}
//              ^^^^^^^^ definition method Base.register static
    protected void tidy() {}
//                 ^^^^ definition method Base.tidy protected
}

interface Closeable {
//        ^^^^^^^^^ definition interface Closeable
}

class Task implements Runnable {
//    ^^^^ definition class Task
    Task(int count) {}
//  ^^^^ definition constructor Task.Task
    void done() {}
//       ^^^^ definition method Task.done
    public void run() {}
//              ^^^ definition method Task.run
}

class Till {
//    ^^^^ definition class Till
    <R> Receipt pay(int amount) {
//              ^^^ definition method Till.pay
        return new Receipt(amount, Kind.PAPER);
//                 ^^^^^^^ reference call -> Receipt
//                                      ^^^^^ reference read -> Kind.PAPER
    }
}

class BigTill extends Till {
//    ^^^^^^^ definition class BigTill
//                    ^^^^ reference base -> Till
    boolean grand() { return true; }
//          ^^^^^ definition method BigTill.grand
}

record Receipt(int amount, Kind kind) implements AutoCloseable {
//     ^^^^^^^ definition class Receipt
//                 ^^^^^^ definition field Receipt.amount
//                              ^^^^ definition field Receipt.kind
    Receipt {
//  ^^^^^^^ definition constructor Receipt.Receipt
        kind.check(amount);
//           ^^^^^ reference call -> Kind.check
    }

    void print(int copies) {}
//       ^^^^^ definition method Receipt.print
    public void close() {}
//              ^^^^^ definition method Receipt.close exported
}

enum Kind {
//   ^^^^ definition enum Kind
    PAPER(1) {
//  ^^^^^ definition enum_member Kind.PAPER exported
//           ^ definition class Kind.PAPER{}
        @Override
        void check(int amount) {}
//           ^^^^^ definition method Kind.PAPER{}.check
    },
    MAIL(2);
//  ^^^^ definition enum_member Kind.MAIL

    private final int code;
//                    ^^^^ definition field Kind.code private

    Kind(int code) {
//  ^^^^ definition constructor Kind.Kind
        this.code = code;
    }

    void check(int amount) {
//       ^^^^^ definition method Kind.check
        switch (this) {
            case PAPER:
//               ^^^^^ reference read -> Kind.PAPER
                break;
            default:
                throw new Empty("kind");
//                        ^^^^^ reference throw -> Empty
        }
    }
}

@interface Marked {
//         ^^^^^^ definition interface Marked
    String value() default "";
//         ^^^^^ definition method Marked.value
}

class Empty extends RuntimeException {
//    ^^^^^ definition class Empty
    Empty(String name) {}
//  ^^^^^ definition constructor Empty.Empty
    void report() {}
//       ^^^^^^ definition method Empty.report
}
