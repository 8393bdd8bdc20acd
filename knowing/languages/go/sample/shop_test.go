package shop

import "testing"

func TestShelf(t *testing.T) {
//   ^^^^^^^^^ definition function TestShelf
	cases := []struct {
		name string
		want *Shelf[int]
		//    ^^^^^ reference read -> Shelf
	}{{name: "one"}}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			shelf := NewShelf[int](helper())
			//       ^^^^^^^^ reference call -> NewShelf
			//                     ^^^^^^ reference call -> helper
			shelf.fill(2)
			//    ^^^^ reference call -> Shelf.fill
		})
	}
}

func helper() int { return limit }
//   ^^^^^^ definition function helper
//                         ^^^^^ reference read -> limit

func BenchmarkShelf(b *testing.B) { first.sell(nil) }
//   ^^^^^^^^^^^^^^ definition function BenchmarkShelf
//                                        ^^^^ reference call -> Shelf.sell
