/** Which lines a diff touches, and which symbols lie there. */

export interface Lines {
  /** From 0, both included, in the new text. */
  first: number;
  last: number;
}

export interface Named {
  name: string;
  kind: number;
  range: { start: { line: number }; end: { line: number } };
  selectionRange: { start: { line: number; character: number } };
  children?: Named[];
}

export interface Place {
  /** `Owner.name` */
  name: string;
  line: number;
  character: number;
}

/** Lines of the new text that a unified diff touches; for lines taken away, the one they were at. */
export function touched(diff: string): Lines[] {
  const found: Lines[] = [];
  let at = 0;
  for (const line of diff.split("\n")) {
    const head = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (head) {
      // A hunk that leaves nothing names the line before it.
      at = Number(head[1]) - (head[2] === "0" ? 0 : 1);
    } else if (line.startsWith("+") && !line.startsWith("+++ ")) {
      add(found, at);
      at += 1;
    } else if (line.startsWith("-") && !line.startsWith("--- ")) {
      add(found, at);
    } else if (line.startsWith(" ")) {
      at += 1;
    }
  }
  return found;
}

function add(found: Lines[], line: number): void {
  const last = found.at(-1);
  if (last && line <= last.last + 1) last.last = Math.max(last.last, line);
  else found.push({ first: line, last: line });
}

/** The innermost symbols around touched lines, each once. */
export function symbolsAt(symbols: readonly Named[], lines: readonly Lines[], owner = ""): Place[] {
  return symbols.flatMap((symbol) => {
    const { start, end } = symbol.range;
    const here = lines.filter(({ first, last }) => first <= end.line && last >= start.line);
    if (here.length === 0) return [];
    const name = owner ? `${owner}.${symbol.name}` : symbol.name;
    const inner = symbolsAt(symbol.children ?? [], here, name);
    const { line, character } = symbol.selectionRange.start;
    return inner.length > 0 ? inner : [{ name, line, character }];
  });
}
