/** Answers as text for a model: short, honest about what is missing, never too long. */

import type { BlastAnswer, ContextAnswer, IndexState, ItemsAnswer } from "../protocol";

const MOST_CHARACTERS = 60_000;
const MOST_ITEMS = 60;

export function contextText(answer: ContextAnswer): string {
  if (answer.symbols.length === 0) {
    return lines("Nothing was found.", ...answer.notes, ...stateNotes(answer.index));
  }
  return limited(lines(answer.text, ...stateNotes(answer.index)));
}

export function blastText(answer: BlastAnswer): string {
  const { symbol, direct, transitive, tests, files, risk } = answer;
  const rows = [...direct, ...transitive].slice(0, MOST_ITEMS).map((item) => {
    const sure = `${item.origin} ${item.confidence.toFixed(2)}`;
    return `- depth ${item.depth}: ${item.name} (${item.kind}) at ${item.via.path}:${item.via.line}, ${item.via.edge}, ${sure}`;
  });
  const more = direct.length + transitive.length - rows.length;
  return limited(
    lines(
      `${symbol.name} (${symbol.kind}, ${symbol.path}:${symbol.line})`,
      `risk: ${risk.level} (${risk.score.toFixed(2)}); ${direct.length} direct, ${transitive.length} transitive, ${tests.length} tests, ${files.length} files`,
      answer.complete ? "complete: every use is resolved" : "may be incomplete:",
      ...answer.reasons.map((reason) => `- ${reason}`),
      ...(rows.length > 0 ? ["users:", ...rows] : []),
      ...(more > 0 ? [`- and ${more} more`] : []),
      ...(tests.length > 0 ? ["tests to run:", ...tests.slice(0, MOST_ITEMS).map((test) => `- ${test.name} (${test.path}:${test.line})`)] : []),
      ...(answer.possible_count > 0 ? [`${answer.possible_count} further places match by name only`] : []),
      ...stateNotes(answer.index),
    ),
  );
}

export function itemsText(answer: ItemsAnswer): string {
  const rows = answer.items.map((item) => `${item.rank}. ${item.name} (${item.kind}) ${item.path}:${item.line}${item.why.length > 0 ? `: ${item.why.join("; ")}` : ""}`);
  return limited(lines(...(rows.length > 0 ? rows : ["Nothing was found."]), ...answer.notes, ...stateNotes(answer.index)));
}

export function stateNotes(index: IndexState): string[] {
  if (index.state === "fresh") return [];
  const pending = index.pending > 0 ? `, ${index.pending} files pending` : "";
  return [`(the index is ${index.state}${pending}${index.notes.length > 0 ? `: ${index.notes.join("; ")}` : ""})`];
}

export function limited(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}\n(cut off: ask for less, or with a smaller budget)`;
}

function lines(...parts: string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

/** `/why`: the symbol stands in backticks, what is left is the task. */
export function taskAndSymbol(prompt: string): { task: string; symbol: string } {
  const symbol = /`([^`]+)`/.exec(prompt)?.[1] ?? "";
  const task = prompt.replace(/`[^`]+`/, " ").replace(/\s+/g, " ").trim();
  return { task, symbol };
}
