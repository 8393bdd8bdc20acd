/** A webview as the host sees it: typed messages both ways, none before somebody listens. */

import type * as vscode from "vscode";
import type { CommonMessage, CommonRequest } from "./model/messages";

export class Channel<Message extends { type: string }, Request extends { type: string }> implements vscode.Disposable {
  private ready = false;
  private readonly waiting: (Message | CommonMessage)[] = [];
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly webview: vscode.Webview,
    receive: (request: Request | CommonRequest) => unknown,
  ) {
    this.subscription = webview.onDidReceiveMessage((request: Request | CommonRequest) => {
      if (request.type === "ready") {
        this.ready = true;
        for (const message of this.waiting.splice(0)) void webview.postMessage(message);
      }
      void receive(request);
    });
  }

  send(message: Message | CommonMessage): void {
    if (this.ready) void this.webview.postMessage(message);
    // A state replaces the one before it; only other messages are worth keeping.
    else if (message.type !== "state") this.waiting.push(message);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
