// Package stock keeps what a shop sells.
package stock

import "errors"
// import errors

// ErrEmpty says that nothing is left.
var ErrEmpty = errors.New("empty")
//  ^^^^^^^^ definition variable ErrEmpty exported

// Kind tells items apart.
type Kind int
//   ^^^^ definition type Kind exported

const (
	Small Kind = iota
	// <- definition constant Small exported
	//    ^^^^ reference type -> Kind
	Large
	// <- definition constant Large exported
	tiny, huge = 0, 9
	// <- definition constant tiny private
	//    ^^^^ definition constant huge private
)

// Item is a thing on a shelf.
type Item struct {
//   ^^^^ definition struct Item exported
	Name, label string
	// <- definition field Item.Name exported
	//    ^^^^^ definition field Item.label private
	Kind        Kind
	// <- definition field Item.Kind exported
	//          ^^^^ reference type -> Kind
}

// Restocker is what can be filled up.
type Restocker interface {
//   ^^^^^^^^^ definition interface Restocker
	Restock(amount int) error
	// <- definition method Restocker.Restock abstract
}

// Keeper is a Restocker with a name.
type Keeper interface {
//   ^^^^^^ definition interface Keeper
	Restocker
	// <- reference base -> Restocker
	Owner() *Item
	// <- definition method Keeper.Owner abstract
	//       ^^^^ reference type -> Item
}

var _ Restocker = (*Item)(nil)
//    ^^^^^^^^^ reference implements -> Restocker

// NewItem makes an item of a kind.
func NewItem(name string, kind Kind) (*Item, error) {
//   ^^^^^^^ definition function NewItem exported
//                             ^^^^ reference type -> Kind
//                                     ^^^^ reference type -> Item
	if kind == Large {
	//         ^^^^^ reference read -> Large
		return nil, ErrEmpty
		//          ^^^^^^^^ reference read -> ErrEmpty
	}
	return &Item{Name: name, Kind: kind}, nil
	//      ^^^^ reference new -> Item
}

func (i *Item) Restock(amount int) error {
//             ^^^^^^^ definition method Item.Restock exported
	i.label = i.Name
	//^^^^^ reference read -> Item.label
	//          ^^^^ reference read -> Item.Name
	return nil
}

// Owner is a method on a value without a name for it.
func (Item) Owner() *Item { return nil }
//          ^^^^^ definition method Item.Owner
