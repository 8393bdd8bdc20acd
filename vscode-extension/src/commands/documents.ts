/** Answers as read-only documents, rendered by VS Code's own Markdown preview. */

import * as vscode from "vscode";

const SCHEME = "knowing-answer";

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? "";
  }

  /** Shows Markdown under a title; the same title takes the place of what it showed before. */
  async show(title: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll("/", "∕")}.md` });
    this.#texts.set(uri.path, markdown);
    this.#changed.fire(uri);
    try {
      await vscode.commands.executeCommand("markdown.showPreview", uri);
    } catch {
      // The preview is an extension that can be switched off.
      await vscode.window.showTextDocument(uri, { preview: true });
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.#changed, this.#registration).dispose();
  }
}
