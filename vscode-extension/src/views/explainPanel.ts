/** Why a symbol has its score, or has none; and what would lift it. */

import * as vscode from "vscode";
import { KnowingError, type KnowingApi } from "../api";
import { runCommon, type Common } from "./common";
import { shortName } from "./model/explain";
import type { CommonRequest, ExplainMessage, ExplainRequest, ExplainState, Mark, Marks, Place, Trial } from "./model/messages";
import { Panel } from "./panel";

export interface ExplainParts {
  ask(task: string): Promise<void>;
  mark(symbol: string, mark: Mark): Promise<void>;
  marksOf(symbol: string): Marks;
  /** Where a symbol of the last answer stands. */
  placeOf(symbol: string): Place | undefined;
}

export class ExplainPanel extends Panel<ExplainMessage, ExplainRequest> {
  private state: ExplainState = {
    phase: "loading", error: "", hint: "", task: "", symbol: "", place: undefined,
    answer: undefined, trials: [], marks: { pinned: false, thumb: 0 },
  }; // prettier-ignore
  private root = "";
  private number = 0;

  constructor(
    extension: vscode.Uri,
    private readonly api: KnowingApi,
    private readonly common: Common,
    private readonly parts: ExplainParts,
  ) {
    super(extension, "explain");
  }

  async show(task: string, symbol: string, root = ""): Promise<void> {
    this.root = root;
    this.state = { ...this.state, phase: "loading", task, symbol, answer: undefined, trials: [], place: this.parts.placeOf(symbol) };
    this.reveal(vscode.l10n.t("Why {0}?", shortName(symbol)));
    await this.load();
  }

  protected draw(): ExplainMessage {
    return { type: "state", state: { ...this.state, marks: this.parts.marksOf(this.state.symbol) } };
  }

  private async load(): Promise<void> {
    const number = (this.number += 1);
    const { task, symbol } = this.state;
    const root = this.root || undefined;
    this.update();
    try {
      const answer = await this.api.explain({ task, symbol, root });
      if (number !== this.number) return;
      this.root = answer.root;
      const place = this.state.place ?? (await this.placeOf(answer.symbol));
      this.state = { ...this.state, phase: "ready", answer, symbol: answer.symbol, place };
      this.update();
      const trials = await this.tryWords(task, answer.symbol);
      if (number !== this.number) return;
      this.state = { ...this.state, trials };
    } catch (error) {
      if (number !== this.number) return;
      const message = error instanceof Error ? error.message : String(error);
      this.state = { ...this.state, phase: "error", error: message, hint: error instanceof KnowingError ? error.hint : "" };
    }
    this.update();
  }

  /** What naming it, or what it belongs to, would do: tried, not guessed. */
  private async tryWords(task: string, symbol: string): Promise<Trial[]> {
    const chain = shortName(symbol).split(".");
    const words = [...new Set([chain[chain.length - 1] ?? "", chain[0] ?? ""])].filter((word) => word && !task.includes(word));
    const trials: Trial[] = [];
    for (const word of words) {
      const asked = `${task} ${word}`;
      const { rank, score } = await this.api.explain({ task: asked, symbol, root: this.root });
      trials.push({ task: asked, word, rank, score });
    }
    return trials;
  }

  private async placeOf(symbol: string): Promise<Place | undefined> {
    const [path] = symbol.split("::");
    if (!path) return undefined;
    const found = await this.api.search({ query: shortName(symbol), limit: 10, root: this.root });
    const item = found.items.find((one) => one.qualified_name === symbol);
    return { path, line: item?.line ?? 1 };
  }

  protected async receive(request: ExplainRequest | CommonRequest): Promise<void> {
    switch (request.type) {
      case "try":
        return this.parts.ask(request.task);
      case "mark":
        await this.parts.mark(this.state.symbol, request.mark);
        return this.load();
      case "again":
        return this.load();
      default:
        return runCommon(request, this.common, this.root, this.state.task, true);
    }
  }
}
