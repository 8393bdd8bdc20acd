use super::super::Trouble;
// import super::super Trouble

pub const TOP: usize = 9;
//        ^^^ definition constant TOP

pub fn bound(amount: usize) -> Option<Trouble> {
//     ^^^^^ definition function bound
//                                    ^^^^^^^ reference type
    crate::stock::Item::make("x").err()
    //                  ^^^^ reference call -> Item.make
}
