using Shop.Sales;
// import Shop.Sales

var app = Build();
//        ^^^^^ reference call -> Build
app.MapGet("/items", Handlers.List);
//                            ^^^^ reference read -> Handlers.List
app.MapPost("/items", (Item item) => item.Restock());

static App Build() => new App();
//         ^^^^^ definition function Build

class App
//    ^^^ definition class App
{
    public void MapGet(string path, Action action) { }
//              ^^^^^^ definition method App.MapGet
}

static class Handlers
//           ^^^^^^^^ definition class Handlers
{
    public static void List() { }
//                     ^^^^ definition method Handlers.List
}
