/**
 * What is in a budget and what is not.
 *
 * The server packs; it keeps the ranking, so that another budget costs it some milliseconds. Here
 * is what follows from its packs: which symbols enter or leave between two budgets, where the
 * ranked list is cut, and how the meter is divided.
 */

import type { ContextAnswer, ContextSymbol } from "../../protocol";

export const STEPS: readonly number[] = [
  500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000, 50_000,
];
export const LEAST = 500;
export const MOST = 50_000;

export type Detail = "body" | "signature" | "name";

/** One symbol of a ranking, whether it is in a pack or not. */
export interface Row {
  id: string;
  rank: number;
  name: string;
  kind: string;
  path: string;
  line: number;
  endLine: number;
  score: number;
  origin: string;
  confidence: number;
  why: string[];
}

export interface Entry {
  detail: Detail;
  tokens: number;
}

/** What a budget holds. */
export interface Pack {
  budget: number;
  used: number;
  leftOut: number;
  entries: Record<string, Entry>;
}

/** The step of the slider that is closest to a budget. */
export function nearestStep(budget: number): number {
  let best = 0;
  STEPS.forEach((step, at) => {
    const now = Math.abs(Math.log(step / budget));
    if (now < Math.abs(Math.log((STEPS[best] ?? LEAST) / budget))) best = at;
  });
  return best;
}

/** A number someone typed, within what the server takes. */
export function clampBudget(tokens: number): number {
  if (!Number.isFinite(tokens)) return 4000;
  return Math.min(MOST, Math.max(LEAST, Math.round(tokens)));
}

/** The step below or above a budget, also from between two steps. */
export function stepFrom(budget: number, direction: -1 | 1): number {
  const others = STEPS.filter((step) => (direction < 0 ? step < budget : step > budget));
  return (direction < 0 ? others[others.length - 1] : others[0]) ?? clampBudget(budget);
}

export function rowOf(symbol: ContextSymbol): Row {
  return {
    id: symbol.qualified_name,
    rank: symbol.rank,
    name: symbol.name,
    kind: symbol.kind,
    path: symbol.path,
    line: symbol.line,
    endLine: symbol.end_line,
    score: symbol.score,
    origin: symbol.origin,
    confidence: symbol.confidence,
    why: symbol.why,
  };
}

export function packOf(answer: ContextAnswer): Pack {
  const entries: Record<string, Entry> = {};
  for (const symbol of answer.symbols) {
    entries[symbol.qualified_name] = { detail: symbol.detail, tokens: symbol.tokens };
  }
  const { tokens, used } = answer.budget;
  return { budget: tokens, used, leftOut: answer.left_out, entries };
}

/** One list of all rows that are known, by rank. */
export function mergeRows(known: readonly Row[], more: readonly Row[]): Row[] {
  const rows = new Map(known.map((row) => [row.id, row]));
  for (const row of more) rows.set(row.id, row);
  return [...rows.values()].sort((a, b) => a.rank - b.rank || a.id.localeCompare(b.id));
}

export type Change =
  | { kind: "enters"; to: Detail }
  | { kind: "leaves"; from: Detail }
  | { kind: "detail"; from: Detail; to: Detail };

/** What differs between two packs, by symbol. */
export function changes(from: Pack, to: Pack): Map<string, Change> {
  const found = new Map<string, Change>();
  for (const [id, entry] of Object.entries(to.entries)) {
    const before = from.entries[id];
    if (!before) found.set(id, { kind: "enters", to: entry.detail });
    else if (before.detail !== entry.detail) {
      found.set(id, { kind: "detail", from: before.detail, to: entry.detail });
    }
  }
  for (const [id, entry] of Object.entries(from.entries)) {
    if (!to.entries[id]) found.set(id, { kind: "leaves", from: entry.detail });
  }
  return found;
}

export interface ChangeSummary {
  enters: string[];
  leaves: string[];
  details: number;
}

/** The same in short, in the order of the ranking. */
export function summarize(changed: ReadonlyMap<string, Change>, rows: readonly Row[]): ChangeSummary {
  const summary: ChangeSummary = { enters: [], leaves: [], details: 0 };
  for (const row of rows) {
    const change = changed.get(row.id);
    if (change?.kind === "enters") summary.enters.push(row.name);
    else if (change?.kind === "leaves") summary.leaves.push(row.name);
    else if (change) summary.details += 1;
  }
  return summary;
}

/** After which row the budget ends: the number of rows up to the last one that is in. */
export function boundary(rows: readonly Row[], pack: Pack): number {
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at];
    if (row && pack.entries[row.id]) return at + 1;
  }
  return 0;
}

export interface Segment {
  id: string;
  detail: Detail;
  /** Of the whole budget, 0 to 1. */
  share: number;
}

/**
 * The meter: a segment for each symbol, in the order of the ranking, together as long as what is
 * used. Symbols of one file share lines, so their own tokens add up to more than that.
 */
export function segments(rows: readonly Row[], pack: Pack): Segment[] {
  const inside = rows.filter((row) => pack.entries[row.id]);
  const sum = inside.reduce((total, row) => total + (pack.entries[row.id]?.tokens ?? 0), 0);
  if (!sum || !pack.budget) return [];
  const scale = Math.min(1, pack.used / pack.budget) / sum;
  return inside.flatMap((row) => {
    const entry = pack.entries[row.id];
    return entry ? [{ id: row.id, detail: entry.detail, share: entry.tokens * scale }] : [];
  });
}
