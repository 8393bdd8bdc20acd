/** One tab stop for a list: arrow keys move the focus among its elements. */

/** How far each key moves; 'first' and 'last' are the ends. */
export type Movement = Readonly<Record<string, number | "first" | "last">>;

export const VERTICAL: Movement = { ArrowUp: -1, ArrowDown: 1, Home: "first", End: "last", PageUp: -10, PageDown: 10 };

/** Where a key leads from a place in a list, or undefined if it leads nowhere. */
export function moved(key: string, at: number, length: number, movement: Movement = VERTICAL): number | undefined {
  const step = movement[key];
  if (step === undefined || length === 0) return undefined;
  if (step === "first") return 0;
  if (step === "last") return length - 1;
  return Math.min(length - 1, Math.max(0, at + step));
}

/** Makes one element the tab stop of its list. */
export function makeStop(elements: readonly (HTMLElement | SVGElement)[], chosen: number): void {
  elements.forEach((element, at) => element.setAttribute("tabindex", at === chosen ? "0" : "-1"));
}

/** Single letters are keys only without a modifier. */
export function isPlain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}
