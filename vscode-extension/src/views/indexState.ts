/** How current the index of a folder is, from what the server and its progress tell. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { IndexState } from "../protocol";
import { leftOut } from "./model/indexed";
import type { IndexLine } from "./model/messages";

export function indexLineOf(index: IndexState | undefined, progress: KnowingApi["progress"], folder: string, skipped = 0): IndexLine {
  if (progress) return { state: "indexing", done: progress.done, total: progress.total, folder };
  if (!index) return { state: "unknown" };
  if (index.state === "indexing") return { state: "indexing", done: 0, total: 0, folder };
  if (index.state === "fresh") return { state: "fresh", files: index.files, symbols: index.symbols, skipped, folder };
  if (index.notes.some((text) => text.includes("cancelled"))) return { state: "cancelled", files: index.files, folder };
  return { state: "stale", pending: index.pending, folder, notes: index.notes };
}

/** The index of the folder that is worked in. */
export class IndexWatch implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<{ whole: boolean }>();
  /** `whole` when everything is indexed and nothing is under way. */
  readonly onChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  private skipped = 0;
  private counted = -1;

  constructor(private readonly api: KnowingApi) {
    this.subscriptions = [api.onIndexChanged(() => this.onIndex()), api.onProgress(() => this.changed.fire({ whole: this.isWhole }))];
  }

  private get index(): IndexState | undefined {
    const uri = this.api.folderFor()?.uri.toString();
    const told = [...this.api.indexes.values()];
    return (told.find((one) => one.uri === uri) ?? told[0])?.index;
  }

  private get isWhole(): boolean {
    return this.index?.state === "fresh" && !this.api.progress;
  }

  line(): IndexLine {
    return indexLineOf(this.index, this.api.progress, this.api.folderFor()?.name ?? "", this.skipped);
  }

  private onIndex(): void {
    this.changed.fire({ whole: this.isWhole });
    if (this.isWhole) void this.countSkipped();
  }

  private async countSkipped(): Promise<void> {
    const { index } = this;
    if (!index || index.generation === this.counted) return;
    this.counted = index.generation;
    try {
      const status = await this.api.status({ root: this.api.folderFor()?.uri.toString() });
      const skipped = leftOut(status).length;
      if (skipped === this.skipped) return;
      this.skipped = skipped;
      this.changed.fire({ whole: this.isWhole });
    } catch {
      // The line says what is known; the count comes with the next change.
      this.counted = -1;
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.changed).dispose();
  }
}
