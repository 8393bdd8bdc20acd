/** What the host tells each webview, and what a webview asks of the host. */

import type { BlastAnswer, ExplainAnswer, StatusAnswer } from "../../protocol";
import type { GraphData } from "./graph";
import type { Asked } from "./history";
import type { ImpactFilter, Counts } from "./impact";
import type { Pack, Row } from "./packing";

export type Mode = "task" | "selection" | "changes" | "pr";

/** Commands that a webview may have run; nothing else is run for it. */
export const ALLOWED_COMMANDS = [
  "knowing.showIndexed",
  "knowing.updateIndex",
  "knowing.rebuildIndex",
  "knowing.cancelIndexing",
  "knowing.clearIndex",
  "knowing.doctor",
  "knowing.restartServer",
  "knowing.showLog",
  "knowing.selectInterpreter",
  "workbench.trust.manage",
  "workbench.action.findInFiles",
] as const;
export type AllowedCommand = (typeof ALLOWED_COMMANDS)[number];

export interface Place {
  path: string;
  line: number;
}

/** Asked for by any webview. */
export type CommonRequest =
  | { type: "ready" }
  | { type: "open"; place: Place; aside?: boolean }
  | { type: "peek"; place: Place }
  | { type: "command"; command: AllowedCommand; argument?: string }
  | { type: "blast"; symbol: string }
  | { type: "graph"; symbol: string }
  | { type: "explain"; symbol: string };

/** Told to any webview. */
export interface CommonMessage { type: "announce"; text: string }

// -- the state of the index --------------------------------------------------------------------

export type IndexLine =
  | { state: "unknown" }
  | { state: "fresh"; files: number; symbols: number; skipped: number; folder: string }
  | { state: "indexing"; done: number; total: number; folder: string }
  | { state: "cancelled"; files: number; folder: string }
  | { state: "stale"; pending: number; folder: string; notes: string[] };

// -- context -----------------------------------------------------------------------------------

export type Mark = "pin" | "ban" | "useful" | "notUseful";

export interface Marks {
  pinned: boolean;
  /** 1, -1 or 0. */
  thumb: number;
}

export type Phase =
  | { kind: "empty" }
  | { kind: "loading" }
  | { kind: "ready" }
  | { kind: "nothing"; because: string[] }
  | { kind: "error"; message: string; hint: string; server: boolean }
  | { kind: "noPython"; detail: string };

export interface ContextState {
  mode: Mode;
  task: string;
  /** What is asked about in other modes than `task`, in words. */
  source: string;
  base: string;
  bases: string[];
  history: Asked[];
  examples: string[];
  phase: Phase;
  /** A question is under way; what is shown is of the last one. */
  busy: boolean;
  index: IndexLine;
  trusted: boolean;
  budget: number;
  rows: Row[];
  /** By budget; the one of `budget` is there when `phase` is `ready`. */
  packs: Record<number, Pack>;
  marks: Record<string, Marks>;
  banned: number;
  notes: string[];
  /** How many symbols of this answer the chat has been given. */
  given: number;
  /** Grows with every answer, so that a list knows when to begin at its top. */
  answer: number;
}

export type ContextMessage =
  | CommonMessage
  | { type: "state"; state: ContextState }
  | { type: "pack"; pack: Pack; rows: Row[] }
  | { type: "focus"; part: "task" | "list" };

export type ContextRequest =
  | CommonRequest
  | { type: "mode"; mode: Mode }
  | { type: "ask"; task: string }
  | { type: "again" }
  | { type: "base"; base: string }
  | { type: "otherBase" }
  | { type: "budget"; tokens: number }
  | { type: "prefetch" }
  | { type: "mark"; symbol: string; mark: Mark }
  | { type: "unban" }
  | { type: "copy"; onlyNew: boolean }
  | { type: "forgetCopied" }
  | { type: "chat" }
  | { type: "save" };

// -- impact ------------------------------------------------------------------------------------

export interface ImpactState {
  phase: "empty" | "loading" | "ready" | "error";
  error: string;
  hint: string;
  candidates: string[];
  subject: string;
  answer: Pick<BlastAnswer, "symbol" | "risk" | "complete" | "reasons" | "index" | "possible_count"> | undefined;
  counts: Counts | undefined;
  filter: ImpactFilter;
  trusted: boolean;
}

export type ImpactMessage = CommonMessage | { type: "state"; state: ImpactState };
export type ImpactRequest =
  | CommonRequest
  | { type: "filter"; filter: ImpactFilter }
  | { type: "pick"; symbol: string }
  | { type: "runTests" }
  | { type: "copyReport" }
  | { type: "searchText"; text: string };

// -- graph -------------------------------------------------------------------------------------

export interface GraphState {
  phase: "loading" | "ready" | "error";
  error: string;
  data: GraphData | undefined;
  depth: number;
}

export type GraphMessage = CommonMessage | { type: "state"; state: GraphState };
export type GraphRequest =
  | CommonRequest
  | { type: "depth"; depth: number }
  | { type: "centre"; symbol: string }
  | { type: "copyList"; text: string };

// -- explain -----------------------------------------------------------------------------------

/** A change of the task that was tried, and what it did. */
export interface Trial {
  task: string;
  word: string;
  rank: number | null;
  score: number;
}

export interface ExplainState {
  phase: "loading" | "ready" | "error";
  error: string;
  hint: string;
  task: string;
  symbol: string;
  place: Place | undefined;
  answer: ExplainAnswer | undefined;
  trials: Trial[];
  marks: Marks;
}

export type ExplainMessage = CommonMessage | { type: "state"; state: ExplainState };
export type ExplainRequest =
  | CommonRequest
  | { type: "try"; task: string }
  | { type: "mark"; mark: Mark }
  | { type: "again" };

// -- what is indexed ---------------------------------------------------------------------------

export interface IndexedState {
  phase: "loading" | "ready" | "error";
  error: string;
  status: StatusAnswer | undefined;
  line: IndexLine;
  trusted: boolean;
  versions: { extension: string; server: string };
}

export type IndexedMessage = CommonMessage | { type: "state"; state: IndexedState };
export type IndexedRequest =
  | CommonRequest
  | { type: "folder"; uri: string }
  | { type: "refresh" }
  | { type: "copyReport" }
  | { type: "openFolder" };
