/** Pins and bans of an answer, for as long as the server does not keep them itself. */

import type { ContextAnswer, ContextSymbol } from "../../protocol";

export interface Marked {
  pinned: ReadonlySet<string>;
  banned: ReadonlySet<string>;
}

/**
 * An answer without what is banned and with what is pinned. Pinned symbols that the budget left
 * out come from a larger answer; the last of the others go where they need the room.
 */
export function applyMarks(answer: ContextAnswer, larger: ContextAnswer | undefined, marked: Marked): ContextAnswer {
  const kept = answer.symbols.filter((symbol) => !marked.banned.has(symbol.qualified_name));
  const inside = new Set(kept.map((symbol) => symbol.qualified_name));
  const added = (larger?.symbols ?? []).filter(
    (symbol) =>
      marked.pinned.has(symbol.qualified_name) && !inside.has(symbol.qualified_name) && symbol.tokens <= answer.budget.tokens,
  );
  if (!added.length && kept.length === answer.symbols.length) return answer;
  const symbols = fitted([...kept, ...added], answer.budget.tokens, marked.pinned);
  const removed = answer.symbols.length - kept.length;
  const used = symbols.reduce((sum, symbol) => sum + symbol.tokens, 0);
  return {
    ...answer,
    symbols,
    left_out: Math.max(0, answer.left_out + answer.symbols.length - symbols.length - removed),
    budget: { ...answer.budget, used: Math.min(used, answer.budget.tokens) },
    text: "",
  };
}

function fitted(symbols: ContextSymbol[], budget: number, pinned: ReadonlySet<string>): ContextSymbol[] {
  const byRank = [...symbols].sort((a, b) => a.rank - b.rank);
  let total = byRank.reduce((sum, symbol) => sum + symbol.tokens, 0);
  for (let at = byRank.length - 1; at >= 0 && total > budget; at -= 1) {
    const symbol = byRank[at];
    if (!symbol || pinned.has(symbol.qualified_name)) continue;
    byRank.splice(at, 1);
    total -= symbol.tokens;
  }
  return byRank;
}
