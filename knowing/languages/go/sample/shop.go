// Package shop sells things.
package shop

import (
	"fmt"
	// import fmt
	"net/http"
	// import net/http
	"os"
	"os/exec"

	. "example.com/shop/paint"
	// import example.com/shop/paint
	things "example.com/shop/stock"
	// import example.com/shop/stock as things
	_ "example.com/shop/stock"
)

type (
	// Handler does one thing.
	Handler func(item *things.Item) error
	// <- definition type Handler exported
	//                        ^^^^ reference read -> Item
	// Thing is another name for an item.
	Thing = things.Item
	// <- definition type Thing exported
	//             ^^^^ reference type -> Item
)

// Shelf holds things.
type Shelf[T any] struct {
//   ^^^^^ definition struct Shelf exported
	*base
//^^^^ definition field Shelf.base private
//^^^^ reference base -> base
	things.Keeper
	//     ^^^^^^ definition field Shelf.Keeper
	//     ^^^^^^ reference base -> Keeper
	items    []*things.Item
	// <- definition field Shelf.items private
	//                 ^^^^ reference type -> Item
	handlers map[string]Handler
	// <- definition field Shelf.handlers
	//                  ^^^^^^^ reference type -> Handler
	extra    T
	// <- definition field Shelf.extra
}

type base struct {
//   ^^^^ definition struct base private
	spare things.Item
	// <- definition field base.spare
}

func (b *base) close() {}
//             ^^^^^ definition method base.close

var first, second = NewShelf[int](3), 2
//  ^^^^^ definition variable first
//         ^^^^^^ definition variable second
//                  ^^^^^^^^ reference call -> NewShelf

// NewShelf makes room.
func NewShelf[T any](size int) *Shelf[T] {
//   ^^^^^^^^ definition function NewShelf exported
//                              ^^^^^ reference type -> Shelf
	shelf := &Shelf[T]{base: &base{}}
	//        ^^^^^ reference new -> Shelf
	//                        ^^^^ reference new -> base
	shelf.fill(limit)
	//    ^^^^ reference call -> Shelf.fill
	//         ^^^^^ reference read -> limit
	defer shelf.close()
	//          ^^^^^ reference call -> base.close
	go func() { shelf.fill(size) }()
	//                ^^^^ reference call -> Shelf.fill
	return shelf
}

func (s *Shelf[T]) fill(size int) {
//                 ^^^^ definition method Shelf.fill private
	item, err := things.NewItem("box", things.Small)
	//                  ^^^^^^^ reference call -> NewItem
	//                                        ^^^^^ reference read -> Small
	if err != nil {
		panic(err)
	}
	item.Restock(size)
	//   ^^^^^^^ reference call -> Item.Restock
	for _, one := range s.items {
	//                    ^^^^^ reference read -> Shelf.items
		one.Restock(1)
		//  ^^^^^^^ reference call -> Item.Restock
	}
	s.items[0].Owner()
	//         ^^^^^ reference call -> Item.Owner
	(*item).Owner()
	//      ^^^^^ reference call -> Item.Owner
	s.spare.Restock(2)
	//^^^^^ reference read -> base.spare
	//      ^^^^^^^ reference call -> Item.Restock
	s.handlers = map[string]Handler{"check": check, "sell": s.sell}
	//                      ^^^^^^^ reference read -> Handler
	//                                       ^^^^^ reference read -> check
	//                                                        ^^^^ reference read -> Shelf.sell
	each(s.items, check)
	// <- reference call -> each
	//            ^^^^^ reference read -> check
}

func (s *Shelf[T]) sell(item *things.Item) error {
//                 ^^^^ definition method Shelf.sell
	var kept Thing
	//       ^^^^^ reference type -> Thing
	kept.Restock(1)
	//   ^^^^^^^ reference call -> Item.Restock
	return s.pick().Restock(3)
	//       ^^^^ reference call -> Shelf.pick
	//              ^^^^^^^ reference call -> Item.Restock
}

func (s *Shelf[T]) pick() *things.Item { return s.items[0] }
//                 ^^^^ definition method Shelf.pick

func check(item *things.Item) error {
//   ^^^^^ definition function check
	var value any = item
	switch known := value.(type) {
	case *things.Item:
	//           ^^^^ reference type -> Item
		known.Restock(1)
		//    ^^^^^^^ reference call -> Item.Restock
	case *base:
	//    ^^^^ reference type -> base
		known.close()
		//    ^^^^^ reference call -> base.close
	}
	if kept, ok := value.(*things.Item); ok {
	//                            ^^^^ reference type -> Item
		kept.Restock(2)
		//   ^^^^^^^ reference call -> Item.Restock
	}
	unknown().Restock(4)
	//        ^^^^^^^ reference call -> ?
	value.(things.Restocker).Restock(5)
	//                       ^^^^^^^ reference call -> Restocker.Restock
	Colour(things.Large)
	// <- reference call -> Colour
	return fmt.Errorf("%v", item)
}

func each[T any](all []T, do func(T) error) {
//   ^^^^ definition function each
	type pair struct{ left, right T }
	//   ^^^^ definition struct each.pair
	//                ^^^^ definition field each.pair.left
	//                      ^^^^^ definition field each.pair.right
	apply := func(one T) { do(one) }
	for _, one := range all {
		apply(one)
	}
}

func serve(mux *http.ServeMux) {
//   ^^^^^ definition function serve
	mux.HandleFunc("/items", list)
	//                       ^^^^ reference read -> list
	exec.Command("git", os.Getenv("SHOP_DIR"))
}

func list(w http.ResponseWriter, r *http.Request) {}
//   ^^^^ definition function list
