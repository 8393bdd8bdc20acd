/** What views, commands and chat may ask; they know nothing of how the server is run. */

import type * as vscode from "vscode";
import type {
  BlastAnswer,
  BlastParams,
  ChangesParams,
  ContextAnswer,
  ContextParams,
  ExplainAnswer,
  ExplainParams,
  FeedbackAnswer,
  FeedbackParams,
  IndexChanged,
  ItemsAnswer,
  MapAnswer,
  MapParams,
  ReindexAnswer,
  ReindexParams,
  RelatedParams,
  SearchParams,
  SelectionParams,
  StatusAnswer,
  AskParams,
} from "./protocol";

export type ServerState = "starting" | "running" | "stopped" | "failed" | "noPython";

/** The state of the server, and what there is to say about it. */
export interface ServerReport {
  state: ServerState;
  /** Why, in one sentence, when it is `failed` or `noPython`. */
  detail?: string;
}

/** How far a run over the files of a folder has come; `total` is 0 while they are counted. */
export interface IndexingProgress {
  stage: string;
  done: number;
  total: number;
}

/** An error of the server, in words for the user. */
export class KnowingError extends Error {
  constructor(
    message: string,
    /** What to do about it. */
    readonly hint: string,
    /** `NotFoundError`, `AmbiguousError`, …; `ServerDown` when nobody could be asked. */
    readonly kind: string,
    /** What an ambiguous name can mean. */
    readonly candidates: readonly string[] = [],
  ) {
    super(message);
    this.name = "KnowingError";
  }
}

export type Ask<P, A> = (params: P, token?: vscode.CancellationToken) => Promise<A>;

/** Rejections are `KnowingError`, or `vscode.CancellationError` if the token was cancelled. */
export interface KnowingApi {
  readonly context: Ask<ContextParams, ContextAnswer>;
  readonly contextForSelection: Ask<SelectionParams, ContextAnswer>;
  readonly contextForChanges: Ask<ChangesParams, ContextAnswer>;
  readonly blastRadius: Ask<BlastParams, BlastAnswer>;
  readonly explain: Ask<ExplainParams, ExplainAnswer>;
  readonly related: Ask<RelatedParams, ItemsAnswer>;
  readonly search: Ask<SearchParams, ItemsAnswer>;
  readonly map: Ask<MapParams, MapAnswer>;
  readonly status: Ask<AskParams, StatusAnswer>;
  readonly feedback: Ask<FeedbackParams, FeedbackAnswer>;
  readonly reindex: Ask<ReindexParams, ReindexAnswer>;

  readonly onIndexChanged: vscode.Event<IndexChanged>;
  /** The last that `onIndexChanged` told of each folder. */
  readonly indexes: ReadonlyMap<string, IndexChanged>;

  /** The run that is under way, if one is. */
  readonly progress: IndexingProgress | undefined;
  readonly onProgress: vscode.Event<IndexingProgress | undefined>;
  /** Stops all runs; `reindex` goes on. */
  cancelIndexing(): void;

  readonly serverState: ServerState;
  readonly serverReport: ServerReport;
  readonly onServerState: vscode.Event<ServerReport>;
  restart(): Promise<void>;
  showLog(): void;

  /** The folder of a document; without one, of the active editor, else the first. */
  folderFor(uri?: vscode.Uri): vscode.WorkspaceFolder | undefined;
  /** A file of an answer, whose path is relative to `root`. */
  uriOf(root: string, path: string): vscode.Uri;
}
