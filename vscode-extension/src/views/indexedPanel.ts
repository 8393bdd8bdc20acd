/** What is indexed: counts, languages, what was skipped and why, where it lies. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import { runCommon, type Common } from "./common";
import { indexLineOf } from "./indexState";
import { leftOut } from "./model/indexed";
import type { CommonRequest, IndexedMessage, IndexedRequest, IndexedState } from "./model/messages";
import { Panel } from "./panel";
import type { StatusAnswer } from "../protocol";

/** Changes that come together are one reading. */
const SETTLE = 400;

export class IndexedPanel extends Panel<IndexedMessage, IndexedRequest> {
  private status: StatusAnswer | undefined;
  private failure = "";
  private folder: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    extension: vscode.Uri,
    private readonly version: string,
    private readonly api: KnowingApi,
    private readonly common: Common,
  ) {
    super(extension, "indexed");
    this.subscriptions = [
      api.onIndexChanged(() => this.later()),
      api.onServerState(() => this.later()),
      api.onProgress(() => this.update()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.update()),
    ];
  }

  async show(): Promise<void> {
    this.reveal(vscode.l10n.t("What is indexed"));
    await this.load();
  }

  protected draw(): IndexedMessage {
    const { status } = this;
    const state: IndexedState = {
      phase: this.failure ? "error" : status ? "ready" : "loading",
      error: this.failure,
      status,
      line: indexLineOf(status?.index, this.api.progress, status?.name ?? "", status ? leftOut(status).length : 0),
      trusted: vscode.workspace.isTrusted,
      versions: { extension: this.version, server: this.api.serverState },
    };
    return { type: "state", state };
  }

  private later(): void {
    if (!this.isOpen) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), SETTLE);
  }

  private async load(): Promise<void> {
    try {
      this.status = await this.api.status({ root: this.folder ?? this.api.folderFor()?.uri.toString() });
      this.failure = "";
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
    this.update();
  }

  protected async receive(request: IndexedRequest | CommonRequest): Promise<void> {
    switch (request.type) {
      case "folder":
        this.folder = request.uri;
        return this.load();
      case "refresh":
        return this.load();
      case "copyReport":
        await vscode.env.clipboard.writeText(this.status?.markdown ?? "");
        { this.announce(vscode.l10n.t("Report copied")); return; }
      case "openFolder":
        if (this.status) await vscode.env.openExternal(vscode.Uri.file(this.status.folder));
        return;
      default:
        return runCommon(request, this.common, this.status?.root ?? "", "", true);
    }
  }

  override dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions).dispose();
    super.dispose();
  }
}
