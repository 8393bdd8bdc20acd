function Legacy() {
//       ^^^^^^ definition function Legacy exported
  this.down();
//     ^^^^ reference call -> Legacy.down
}

Legacy.prototype.up = function () {
//               ^^ definition method Legacy.up
  return this.down();
//            ^^^^ reference call -> Legacy.down
};

Legacy.prototype.down = () => null;
//               ^^^^ definition method Legacy.down

module.exports = Legacy;
