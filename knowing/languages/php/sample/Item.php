<?php

namespace Shop\Catalogue;

/** Something that is sold. */
abstract class Item implements \Shop\Named
//             ^^^^ definition class Item abstract
//                             ^^^^^^^^^^^ reference implements -> Named
{
    use Priced;
//      ^^^^^^ reference base -> Priced

    private $made;
//           ^^^^ definition field Item.made private
    public const LIMIT = 3;
//               ^^^^^ definition constant Item.LIMIT
    protected static int $count = 0, $sold = 0;
//                        ^^^^^ definition field Item.count protected static
//                                    ^^^^ definition field Item.sold protected static

    public function __construct(private readonly Label $label, protected ?string $note = null)
//                  ^^^^^^^^^^^ definition constructor Item.__construct
//                                                      ^^^^^ definition field Item.label private
//                                               ^^^^^ reference type -> Label
//                                                                                ^^^^ definition field Item.note protected
    {
        static::$count++;
//               ^^^^^ reference read -> Item.count
        $label->print();
//              ^^^^^ reference call -> Label.print
        $this->made = new Label();
//                        ^^^^^ reference call -> Label
        $this->price = $label;
    }

    public function name(): string
//                  ^^^^ definition method Item.name
    {
        return $this->label->print() . $this->made?->print() . self::LIMIT;
//                           ^^^^^ reference call -> Label.print
//                                                   ^^^^^ reference call -> Label.print
//                                                                   ^^^^^ reference read -> Item.LIMIT
    }

    abstract public function restock(int ...$amounts): void;
//                           ^^^^^^^ definition method Item.restock abstract
}

trait Priced
//    ^^^^^^ definition trait Priced
{
    private $price = 1, $currency;
//           ^^^^^ definition field Priced.price private
//                       ^^^^^^^^ definition field Priced.currency private

    public static function cheap(): static
//                         ^^^^^ definition method Priced.cheap static
    {
        return new static();
    }
}

class Label
//    ^^^^^ definition class Label
{
    public function print(): string
//                  ^^^^^ definition method Label.print
    {
        return '';
    }
}

enum Size: string
//   ^^^^ definition enum Size
{
    case Small = 's';
//       ^^^^^ definition enum_member Size.Small
    const DEFAULT = self::Small;
//        ^^^^^^^ definition constant Size.DEFAULT
//                        ^^^^^ reference read -> Size.Small
}

const WEIGHT = 2;
//    ^^^^^^ definition constant WEIGHT

function lookup(string $name): ?Item
//       ^^^^^^ definition function lookup
//                              ^^^^ reference type -> Item
{
    return null;
}
