// Package paint is imported with all its names.
package paint

import "example.com/shop/stock"

func Colour(kind stock.Kind) string { return "" }
//   ^^^^^^ definition function Colour exported
//                     ^^^^ reference type -> Kind
