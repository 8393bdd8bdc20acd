import React, { useState } from 'react';
// import react default as React
// import react useState
import { Row, type RowProps } from './row';
// import ./row Row
// import ./row RowProps

interface Props {
//        ^^^^^ definition interface Props
  rows: RowProps[];
//^^^^ definition field Props.rows
//      ^^^^^^^^ reference type -> RowProps
  onPick?: (index: number) => void;
//^^^^^^ definition field Props.onPick
}

/** Shows rows. */
export const Panel: React.FC<Props> = ({ rows, onPick }) => {
//           ^^^^^ definition function Panel exported
//                           ^^^^^ reference type -> Props
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen(!open);
//      ^^^^^^ definition function Panel.toggle
  const body = rows.map((row, index) => <Row key={row.id} {...row} onPick={() => pick(index)} />);
//                                       ^^^ reference call -> Row
//                                                                               ^^^^ reference call -> Panel.pick
  return <section onClick={toggle}>{body}<Row.Footer>{format(rows.length)}</Row.Footer></section>;
//                         ^^^^^^ reference read -> Panel.toggle
//                                                    ^^^^^^ reference call -> format

  function pick(index: number) {
//         ^^^^ definition function Panel.pick
    onPick?.(index);
  }
};

const format = (count: number): string => `${count}`;
//    ^^^^^^ definition function format private

export default React.memo(Panel);
//     ^^^^^^^ definition variable default
//                        ^^^^^ reference read -> Panel
