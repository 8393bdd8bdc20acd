<?php

declare(strict_types=1);

namespace Shop;

use Shop\Catalogue\Item;
// import Shop\Catalogue Item
use Shop\Catalogue\{Label as Tag, Size};
// import Shop\Catalogue Label as Tag
// import Shop\Catalogue Size
use function Shop\Catalogue\lookup;
// import Shop\Catalogue lookup
use Some\Library\Route, Other;
// import Some\Library Route

define('SHOP_OPEN', true);
//      ^^^^^^^^^ definition constant SHOP_OPEN

interface Named
//        ^^^^^ definition interface Named
{
    public function name(): string;
//                  ^^^^ definition method Named.name
}

#[Route('/shelf')]
//^^^^^ reference decorator
final class Shelf extends Item implements Named
//          ^^^^^ definition class Shelf
//                        ^^^^ reference base -> Item
//                                        ^^^^^ reference implements -> Named
{
    private ?Tag $tag;
//                ^^^ definition field Shelf.tag private
//           ^^^ reference type -> Label

    #[Route('/{id}', methods: ['GET'])]
    public function show(Item $item, $other, Size|int $size = Size::Small): Tag
//                  ^^^^ definition method Shelf.show
//                       ^^^^ reference type -> Item
//                                                                  ^^^^^ reference read -> Size.Small
//                                                                          ^^^ reference type -> Label
    {
        $item->restock(1);
//             ^^^^^^^ reference call -> Item.restock
        $other->restock(2);
//              ^^^^^^^ reference call -> ?
        $shelf = new Shelf($this->tag);
        $shelf->show($item, null)->print();
//              ^^^^ reference call -> Shelf.show
//                                 ^^^^^ reference call -> Label.print
        (new Tag())->print();
//                   ^^^^^ reference call -> Label.print
        lookup(getenv('SHOP'))?->name();
//      ^^^^^^ reference call -> lookup
//                               ^^^^ reference call -> Item.name
        $make = fn (Tag $tag): string => $tag->print();
//                                             ^^^^^ reference call -> Label.print
        array_map([$this, 'restock'], []);
//                         ^^^^^^^ reference read -> Shelf.restock
        foreach ([] as $key => $value) {
            $value->print();
//                  ^^^^^ reference call -> ?
        }
        try {
            \Shop\helper($make);
//          ^^^^^^^^^^^^ reference call -> helper
        } catch (Missing | \Exception $missing) {
//               ^^^^^^^ reference type -> Missing
            $missing->tell();
//                    ^^^^ reference call -> Missing.tell
            throw new Missing('x');
//                    ^^^^^^^ reference throw -> Missing
        }
        return $this->tag;
    }

    public function restock(int ...$amounts): void
//                  ^^^^^^^ definition method Shelf.restock
    {
        parent::__construct($this->tag);
//              ^^^^^^^^^^^ reference call -> Item.__construct
        self::cheap();
//            ^^^^^ reference call -> Priced.cheap
        $copy = new class ($this) extends Missing {
//                                        ^^^^^^^ definition class Shelf.restock.Missing{}
            public function tell(): void
//                          ^^^^ definition method Shelf.restock.Missing{}.tell
            {
            }
        };
        static $seen = [];
        [$first, $second] = $amounts;
    }
}

class Missing extends \Exception
//    ^^^^^^^ definition class Missing
{
    public function tell(): void
//                  ^^^^ definition method Missing.tell
    {
    }
}

function helper(callable $make): void
//       ^^^^^^ definition function helper
{
    Catalogue\lookup('x');
//  ^^^^^^^^^^^^^^^^ reference call -> lookup
    $inner = 1;
}

$app = new Other();
 // <- definition variable app
$app->get('/shelves', [Shelf::class, 'show']);

it('shows a shelf', function () use ($app) {
//  ^^^^^^^^^^^^^ definition function shows_a_shelf test test_case
    helper(fn () => $app);
//  ^^^^^^ reference call -> helper
});
