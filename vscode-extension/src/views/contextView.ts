/** The Context view in the side bar: draws what the controller holds, and hands it what people do. */

import * as vscode from "vscode";
import { Channel } from "./channel";
import type { ContextController } from "./contextController";
import { runCommon, type Common } from "./common";
import type { CommonRequest, ContextMessage, ContextRequest } from "./model/messages";
import { html, options } from "./shell";

export const CONTEXT_VIEW = "knowing.context";

export class ContextView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private channel: Channel<ContextMessage, ContextRequest> | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly controller: ContextController,
    private readonly common: Common,
  ) {
    this.subscriptions = [
      vscode.window.registerWebviewViewProvider(CONTEXT_VIEW, this),
      controller.onState((state) => this.channel?.send({ type: "state", state })),
      controller.onPack((pack) => this.channel?.send({ type: "pack", ...pack })),
      controller.onSay((text) => this.channel?.send({ type: "announce", text })),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.channel?.dispose();
    view.webview.options = options(this.extension);
    this.channel = new Channel(view.webview, (request) => this.receive(request));
    view.webview.html = html(view.webview, this.extension, "context", vscode.l10n.t("Context"));
    view.onDidDispose(() => {
      this.channel?.dispose();
      this.channel = this.view = undefined;
    });
  }

  /** Brings it to the front; the focus goes to the task box or to the first result. */
  async show(part: "task" | "list"): Promise<void> {
    if (this.view) this.view.show(false);
    else await vscode.commands.executeCommand(`${CONTEXT_VIEW}.focus`);
    this.channel?.send({ type: "focus", part });
  }

  private receive(request: ContextRequest | CommonRequest): unknown {
    const { controller } = this;
    switch (request.type) {
      case "ready":
        return this.channel?.send({ type: "state", state: controller.state() });
      case "mode":
        return controller.setMode(request.mode);
      case "ask":
        // Enter asks and goes to the first result, once it is there.
        this.channel?.send({ type: "focus", part: "list" });
        return controller.askTask(request.task);
      case "again":
        return controller.again();
      case "base":
        return controller.setMode("pr", request.base);
      case "otherBase":
        return controller.chooseBase();
      case "budget":
        { controller.setBudget(request.tokens); return; }
      case "prefetch":
        return controller.prefetch();
      default:
        return this.receiveAction(request);
    }
  }

  private receiveAction(request: Exclude<ContextRequest | CommonRequest, { type: "ready" | "mode" | "ask" | "again" | "base" | "otherBase" | "budget" | "prefetch" }>): unknown {
    const { controller } = this;
    switch (request.type) {
      case "mark":
        return controller.mark(request.symbol, request.mark);
      case "unban":
        return controller.unban();
      case "copy":
        return controller.hand(request.onlyNew ? "copyNew" : "copy");
      case "forgetCopied":
        { controller.forgetCopied(); return; }
      case "chat":
        return controller.hand("chat");
      case "save":
        return controller.hand("save");
      default:
        return runCommon(request, this.common, controller.root, controller.title);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.channel?.dispose();
  }
}
