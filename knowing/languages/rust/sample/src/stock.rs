/// How big a thing is.
pub mod limits;
// import self::limits

pub enum Kind {
//       ^^^^ definition enum Kind
    Small,
    // <- definition enum_member Kind.Small
    Large(usize),
    // <- definition enum_member Kind.Large
}

pub trait Restock {
//        ^^^^^^^ definition trait Restock
    fn restock(&self, amount: usize);
    // ^^^^^^^ definition method Restock.restock abstract
}

/// A thing on a shelf.
#[derive(Clone)]
pub struct Item {
//         ^^^^ definition struct Item exported
    pub name: String,
    //  ^^^^ definition field Item.name
}

impl Item {
    pub fn make(name: &str) -> Result<Item, super::Trouble> {
    //     ^^^^ definition method Item.make exported
    //                                ^^^^ reference type -> Item
    //                                             ^^^^^^^ reference type
        Ok(Self { name: name.to_string() })
        // ^^^^ reference new -> Item
    }

    pub fn price(&self) -> usize {
    //     ^^^^^ definition method Item.price
        self.name.len()
        //   ^^^^ reference read -> Item.name
    }
}

impl Restock for Item {
//   ^^^^^^^ reference implements -> Restock
    fn restock(&self, amount: usize) {}
    // ^^^^^^^ definition method Item.restock
}

impl<'a> Restock for &'a [u8] {
//       ^^^^^^^ reference implements
    fn restock(&self, amount: usize) {}
    // ^^^^^^^ definition method restock
}
