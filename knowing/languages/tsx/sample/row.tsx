export interface RowProps {
//               ^^^^^^^^ definition interface RowProps
  id: string;
//^^ definition field RowProps.id
}

export function Row(props: RowProps): JSX.Element {
//              ^^^ definition function Row
//                         ^^^^^^^^ reference type -> RowProps
  return <li>{props.id}</li>;
//                  ^^ reference read -> RowProps.id
}

export class List extends Base<RowProps> {
//           ^^^^ definition class List
  render(): JSX.Element {
//^^^^^^ definition method List.render
    return <Row id={this.first()} />;
//          ^^^ reference call -> Row
//                       ^^^^^ reference call -> List.first
  }

  private first = (): string => Base.name;
//        ^^^^^ definition method List.first private
}

class Base<P> {}
//    ^^^^ definition class Base
