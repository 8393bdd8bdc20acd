/** Questions to the server, and what it tells by itself. */

import * as path from "node:path";
import * as vscode from "vscode";
import { ResponseError, type LanguageClient } from "vscode-languageclient/node";
import { KnowingError, type Ask, type IndexingProgress, type KnowingApi, type ServerReport, type ServerState } from "./api";
import { log, messageOf } from "./log";
import { INDEX_CHANGED, METHODS, REINDEX_COMMAND, type ErrorData, type IndexChanged } from "./protocol";
import type { Server } from "./server";

const CANCELLED = new Set([-32800, -32802]);

export class Knowing implements KnowingApi, vscode.Disposable {
  readonly context: KnowingApi["context"] = this.#asks(METHODS.context);
  readonly contextForSelection: KnowingApi["contextForSelection"] = this.#asks(METHODS.contextForSelection);
  readonly contextForChanges: KnowingApi["contextForChanges"] = this.#asks(METHODS.contextForChanges);
  readonly blastRadius: KnowingApi["blastRadius"] = this.#asks(METHODS.blastRadius);
  readonly explain: KnowingApi["explain"] = this.#asks(METHODS.explain);
  readonly related: KnowingApi["related"] = this.#asks(METHODS.related);
  readonly search: KnowingApi["search"] = this.#asks(METHODS.search);
  readonly map: KnowingApi["map"] = this.#asks(METHODS.map);
  readonly status: KnowingApi["status"] = this.#asks(METHODS.status);
  readonly feedback: KnowingApi["feedback"] = this.#asks(METHODS.feedback);

  readonly #indexChanged = new vscode.EventEmitter<IndexChanged>();
  readonly onIndexChanged = this.#indexChanged.event;
  readonly #progressed = new vscode.EventEmitter<IndexingProgress | undefined>();
  readonly onProgress = this.#progressed.event;
  readonly indexes = new Map<string, IndexChanged>();
  readonly #runs = new Map<string | number, IndexingProgress>();
  readonly #subscriptions: vscode.Disposable[] = [];

  constructor(private readonly server: Server) {
    this.#subscriptions.push(
      server.onClient((client) => this.#listen(client)),
      vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
        for (const folder of removed) this.indexes.delete(folder.uri.toString());
      }),
    );
  }

  readonly reindex: KnowingApi["reindex"] = (params, token) =>
    this.request("workspace/executeCommand", { command: REINDEX_COMMAND, arguments: [params] }, token);

  /** Any request; rejects with what the user can be told. */
  async request<A>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<A> {
    const client = await this.server.ready(token);
    try {
      // Anything after the parameters would make them a list, also an undefined token.
      return await (token ? client.sendRequest<A>(method, params, token) : client.sendRequest<A>(method, params));
    } catch (error) {
      throw this.#inWords(error, token);
    }
  }

  get progress(): IndexingProgress | undefined {
    return [...this.#runs.values()].pop();
  }

  /** A run has come further, or has ended. */
  progressed(token: string | number, value: IndexingProgress | undefined): void {
    if (value) this.#runs.set(token, value);
    else this.#runs.delete(token);
    this.#progressed.fire(this.progress);
  }

  cancelIndexing(): void {
    const tokens = [...this.#runs.keys()];
    this.server.ready().then(
      (client) => {
        for (const token of tokens) void client.sendNotification("window/workDoneProgress/cancel", { token });
      },
      () => undefined,
    );
  }

  get serverState(): ServerState {
    return this.server.report.state;
  }

  get serverReport(): ServerReport {
    return this.server.report;
  }

  get onServerState(): vscode.Event<ServerReport> {
    return this.server.onReport;
  }

  restart(): Promise<void> {
    return this.server.restart();
  }

  showLog(): void {
    log.show(true);
  }

  folderFor(uri?: vscode.Uri): vscode.WorkspaceFolder | undefined {
    const place = uri ?? vscode.window.activeTextEditor?.document.uri;
    const around = place && vscode.workspace.getWorkspaceFolder(place);
    return around ?? vscode.workspace.workspaceFolders?.[0];
  }

  uriOf(root: string, file: string): vscode.Uri {
    return vscode.Uri.file(path.join(root, file));
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#indexChanged, this.#progressed).dispose();
  }

  #asks<P, A>(method: string): Ask<P, A> {
    return (params, token) => this.request(method, params, token);
  }

  #listen(client: LanguageClient): void {
    this.indexes.clear();
    this.#runs.clear();
    this.#progressed.fire(undefined);
    client.onNotification(INDEX_CHANGED, (changed: IndexChanged) => {
      this.indexes.set(changed.uri, changed);
      this.#indexChanged.fire(changed);
    });
  }

  #inWords(error: unknown, token?: vscode.CancellationToken): Error {
    if (token?.isCancellationRequested) return new vscode.CancellationError();
    if (!(error instanceof ResponseError)) {
      return new KnowingError(messageOf(error), vscode.l10n.t("Ask again; the log says more."), "ServerDown");
    }
    if (CANCELLED.has(error.code)) return new vscode.CancellationError();
    const data = error.data as Partial<ErrorData> | undefined;
    return new KnowingError(error.message, data?.hint ?? "", data?.kind ?? "Error", data?.candidates ?? []);
  }
}
