using System.Linq;
// import System.Linq
using Shop.Stock;
// import Shop.Stock
using static Shop.Stock.Catalogue;
// import Shop.Stock.Catalogue
using Goods = Shop.Stock.Item;
// import Shop.Stock.Item as Goods
global using Shop.Extra;
// import Shop.Extra

namespace Shop.Sales;

/// <summary>Sells things.</summary>
[Marked("/shop")]
public partial class Store<T> : Base, IStore where T : Item, new()
//                   ^^^^^ definition class Store exported
//                              ^^^^ reference base -> Base
//                                    ^^^^^^ reference base -> IStore
//                                                     ^^^^ reference type -> Item
{
    public const int Limit = 3, Least = 1;
//                   ^^^^^ definition constant Store.Limit exported
//                              ^^^^^ definition constant Store.Least exported
    private static readonly Till _till = new Till();
//                               ^^^^^ definition field Store._till private static
//                          ^^^^ reference type -> Till
//                                           ^^^^ reference call -> Till
    protected Till? spare = new();
//                  ^^^^^ definition field Store.spare protected
    public Address Address { get; private set; }
//                 ^^^^^^^ definition property Store.Address exported
//         ^^^^^^^ reference type -> Address
    public int Size => _till.Count();
//             ^^^^ definition property Store.Size exported
//                           ^^^^^ reference call -> Till.Count
    public event Changed OnChange;
//                       ^^^^^^^^ definition field Store.OnChange
//               ^^^^^^^ reference type -> Store.Changed
    public event Changed Watched { add { Watch(); } remove { } }
//                       ^^^^^^^ definition property Store.Watched
//                                       ^^^^^ reference call -> Store.Watch
    public delegate void Changed(Item item);
//                       ^^^^^^^ definition type Store.Changed
    public Item this[int index] => Lookup("x");
//              ^^^^ definition property Store.this
//                                 ^^^^^^ reference call -> Catalogue.Lookup
    public static Store<T> operator +(Store<T> left, Item right) => left;
//                         ^^^^^^^^ definition method Store.operator static
//                                    ^^^^^ reference type -> Store

    static Store() { Limited(Least); }
//         ^^^^^ definition constructor Store.Store static
//                   ^^^^^^^ reference call -> Base.Limited
//                           ^^^^^ reference read -> Store.Least

    public Store(Address address) : base(Limit)
//         ^^^^^ definition constructor Store.Store exported
//                                  ^^^^ reference call
//                                       ^^^^^ reference read -> Store.Limit
    {
        this.Address = address;
//           ^^^^^^^ reference read -> Store.Address
        Address = new Address { Street = "x" };
//                    ^^^^^^^ reference new -> Address
    }

    [HttpGet("{name}")]
//   ^^^^^^^ reference decorator
    public async Task<Item> Find<R>([FromQuery] string name, Till till, params Goods[] rest)
//                          ^^^^ definition method Store.Find async exported
//                    ^^^^ reference type -> Item
//                                                           ^^^^ reference type -> Till
//                                                                             ^^^^^ reference type -> Item
    {
        var box = new Box<Item>("a") { Depth = 1 };
//                    ^^^ reference call -> Box
//                        ^^^^ reference type -> Item
        box.Open().Restock();
//          ^^^^ reference call -> Box.Open
//                 ^^^^^^^ reference call -> Item.Restock
        Till other = new(2);
        other.Pay<int>(Limit)?.Close();
//            ^^^ reference call -> Till.Pay
//                             ^^^^^ reference call -> Receipt.Close
        Item Nested(Till inner) => inner.Sold;
//           ^^^^^^ definition function Store.Find.Nested
//                                       ^^^^ reference read -> Till.Sold
        foreach (Item item in rest) item.Restock();
//                                       ^^^^^^^ reference call -> Item.Restock
        using var receipt = till.Pay<int>(1);
        receipt!.Close();
//               ^^^^^ reference call -> Receipt.Close
        try { Nested(till); }
//            ^^^^^^ reference call -> Store.Find.Nested
        catch (Empty problem) when (problem.Bad) { throw; }
//             ^^^^^ reference type -> Empty
//                                          ^^^ reference read -> Empty.Bad
        if (other is BigTill big && big.Grand()) (other as BigTill)?.Grand();
//                   ^^^^^^^ reference type -> BigTill
//                                      ^^^^^ reference call -> BigTill.Grand
//                                                                   ^^^^^ reference call -> BigTill.Grand
        ((BigTill)other).Grand();
//                       ^^^^^ reference call -> BigTill.Grand
        var found = await Ask(name);
        found.Restock();
//            ^^^^^^^ reference call -> Item.Restock
        found.Polish();
//            ^^^^^^ reference call -> ItemExtensions.Polish
        rest.Select(good => good.Size).Where(Allowed);
//                                           ^^^^^^^ reference read -> Store.Allowed
        OnChange += Announce;
//                  ^^^^^^^^ reference read -> Store.Announce
        Unknown(name).Restock();
//                    ^^^^^^^ reference call -> ?
        Fill(out Receipt filled, $"{Label(other)}");
//                                  ^^^^^ reference call -> Store.Label
        filled.Close();
//             ^^^^^ reference call -> Receipt.Close
        base.Tidy();
//           ^^^^ reference call -> Base.Tidy
        Tidy();
//      ^^^^ reference call -> Base.Tidy
        Environment.GetEnvironmentVariable("SHELL");
        return name == nameof(Size) ? throw new Empty() : found;
//                                              ^^^^^ reference throw -> Empty
    }

    private Task<Item> Ask(string name) => null;
//                     ^^^ definition method Store.Ask private
    private string Label(Till till) => till.ToString();
//                 ^^^^^ definition method Store.Label private
    void Fill(out Receipt receipt, string text) { receipt = null; }
//       ^^^^ definition method Store.Fill private
    bool Allowed(int size) => size > Limit;
//       ^^^^^^^ definition method Store.Allowed
    void Announce(Item item) { }
//       ^^^^^^^^ definition method Store.Announce
    void Watch() { }
//       ^^^^^ definition method Store.Watch
    void IStore.Check() { }
//              ^^^^^ definition method Store.Check
//       ^^^^^^ reference type -> IStore
}
