/** Who is affected, arranged for a tree and a summary. */

import type { Affected, BlastAnswer } from "../../protocol";
import { originGroup } from "./origin";

export interface ImpactFilter {
  by: "depth" | "file";
  depth: number;
  lsp: boolean;
  syntax: boolean;
  /** Guesses are not shown unless asked for, and never count in the risk. */
  guess: boolean;
}

export const DEFAULT_FILTER: ImpactFilter = { by: "depth", depth: 3, lsp: true, syntax: true, guess: false };
export const MOST_DEPTH = 5;

export type GroupKind = "depth" | "tests" | "documents" | "possible" | "file";

export interface Leaf {
  type: "leaf";
  id: string;
  item: Affected;
  test: boolean;
}

export interface Group {
  type: "group";
  id: string;
  kind: GroupKind;
  /** Of a `depth` group. */
  depth: number;
  /** Of a `file` group. */
  path: string;
  children: (Group | Leaf)[];
  /** Leaves below, at any level. */
  size: number;
}

export type TreeEntry = Group | Leaf;

function keyOf(item: Affected): string {
  return `${item.path}:${item.line}:${item.name}`;
}

/** Whether a row passes the filter for origins. */
export function passes(item: Affected, filter: ImpactFilter): boolean {
  return filter[originGroup(item.origin)];
}

function group(kind: GroupKind, id: string, children: (Group | Leaf)[], depth = 0, path = ""): Group {
  const size = children.reduce((sum, child) => sum + (child.type === "leaf" ? 1 : child.size), 0);
  return { type: "group", id, kind, depth, path, children, size };
}

function leaves(prefix: string, items: readonly Affected[], test = false): Leaf[] {
  return items.map((item, at) => ({ type: "leaf", id: `${prefix}/${at}:${keyOf(item)}`, item, test }));
}

/** Groups of one list by file, in the order in which their first items come. */
function byFile(prefix: string, items: readonly Affected[], test: boolean): Group[] {
  const files = new Map<string, Affected[]>();
  for (const item of items) files.set(item.path, [...(files.get(item.path) ?? []), item]);
  return [...files].map(([path, here]) => {
    const sorted = [...here].sort((a, b) => a.line - b.line);
    return group("file", `${prefix}/${path}`, leaves(`${prefix}/${path}`, sorted, test), 0, path);
  });
}

interface Sorted {
  code: Affected[];
  documents: Affected[];
  tests: Affected[];
  possible: Affected[];
}

function sorted(answer: BlastAnswer, filter: ImpactFilter): Sorted {
  const tests = new Set(answer.tests.map(keyOf));
  const all = [...answer.direct, ...answer.transitive].filter(
    (item) => !tests.has(keyOf(item)) && passes(item, filter),
  );
  return {
    code: all.filter((item) => item.via.edge !== "documents"),
    documents: all.filter((item) => item.via.edge === "documents"),
    tests: answer.tests.filter((item) => passes(item, filter)),
    possible: filter.guess ? answer.possible : [],
  };
}

/** What the tree shows; groups without rows are left out. */
export function tree(answer: BlastAnswer, filter: ImpactFilter): Group[] {
  const { code, documents, tests, possible } = sorted(answer, filter);
  const found: Group[] = [];
  const tested = byFile("tests", tests, true);
  if (filter.by === "file") {
    found.push(group("tests", "tests", tested), ...byFile("file", code, false));
  } else {
    const depths = [...new Set(code.map((item) => item.depth))].sort((a, b) => a - b);
    for (const depth of depths) {
      const here = code.filter((item) => item.depth === depth);
      found.push(group("depth", `depth/${depth}`, leaves(`depth/${depth}`, here), depth));
    }
    found.push(group("tests", "tests", tested));
  }
  found.push(group("documents", "documents", leaves("documents", documents)));
  found.push(group("possible", "possible", leaves("possible", possible)));
  return found.filter((entry) => entry.size > 0);
}

export interface Counts {
  direct: number;
  symbols: number;
  tests: number;
  files: number;
  guesses: number;
}

/** Of the whole answer, whatever is filtered. */
export function counts(answer: BlastAnswer): Counts {
  const everything: ImpactFilter = { ...DEFAULT_FILTER, guess: true };
  const { code, tests } = sorted(answer, everything);
  const sure = code.filter((item) => originGroup(item.origin) !== "guess");
  return {
    direct: sure.filter((item) => item.depth === 1).length,
    symbols: sure.length,
    tests: tests.length,
    files: answer.files.length,
    guesses: answer.possible_count + (code.length - sure.length),
  };
}

/** A reason of the server, `code: text`; the code decides which button helps. */
export function reason(text: string): { code: string; detail: string } {
  const found = /^([a-z_]+): (.+)$/s.exec(text);
  return found ? { code: found[1] ?? "", detail: found[2] ?? "" } : { code: "", detail: text };
}

/** The first place that a reason names. */
export function placeIn(text: string): { path: string; line: number } | undefined {
  const found = /([\w./+@-]+\.[A-Za-z]\w*):(\d+)/.exec(text);
  return found ? { path: found[1] ?? "", line: Number(found[2]) } : undefined;
}
