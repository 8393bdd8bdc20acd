'use strict';
/**
 * What the shop sells.
 */
class Item {
//    ^^^^ definition class Item exported
  #price = 0;
//^^^^^^ definition field Item.#price private
  static count = 1;
//       ^^^^^ definition field Item.count static
  label = () => this.name();
//^^^^^ definition method Item.label
//                   ^^^^ reference call -> Item.name

  constructor(name) {
//^^^^^^^^^^^ definition constructor Item.constructor
    this.title = name;
//       ^^^^^ definition field Item.title
    this.restock = this.restock.bind(this);
  }

  name() {
//^^^^ definition method Item.name
    return this.title;
//              ^^^^^ reference read -> Item.title
  }

  get price() {
//    ^^^^^ definition property Item.price
    return this.#price;
//              ^^^^^^ reference read -> Item.#price
  }

  async restock() {
//      ^^^^^^^ definition method Item.restock async
    return this;
  }
}

function lookup(name) {
//       ^^^^^^ definition function lookup exported
  return new Item(name);
//           ^^^^ reference call -> Item
}

function hidden() {}
//       ^^^^^^ definition function hidden private

exports.size = function (item) {
//      ^^^^ definition function size exported
  return item.unknown().restock();
//                      ^^^^^^^ reference call -> ?
};

module.exports = { Item, find: lookup, list() { return []; } };
//                                     ^^^^ definition method list exported
