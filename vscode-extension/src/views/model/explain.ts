/** A score taken apart: bars that stand end to end and reach the score. */

import type { ExplainAnswer, Part } from "../../protocol";

export interface Bar {
  name: string;
  detail: string;
  value: number;
  /** Both of the whole width, 0 to 1. */
  from: number;
  to: number;
  tone: "plus" | "minus" | "learned";
}

export interface Waterfall {
  bars: Bar[];
  /** Where the bars end, and what the server says the score is. */
  sum: number;
  score: number;
  exact: boolean;
  total: { from: number; to: number };
  ticks: { at: number; value: number }[];
}

const LEARNED = new Set(["pin", "ban", "pinned", "banned", "feedback", "session", "usage", "useful", "vocabulary", "learned", "ignored"]);

export function isLearned(part: Part): boolean {
  return LEARNED.has(part.name.toLowerCase().split(/[_ .:]/)[0] ?? "");
}

export function waterfall(parts: readonly Part[], score: number): Waterfall {
  let sum = 0;
  let low = Math.min(0, score);
  let high = Math.max(0, score);
  const spans = parts.map((part) => {
    const start = sum;
    sum += part.value;
    low = Math.min(low, sum);
    high = Math.max(high, sum);
    return { part, start, end: sum };
  });
  const ticks = niceTicks(low, high);
  const first = Math.min(low, ticks[0] ?? 0);
  const width = Math.max(high, ticks[ticks.length - 1] ?? 0) - first || 1;
  const place = (value: number): number => (value - first) / width;
  return {
    bars: spans.map(({ part, start, end }) => ({
      name: part.name,
      detail: part.detail,
      value: part.value,
      from: place(Math.min(start, end)),
      to: place(Math.max(start, end)),
      tone: isLearned(part) ? "learned" : part.value < 0 ? "minus" : "plus",
    })),
    sum,
    score,
    exact: Math.abs(sum - score) < 0.0005,
    total: { from: place(Math.min(0, score)), to: place(Math.max(0, score)) },
    ticks: ticks.map((value) => ({ at: place(value), value })),
  };
}

/** Four to six round numbers that cover a range. */
export function niceTicks(low: number, high: number): number[] {
  const span = high - low || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let at = Math.floor(low / step + 1e-9); at * step < high + step * 0.999; at += 1) {
    ticks.push(Number((at * step).toPrecision(6)));
  }
  return ticks;
}

/** What the server says would lift a symbol, one line each. */
export function liftsIn(verdict: string): string[] {
  const found = /it would rise if (.+?)\.?$/s.exec(verdict);
  return found?.[1] ? found[1].split(/, or /).map((text) => text.trim()) : [];
}

/** The verdict without what is listed apart. */
export function verdictOf(answer: ExplainAnswer): string {
  return answer.verdict.replace(/; it would rise if .+$/s, "");
}

/** The last name of a symbol's identity, `path::Owner.name`. */
export function shortName(symbol: string): string {
  const at = symbol.indexOf("::");
  return at < 0 ? symbol : symbol.slice(at + 2) || symbol.slice(0, at);
}
