/**
 * What the server is asked and what it answers: the mirror of `server/protocol.py`.
 *
 * `tests/test_extension.py` compares names with the Python module, and the members of each
 * interface below with answers of a real engine.
 */

export const METHODS = {
  context: "knowing/context",
  contextForSelection: "knowing/contextForSelection",
  contextForChanges: "knowing/contextForChanges",
  blastRadius: "knowing/blastRadius",
  explain: "knowing/explain",
  related: "knowing/related",
  search: "knowing/search",
  map: "knowing/map",
  status: "knowing/status",
  feedback: "knowing/feedback",
  pendingEdit: "knowing/pendingEdit",
} as const;

/** Each request as a command of the server; the language client registers them in VS Code. */
export const COMMANDS = {
  "knowing.contextForTask": "knowing/context",
  "knowing.contextForSelection": "knowing/contextForSelection",
  "knowing.contextForChanges": "knowing/contextForChanges",
  "knowing.blastRadius": "knowing/blastRadius",
  "knowing.explainScore": "knowing/explain",
  "knowing.relatedSymbols": "knowing/related",
  "knowing.search": "knowing/search",
  "knowing.map": "knowing/map",
  "knowing.status": "knowing/status",
  "knowing.feedback": "knowing/feedback",
  "knowing.pendingEdit": "knowing/pendingEdit",
} as const;

export const INDEX_CHANGED = "knowing/indexChanged";
export const REINDEX_COMMAND = "knowing.reindex";
export const SECTION = "knowing";

// -- parameters --------------------------------------------------------------------------------

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface AskParams {
  /** The folder that is asked: its URI, path or name. */
  root?: string;
}

export interface ExtentParams extends AskParams {
  budget?: number;
  limit?: number;
  format?: "markdown" | "xml";
}

export interface ContextParams extends ExtentParams {
  task?: string;
  files?: string[];
}

export interface SelectionParams extends ExtentParams {
  textDocument: { uri: string };
  position?: Position;
  range?: Range;
  diagnostics?: { range: Range; uri?: string }[];
  openDocuments?: string[];
  task?: string;
}

export interface ChangesParams extends ExtentParams {
  base?: string;
}

/** A symbol by name, or the one at a place. */
export interface TargetParams extends AskParams {
  symbol?: string;
  textDocument?: { uri: string };
  position?: Position;
}

export interface BlastParams extends TargetParams {
  depth?: number;
}

export interface ExplainParams extends TargetParams {
  task: string;
  limit?: number;
}

export interface RelatedParams extends TargetParams {
  limit?: number;
}

export interface SearchParams extends AskParams {
  query: string;
  mode?: "hybrid" | "keyword" | "vector";
  what?: "symbols" | "files" | "docs";
  limit?: number;
}

export interface MapParams extends AskParams {
  budget?: number;
}

export interface FeedbackParams extends AskParams {
  task?: string;
  symbol?: string;
  useful?: boolean;
}

export interface ReindexParams extends AskParams {
  full?: boolean;
}

// -- answers -----------------------------------------------------------------------------------

export interface IndexState {
  state: "fresh" | "indexing" | "stale";
  generation: number;
  files: number;
  symbols: number;
  edges: number;
  pending: number;
  notes: string[];
}

export interface Item {
  rank: number;
  name: string;
  qualified_name: string;
  kind: string;
  path: string;
  line: number;
  end_line: number;
  score: number;
  origin: string;
  confidence: number;
  why: string[];
}

export interface ContextSymbol extends Item {
  detail: "body" | "signature" | "name";
  tokens: number;
  text: string;
}

export interface Budget {
  tokens: number;
  used: number;
  tokenizer: string;
}

export interface ContextAnswer {
  task: string;
  root: string;
  index: IndexState;
  budget: Budget;
  left_out: number;
  symbols: ContextSymbol[];
  text: string;
  notes: string[];
  markdown: string;
}

export interface Site {
  edge: string;
  path: string;
  line: number;
}

export interface Affected {
  name: string;
  kind: string;
  path: string;
  line: number;
  depth: number;
  confidence: number;
  origin: string;
  via: Site;
  /** What it reaches: the symbol itself, or a symbol between. */
  target?: string;
  through?: string[];
  sites?: Site[];
  /** Of a possible use: the line of source. */
  text?: string;
}

export interface Part {
  name: string;
  value: number;
  detail: string;
}

export interface Risk {
  level: string;
  score: number;
  parts: Part[];
}

export interface Described {
  name: string;
  qualified_name: string;
  kind: string;
  path: string;
  line: number;
  end_line: number;
  flags: string[];
}

export interface BlastAnswer {
  symbol: Described;
  direct: Affected[];
  transitive: Affected[];
  tests: Affected[];
  files: string[];
  risk: Risk;
  complete: boolean;
  reasons: string[];
  possible: Affected[];
  possible_count: number;
  root: string;
  index: IndexState;
  markdown: string;
}

export interface Channel {
  name: string;
  rank: number;
  score: number;
}

export interface PathStep {
  symbol: string;
  edge: string;
}

export interface ExplainAnswer {
  task: string;
  symbol: string;
  /** Null if the symbol was not returned. */
  rank: number | null;
  score: number;
  parts: Part[];
  channels: Channel[];
  path: PathStep[];
  verdict: string;
  root: string;
  index: IndexState;
  markdown: string;
}

export interface ItemsAnswer {
  query: string;
  root: string;
  index: IndexState;
  items: Item[];
  notes: string[];
  markdown: string;
}

export interface MapAnswer {
  files: number;
  symbols: number;
  left_out: number;
  modules: unknown[];
  bridges: unknown[];
  root: string;
  index: IndexState;
  budget: Budget;
  text: string;
  markdown: string;
}

export interface Skipped {
  path: string;
  reason: string;
}

export interface FolderState {
  uri: string;
  name: string;
  root: string;
  index: IndexState;
}

/** What language servers have said about a folder. */
export interface Enrichment {
  /** Files whose answers hold, by server and version. */
  files: Record<string, number>;
  outdated: number;
  /** What became of the last run. */
  last: Record<string, unknown>;
}

export interface StatusAnswer {
  root: string;
  uri: string;
  name: string;
  /** Where the data lies. */
  folder: string;
  state: "fresh" | "stale" | "missing";
  generation: number;
  files: number;
  symbols: number;
  edges: number;
  commits: number;
  by_language: Record<string, number>;
  pending: number;
  skipped: Skipped[];
  unsupported: Record<string, number>;
  disk_bytes: number;
  enrichment: Enrichment;
  /** What the background run that asks language servers is at. */
  enriching: Record<string, unknown>;
  notes: string[];
  indexing: boolean;
  index: IndexState;
  folders: FolderState[];
  markdown: string;
}

export interface FeedbackAnswer {
  accepted: boolean;
  reason: string;
  symbols: string[];
  root: string;
  markdown: string;
}

export interface ReindexAnswer {
  started: string[];
  markdown: string;
}

export interface IndexChanged {
  root: string;
  uri: string;
  name: string;
  index: IndexState;
}

/** `data` of an error that is meant for the user. */
export interface ErrorData {
  kind: string;
  hint: string;
  candidates?: string[];
}
