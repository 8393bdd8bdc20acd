/** A page in the editor area: opened on demand, one of each kind, drawn anew when it comes back. */

import * as vscode from "vscode";
import { Channel } from "./channel";
import type { CommonRequest } from "./model/messages";
import { html, options, type PageName } from "./shell";

export abstract class Panel<Message extends { type: string }, Request extends { type: string }> implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private channel: Channel<Message, Request> | undefined;

  protected constructor(
    private readonly extension: vscode.Uri,
    private readonly name: PageName,
  ) {}

  /** What the page is to draw by now. */
  protected abstract draw(): Message;
  protected abstract receive(request: Request | CommonRequest): unknown;

  protected get isOpen(): boolean {
    return this.panel !== undefined;
  }

  protected reveal(title: string): void {
    if (this.panel) {
      this.panel.title = title;
      this.panel.reveal(undefined, false);
      return;
    }
    const panel = vscode.window.createWebviewPanel(`knowing.${this.name}`, title, vscode.ViewColumn.Active, {
      ...options(this.extension),
      enableFindWidget: true,
    });
    panel.iconPath = vscode.Uri.joinPath(this.extension, "media", "view.svg");
    this.panel = panel;
    this.channel = new Channel(panel.webview, (request) => {
      if (request.type === "ready") this.update();
      else return this.receive(request);
      return undefined;
    });
    panel.webview.html = html(panel.webview, this.extension, this.name, title);
    panel.onDidDispose(() => {
      this.channel?.dispose();
      this.channel = this.panel = undefined;
    });
  }

  protected update(title?: string): void {
    if (this.panel && title) this.panel.title = title;
    this.channel?.send(this.draw());
  }

  protected announce(text: string): void {
    this.channel?.send({ type: "announce", text });
  }

  dispose(): void {
    this.panel?.dispose();
    this.channel?.dispose();
  }
}
