/** The summary above the tree: subject, risk with its parts, completeness, filters. */

import * as vscode from "vscode";
import { Channel } from "./channel";
import { runCommon, type Common } from "./common";
import type { ImpactController } from "./impactController";
import type { CommonRequest, ImpactMessage, ImpactRequest } from "./model/messages";
import { html, options } from "./shell";
import type { TestRunner } from "./testRunner";

export const IMPACT_VIEW = "knowing.impact";

export class ImpactView implements vscode.WebviewViewProvider, vscode.Disposable {
  private channel: Channel<ImpactMessage, ImpactRequest> | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly controller: ImpactController,
    private readonly common: Common,
    private readonly runner: TestRunner,
  ) {
    this.subscriptions = [
      vscode.window.registerWebviewViewProvider(IMPACT_VIEW, this),
      controller.onState((state) => this.channel?.send({ type: "state", state })),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.channel?.dispose();
    view.webview.options = options(this.extension);
    this.channel = new Channel(view.webview, (request) => this.receive(request));
    view.webview.html = html(view.webview, this.extension, "impact", vscode.l10n.t("Impact"));
    view.onDidDispose(() => {
      this.channel?.dispose();
      this.channel = undefined;
    });
  }

  private async receive(request: ImpactRequest | CommonRequest): Promise<void> {
    const { controller } = this;
    switch (request.type) {
      case "ready":
        this.channel?.send({ type: "state", state: controller.state() });
        return;
      case "filter":
        return controller.setFilter(request.filter);
      case "pick":
        return controller.show({ symbol: request.symbol });
      case "runTests":
        if (controller.current) await this.runner.run(controller.current);
        return;
      case "copyReport":
        if (!controller.current) return;
        await vscode.env.clipboard.writeText(controller.current.markdown);
        this.channel?.send({ type: "announce", text: vscode.l10n.t("Report copied") });
        return;
      case "searchText":
        await vscode.commands.executeCommand("workbench.action.findInFiles", { query: request.text, triggerSearch: true });
        return;
      default:
        return runCommon(request, this.common, controller.root, "");
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.channel?.dispose();
  }
}
