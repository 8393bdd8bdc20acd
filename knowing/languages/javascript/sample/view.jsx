export function Button({ label }) {
//              ^^^^^^ definition function Button exported
  return <b>{label}</b>;
}

export const Panel = class {
//           ^^^^^ definition class Panel exported
  render = () => <Button label="x" />;
//^^^^^^ definition method Panel.render
//                ^^^^^^ reference call -> Button
};

export function start() {
//              ^^^^^ definition function start exported
  const panel = new Panel();
  return panel.render();
//             ^^^^^^ reference call -> Panel.render
}

export default () => <Panel.Part />;
//     ^^^^^^^ definition function default exported
