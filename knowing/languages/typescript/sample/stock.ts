import type { Named } from './types';
// import ./types Named
import { Kind, Label as Tag, Warehouse } from './types';
// import ./types Kind
// import ./types Label as Tag
// import ./types Warehouse
import fs = require('fs');
// import fs as fs
export { Kind } from './types';
// import ./types Kind
export * from './types';
// import ./types

/** Where things are kept. */
@Injectable({ scope: 'shop' })
 // <- reference decorator -> Injectable
export abstract class Stock<T extends Named> implements Keeper<T> {
//                    ^^^^^ definition class Stock abstract exported
//                                                      ^^^^^^ reference implements -> Keeper
//                                    ^^^^^ reference type -> Named
  private static readonly limit: number = 3;
//                        ^^^^^ definition field Stock.limit private static
  protected warehouse = new Warehouse();
//          ^^^^^^^^^ definition field Stock.warehouse protected
//                          ^^^^^^^^^ reference call -> Warehouse
  #items: T[] = [];
//^^^^^^ definition field Stock.#items private
  onChange = async (item: T): Promise<void> => {
//^^^^^^^^ definition method Stock.onChange async
    item.rename('x');
//       ^^^^^^ reference call -> Named.rename
    await this.keeper.keep(item);
//                    ^^^^ reference call -> Keeper.keep
  };

  constructor(private readonly keeper: Keeper<T>, public tag?: Tag, size = 1) {
//^^^^^^^^^^^ definition constructor Stock.constructor
//                             ^^^^^^ definition field Stock.keeper private
//                                     ^^^^^^ reference type -> Keeper
//                                                       ^^^ definition field Stock.tag exported
//                                                             ^^^ reference type -> Label
    this.warehouse.open(size);
//                 ^^^^ reference call -> Warehouse.open
    keeper.keep(null as any);
//         ^^^^ reference call -> Keeper.keep
  }

  get size(): number {
//    ^^^^ definition property Stock.size
    return this.#items.length;
//              ^^^^^^ reference read -> Stock.#items
  }

  keep(item: string): void;
//^^^^ definition method Stock.keep overload
  keep(item: T): void;
//^^^^ definition method Stock.keep overload
  @Log
// ^^^ reference decorator -> Log
  keep(item: any): void {
//^^^^ definition method Stock.keep
    const found = this.find(item as Tag);
//                     ^^^^ reference call -> Stock.find
//                                  ^^^ reference type -> Label
    found?.open(1);
//         ^^^^ reference call -> Warehouse.open
    (item as Warehouse).open(2);
//                      ^^^^ reference call -> Warehouse.open
    item.open(3);
//       ^^^^ reference call -> ?
    if (item instanceof Warehouse) {
//                      ^^^^^^^^^ reference read -> Warehouse
      throw new Full<T>(Kind.Heavy);
//              ^^^^ reference throw -> Full
//                           ^^^^^ reference read -> Kind.Heavy
    }
  }

  protected abstract find(tag: Tag): Warehouse | undefined;
//                   ^^^^ definition method Stock.find abstract protected
}

export interface Keeper<T> extends Named {
//               ^^^^^^ definition interface Keeper exported
//                                 ^^^^^ reference base -> Named
  readonly kind?: Kind;
//         ^^^^ definition field Keeper.kind
//                ^^^^ reference type -> Kind
  keep(item: T): void;
//^^^^ definition method Keeper.keep
}

class Full<T> extends Error {
//    ^^^^ definition class Full private
  constructor(readonly kind: Kind, protected other?: Array<T>) {
//^^^^^^^^^^^ definition constructor Full.constructor
//                     ^^^^ definition field Full.kind
//                                           ^^^^^ definition field Full.other protected
    super(String(kind));
  }
}

function Injectable(options: object): ClassDecorator {
//       ^^^^^^^^^^ definition function Injectable
  return () => undefined;
}

function Log(target: object, key: string): void {}
//       ^^^ definition function Log

export function pick<T>(items: readonly T[], at: number): T;
//              ^^^^ definition function pick overload exported
export function pick(items: any, at: any) {
//              ^^^^ definition function pick exported
  return items[at] ?? process.env['PICK'];
}

export default function main(keeper: Keeper<Named>): void {
//                      ^^^^ definition function main exported
  const { kind, ...others } = keeper;
  for (const [key, value] of Object.entries(others)) {
    pick<string>([key], value);
//  ^^^^ reference call -> pick
  }
  const make: Maker = (name) => new Warehouse(name);
//      ^^^^ definition function main.make
//            ^^^^^ reference type -> Maker
//                                  ^^^^^^^^^ reference call -> Warehouse
  make(kind);
//^^^^ reference call -> main.make
  try {
    fs.readFileSync('x');
  } catch (error) {
    Tools.clean(error);
//        ^^^^^ reference call -> Tools.clean
  }
}

type Maker = (name: string) => Warehouse;
//   ^^^^^ definition type Maker
//                             ^^^^^^^^^ reference type -> Warehouse

namespace Tools {
//        ^^^^^ definition namespace Tools
  export function clean(error: unknown): void {}
//                ^^^^^ definition function Tools.clean exported
}

test.each([1, 2])('keeps %s', (n) => main(n as never));
//                 ^^^^^^^^ definition function keeps_%s test test_case
//                                   ^^^^ reference call -> main
