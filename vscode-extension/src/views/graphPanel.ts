/** The graph around a symbol. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { TargetParams } from "../protocol";
import { runCommon, type Common } from "./common";
import { graphAround } from "./graphSource";
import { MOST_STEPS } from "./model/graph";
import type { CommonRequest, GraphMessage, GraphRequest, GraphState } from "./model/messages";
import { Panel } from "./panel";

export class GraphPanel extends Panel<GraphMessage, GraphRequest> {
  private state: GraphState = { phase: "loading", error: "", data: undefined, depth: 2 };
  private target: TargetParams = {};
  private root = "";
  private source: vscode.CancellationTokenSource | undefined;

  constructor(
    extension: vscode.Uri,
    private readonly api: KnowingApi,
    private readonly common: Common,
  ) {
    super(extension, "graph");
  }

  async show(target: TargetParams): Promise<void> {
    this.target = target;
    this.reveal(vscode.l10n.t("Graph"));
    await this.load();
  }

  protected draw(): GraphMessage {
    return { type: "state", state: this.state };
  }

  private async load(): Promise<void> {
    this.source?.cancel();
    const source = (this.source = new vscode.CancellationTokenSource());
    this.state = { ...this.state, phase: "loading" };
    this.update();
    try {
      const { data, root } = await graphAround(this.api, this.target, this.state.depth, source.token);
      if (this.source !== source) return;
      this.root = root;
      this.target = { symbol: data.centre, root };
      this.state = { ...this.state, phase: "ready", error: "", data };
      const name = data.nodes.find((node) => node.id === data.centre)?.name ?? "";
      this.update(vscode.l10n.t("Graph: {0}", name));
    } catch (error) {
      if (this.source !== source || error instanceof vscode.CancellationError) return;
      this.state = { ...this.state, phase: "error", error: error instanceof Error ? error.message : String(error) };
      this.update();
    }
  }

  protected async receive(request: GraphRequest | CommonRequest): Promise<void> {
    switch (request.type) {
      case "depth":
        this.state = { ...this.state, depth: Math.min(MOST_STEPS, Math.max(1, request.depth)) };
        return this.load();
      case "centre":
        this.target = { symbol: request.symbol, root: this.root };
        return this.load();
      case "copyList":
        await vscode.env.clipboard.writeText(request.text);
        { this.announce(vscode.l10n.t("List copied")); return; }
      default:
        return runCommon(request, this.common, this.root, "", true);
    }
  }

  override dispose(): void {
    this.source?.cancel();
    super.dispose();
  }
}
