// A shop.
const { Item, lookup: search, find } = require('./catalogue');
// import ./catalogue Item
// import ./catalogue lookup as search
// import ./catalogue find
const catalogue = require('./catalogue');
// import ./catalogue as catalogue
const path = require('path').join;
// import path join as path
import start, { Button as Push } from './view.jsx';
// import ./view.jsx default as start
// import ./view.jsx Button as Push
import * as view from './view';
// import ./view as view
import './side';
// import ./side
export { Button } from './view';
// import ./view Button
export * as views from './view';
// import ./view as views

const LIMIT = 3;
//    ^^^^^ definition constant LIMIT private
let open = false;
//  ^^^^ definition variable open

/** Counts things. */
export const count = (things = LIMIT) => things.map((thing) => search(thing));
//           ^^^^^ definition function count exported
//                             ^^^^^ reference read -> LIMIT
//                                                             ^^^^^^ reference call -> lookup

export default class Shelf extends Item {
//                   ^^^^^ definition class Shelf exported
//                                 ^^^^ reference base -> Item
  fill(first, ...rest) {
//^^^^ definition method Shelf.fill
    super.restock();
//        ^^^^^^^ reference call -> Item.restock
    const item = new Item('a');
    item.restock();
//       ^^^^^^^ reference call -> Item.restock
    first?.restock?.();
//         ^^^^^^^ reference call -> ?
    const found = catalogue.lookup('b');
//                          ^^^^^^ reference call -> lookup
    found.name();
//        ^^^^ reference call -> Item.name
    if (!rest.length) {
      throw new Empty(`nothing in ${LIMIT}`);
//              ^^^^^ reference throw -> Empty
    }
    rest.forEach(count);
//               ^^^^^ reference read -> count
    function inner() {}
//           ^^^^^ definition function Shelf.fill.inner
    return { inner, later: () => inner() };
//                  ^^^^^ definition method Shelf.fill.later
//                               ^^^^^ reference call -> Shelf.fill.inner
  }
}

class Empty extends Error {}
//    ^^^^^ definition class Empty

function Counter() {
//       ^^^^^^^ definition function Counter
  this.value = 0;
}
Counter.prototype.up = function up() {
//                ^^ definition method Counter.up
  return find('c');
//       ^^^^ reference call
};

const api = {
//    ^^^ definition variable api
  get() {
//^^^ definition method api.get
    return count([]);
//         ^^^^^ reference call -> count
  },
  post: async (item) => item,
//^^^^ definition method api.post async
};

api.extra = function () {
//  ^^^^^ definition method api.extra
  const { a, b: c } = open;
  return [a, c];
};

app.get('/items', api.get);
app.post('/items', (req, res) => res.send(process.env.SHOP));

describe('shelf', () => {
  const shelf = new Shelf();
  it('is filled: once', () => {
//    ^^^^^^^^^^^^^^^ definition function is_filled:_once test test_case
    shelf.fill();
//        ^^^^ reference call -> Shelf.fill
  });
});

const later = async () => {
//    ^^^^^ definition function later async
  const lazy = await import('./view');
// import ./view as lazy
  lazy.start();
//     ^^^^^ reference call -> start
};
export { api, later as soon };
