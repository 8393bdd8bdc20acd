/** Who says that something is so: the engine's origins in three words that people can filter by. */

export type OriginGroup = "lsp" | "syntax" | "guess";

const GROUPS: Readonly<Record<string, OriginGroup>> = {
  structural: "syntax",
  lsp_resolved: "lsp",
  scip_resolved: "lsp",
  ast_resolved: "syntax",
  ast_inferred: "syntax",
  derived: "syntax",
  heuristic: "guess",
};

/** An origin that is not known counts as a guess: nothing is claimed that nobody vouches for. */
export function originGroup(origin: string): OriginGroup {
  return GROUPS[origin] ?? "guess";
}

const WORDS: Readonly<Record<string, string>> = {
  lsp_resolved: "LSP",
  scip_resolved: "SCIP",
  heuristic: "guess",
};

/** As it stands in a row, before all else. */
export function originWord(origin: string): string {
  return WORDS[origin] ?? (originGroup(origin) === "guess" ? "guess" : "tree-sitter");
}

/** Two digits, or a tick for what is certain: the most that a badge can show. */
export function confidenceBadge(confidence: number): string {
  if (confidence >= 0.995) return "✓";
  return String(Math.max(1, Math.round(confidence * 100))).padStart(2, "0");
}
