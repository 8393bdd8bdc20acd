use shop::{Item, Shelf};
// import shop Item
// import shop Shelf

#[test]
fn sells() {
// ^^^^^ definition function sells test
    let shelf = Shelf::new(Item { name: String::new() });
    //                 ^^^ reference call -> Shelf.new
    //                     ^^^^ reference new -> Item
    shelf.fill(3);
    //    ^^^^ reference call -> Shelf.fill
}
