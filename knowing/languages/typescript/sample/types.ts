export enum Kind {
//          ^^^^ definition enum Kind exported
  Light,
//^^^^^ definition enum_member Kind.Light
  Heavy = 'heavy',
//^^^^^ definition enum_member Kind.Heavy
}

export interface Named {
//               ^^^^^ definition interface Named
  name: string;
//^^^^ definition field Named.name
  rename(to: string): Named;
//^^^^^^ definition method Named.rename
}

export type Label = { text: string; kind: Kind } & Named;
//          ^^^^^ definition type Label exported
//                    ^^^^ definition field Label.text
//                                  ^^^^ definition field Label.kind
//                                        ^^^^ reference type -> Kind

export class Warehouse {
//           ^^^^^^^^^ definition class Warehouse
  constructor(name?: string) {}
//^^^^^^^^^^^ definition constructor Warehouse.constructor
  open(times: number): this {
//^^^^ definition method Warehouse.open
    return this;
  }
}

export const options = {
//           ^^^^^^^ definition variable options exported
  load: () => new Warehouse(),
//^^^^ definition method options.load
} as const;

declare function ambient(value: typeof options): void;
//               ^^^^^^^ definition function ambient
//                                     ^^^^^^^ reference read -> options
