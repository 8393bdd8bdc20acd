using Shop.Stock;

namespace Shop.Sales
{
    public interface IStore
//                   ^^^^^^ definition interface IStore exported
    {
        void Check();
//           ^^^^^ definition method IStore.Check abstract exported
        int Size { get; }
//          ^^^^ definition property IStore.Size exported
    }

    public abstract class Base(int limit)
//                        ^^^^ definition class Base abstract exported
    {
        protected static void Limited(int limit) { }
//                            ^^^^^^^ definition method Base.Limited static protected
        public abstract void Tidy();
//                           ^^^^ definition method Base.Tidy abstract exported
    }

    class Till
//        ^^^^ definition class Till private
    {
        internal Item Sold;
//                    ^^^^ definition field Till.Sold private
        public Till(int count = 0) { }
//             ^^^^ definition constructor Till.Till
        public int Count() => 0;
//                 ^^^^^ definition method Till.Count
        public Receipt Pay<R>(int amount) => new(amount, Kind.Paper);
//                     ^^^ definition method Till.Pay
//                                                            ^^^^^ reference read -> Kind.Paper
    }

    class BigTill : Till
//        ^^^^^^^ definition class BigTill
//                  ^^^^ reference base -> Till
    {
        public bool Grand() => true;
//                  ^^^^^ definition method BigTill.Grand
    }

    public record Receipt(int Amount, Kind Kind) : IDisposable
//                ^^^^^^^ definition class Receipt exported
//                            ^^^^^^ definition property Receipt.Amount exported
//                                         ^^^^ definition property Receipt.Kind exported
//                                    ^^^^ reference type -> Kind
    {
        public void Close() => Kind.Rank();
//                  ^^^^^ definition method Receipt.Close
//                                  ^^^^ reference call -> KindExtensions.Rank
    }

    public enum Kind { Paper = 1, Mail }
//              ^^^^ definition enum Kind exported
//                     ^^^^^ definition enum_member Kind.Paper exported
//                                ^^^^ definition enum_member Kind.Mail exported

    static class KindExtensions
//               ^^^^^^^^^^^^^^ definition class KindExtensions static
    {
        public static int Rank(this Kind kind) => 1;
//                        ^^^^ definition method KindExtensions.Rank static exported
    }

    struct Box<V>
//         ^^^ definition struct Box
    {
        public int Depth { get; set; }
//                 ^^^^^ definition property Box.Depth
        public Box(object value) { }
//             ^^^ definition constructor Box.Box
        public Item Open() => null;
//                  ^^^^ definition method Box.Open
    }

    class Address { public string Street { get; set; } }
//        ^^^^^^^ definition class Address
//                                ^^^^^^ definition property Address.Street

    class Empty : Exception
//        ^^^^^ definition class Empty
    {
        public bool Bad => false;
//                  ^^^ definition property Empty.Bad
    }
}
