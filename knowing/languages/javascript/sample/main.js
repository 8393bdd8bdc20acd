import Shelf, { api, soon } from './shop';
// import ./shop default as Shelf
const goods = require('./catalogue');
// import ./catalogue as goods
const Legacy = require('./legacy');
// import ./legacy as Legacy

const shelf = new Shelf('x');
//    ^^^^^ definition variable shelf
//                ^^^^^ reference call -> Shelf
shelf.fill();
//    ^^^^ reference call -> Shelf.fill
api.get();
//  ^^^ reference call -> api.get
api.extra();
//  ^^^^^ reference call -> api.extra
soon();
// <- reference call -> later
goods.find('y').name();
//    ^^^^ reference call -> lookup
//              ^^^^ reference call -> Item.name
new Legacy().up();
//  ^^^^^^ reference call -> Legacy
//           ^^ reference call -> Legacy.up
