//! Sells things
//! of all kinds.
use std::collections::HashMap;
// import std::collections HashMap
use std::env;
use std::process::Command;

pub use stock::{Item, Kind as Sort, Restock};
// import stock Kind as Sort
// import stock Item
// import stock Restock
use crate::{
    // What lies below, deeper, and all of it.
    stock::limits::{self, TOP as HIGHEST},
};
use crate::stock::limits::*;
// import crate::stock::limits
use self::paint::Colour;

mod stock;
// import self::stock

/// What a shelf may go wrong with.
#[derive(Debug, Label)]
//              ^^^^^ reference decorator
pub enum Trouble {
//       ^^^^^^^ definition enum Trouble exported
    Empty,
    // <- definition enum_member Trouble.Empty
    Broken(Item),
    // <- definition enum_member Trouble.Broken
    //     ^^^^ reference type -> Item
    Lost { item: Item },
    // <- definition enum_member Trouble.Lost
}

pub type Outcome<T> = Result<T, Trouble>;
//       ^^^^^^^ definition type Outcome exported
//                              ^^^^^^^ reference type -> Trouble

const LIMIT: usize = 3;
//    ^^^^^ definition constant LIMIT private
static mut SHELVES: Option<Shelf<Item>> = None;
//         ^^^^^^^ definition variable SHELVES
//                         ^^^^^ reference type -> Shelf

/// Holds things.
pub struct Shelf<T> {
//         ^^^^^ definition struct Shelf exported
    pub first: Option<Item>,
    //  ^^^^^ definition field Shelf.first exported
    //                ^^^^ reference type -> Item
    pub(crate) colour: Box<Colour>,
    //         ^^^^^^ definition field Shelf.colour protected
    //                     ^^^^^^ reference type -> Colour
    rest: Vec<T>,
    // <- definition field Shelf.rest private
}

pub struct Pair(pub Item, Colour);
//         ^^^^ definition struct Pair
//                  ^^^^ reference type -> Item

pub mod paint {
//      ^^^^^ definition namespace paint
    use super::Item;
    // import self Item

    pub struct Colour;
    //         ^^^^^^ definition struct Colour exported

    impl Colour {
        pub const RED: u8 = 1;
        //        ^^^ definition constant Colour.RED
        pub fn mix(&self, item: &Item) -> Self {
        //     ^^^ definition method Colour.mix exported
        //                       ^^^^ reference type -> Item
        //                                ^^^^ reference type -> Colour
            item.restock(1);
            //   ^^^^^^^ reference call -> Item.restock
            super::price(0);
            //     ^^^^^ reference call -> price
            Self
        }
    }
}

/// Something that can be shown.
pub trait Label: Restock {
//        ^^^^^ definition trait Label exported
//               ^^^^^^^ reference base -> Restock
    type Text;
    //   ^^^^ definition type Label.Text abstract
    const SIZE: usize;
    //    ^^^^ definition constant Label.SIZE
    fn text(&self) -> Self::Text;
    // ^^^^ definition method Label.text abstract exported
    fn show(&self) -> String {
    // ^^^^ definition method Label.show exported
        self.text();
        //   ^^^^ reference call -> Label.text
        String::new()
    }
}

impl<T> Shelf<T>
where
    T: Label,
    // ^^^^^ reference type -> Label
{
    pub fn new(first: Item) -> Self {
    //     ^^^ definition method Shelf.new exported
    //                ^^^^ reference type -> Item
        Self { first: Some(first), colour: Box::new(Colour), rest: Vec::new() }
    }

    pub async fn fill(&mut self, other: T) -> Outcome<()> {
    //           ^^^^ definition method Shelf.fill async exported
    //                                  ^ reference type
    //                                        ^^^^^^^ reference type -> Outcome
        other.show();
        //    ^^^^ reference call -> Label.show
        let item = self.first.clone().unwrap();
        item.restock(LIMIT);
        //   ^^^^^^^ reference call -> Item.restock
        //           ^^^^^ reference read -> LIMIT
        let again: &Item = &item;
        //          ^^^^ reference type -> Item
        again.restock(TOP);
        //    ^^^^^^^ reference call -> Item.restock
        //            ^^^ reference read -> TOP
        let made = Item::make("box")?;
        //               ^^^^ reference call -> Item.make
        made.restock(1);
        //   ^^^^^^^ reference call -> Item.restock
        if let Some(found) = self.first.as_ref() {
            found.restock(2);
            //    ^^^^^^^ reference call -> Item.restock
        }
        self.colour.mix(&made);
        //          ^^^ reference call -> Colour.mix
        let made = Colour;
        made.mix(&item);
        //   ^^^ reference call -> Colour.mix
        self.check::<u8>(Sort::Small).await?;
        //   ^^^^^ reference call -> Shelf.check
        //                     ^^^^^ reference read -> Kind.Small
        self.rest.iter().map(price_of).for_each(|each| each.restock(1));
        //                   ^^^^^^^^ reference read -> price_of
        //                                                  ^^^^^^^ reference call -> ?
        unknown().restock(4);
        //        ^^^^^^^ reference call -> ?
        Ok(())
    }

    async fn check<U>(&self, kind: Sort) -> Outcome<U> {
    //       ^^^^^ definition method Shelf.check private
        match kind {
            Sort::Small => Err(Trouble::Broken(Item { name: String::new() })),
            //                          ^^^^^^ reference call
            //                                 ^^^^ reference new -> Item
            Sort::Large(size) => Err(Trouble::Empty),
            //    ^^^^^ reference call
        }
    }
}

impl<T> Restock for Shelf<T> {
//      ^^^^^^^ reference implements -> Restock
    fn restock(&self, amount: usize) {
    // ^^^^^^^ definition method Shelf.restock exported
        assert_eq!(price(amount), self.first.unwrap().price(), "{}", LIMIT);
        //         ^^^^^ reference call -> price
        //                                            ^^^^^ reference call -> Item.price
        //                                                           ^^^^^ reference read -> LIMIT
        label!(amount);
        // <- reference call -> label
    }
}

macro_rules! label {
//           ^^^^^ definition macro label
    ($text:expr) => {
        price($text)
        // <- reference call -> price
    };
}

fn price(amount: usize) -> usize {
// ^^^^^ definition function price private
    fn inner() {}
    // ^^^^^ definition function price.inner
    inner();
    // <- reference call -> price.inner
    stock::limits::bound(amount);
    //             ^^^^^ reference call -> bound
    amount
}

fn price_of<T>(thing: &T) -> usize
// ^^^^^^^^ definition function price_of
where
    T: Label,
{
    thing.show();
    //    ^^^^ reference call -> Label.show
    env::var("SHOP").map(|_| Command::new("git"));
    0
}

#[get("/items")]
async fn list(names: HashMap<String, Item>) -> Option<Item> {
//       ^^^^ definition function list async
//                                   ^^^^ reference type -> Item
    None
}

#[cfg(test)]
mod tests {
//  ^^^^^ definition namespace tests test
    use super::*;
    // import self

    fn helper() -> Item {
    // ^^^^^^ definition function helper test
        Item { name: String::new() }
        // <- reference new -> Item
    }

    #[test]
    fn fills() {
    // ^^^^^ definition function fills test test_case
        assert!(helper().price() > price(2));
        //      ^^^^^^ reference call -> helper
        //               ^^^^^ reference call -> Item.price
        //                         ^^^^^ reference call -> price
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn waits() {}
    //       ^^^^^ definition function waits test test_case async
}
