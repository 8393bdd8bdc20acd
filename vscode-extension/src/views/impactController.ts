/** The blast radius that is shown: asked for once, arranged by a filter. */

import * as vscode from "vscode";
import { KnowingError, type KnowingApi } from "../api";
import type { BlastAnswer, TargetParams } from "../protocol";
import { DEFAULT_FILTER, MOST_DEPTH, counts, tree, type Group, type ImpactFilter } from "./model/impact";
import type { ImpactState } from "./model/messages";

const FILTER = "knowing.impactFilter";

export class ImpactController implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ImpactState>();
  readonly onState = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  private answer: BlastAnswer | undefined;
  private target: TargetParams | undefined;
  private source: vscode.CancellationTokenSource | undefined;
  private phase: ImpactState["phase"] = "empty";
  private failure: Pick<ImpactState, "error" | "hint" | "candidates"> = { error: "", hint: "", candidates: [] };
  private filter: ImpactFilter;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly api: KnowingApi,
  ) {
    this.filter = { ...DEFAULT_FILTER, ...memory.get<Partial<ImpactFilter>>(FILTER), guess: false };
    this.subscriptions = [api.onIndexChanged(({ index }) => this.onIndex(index.generation, index.state))];
  }

  get root(): string {
    return this.answer?.root ?? "";
  }

  get current(): BlastAnswer | undefined {
    return this.phase === "ready" ? this.answer : undefined;
  }

  state(): ImpactState {
    const { answer } = this;
    return {
      phase: this.phase,
      ...this.failure,
      subject: answer?.symbol.name ?? this.target?.symbol ?? "",
      answer: answer && {
        symbol: answer.symbol,
        risk: answer.risk,
        complete: answer.complete,
        reasons: answer.reasons,
        index: answer.index,
        possible_count: answer.possible_count,
      },
      counts: answer && counts(answer),
      filter: this.filter,
      trusted: vscode.workspace.isTrusted,
    };
  }

  groups(): Group[] {
    return this.current ? tree(this.current, this.filter) : [];
  }

  async show(target: TargetParams): Promise<void> {
    this.target = target;
    await this.ask();
  }

  async setFilter(filter: ImpactFilter): Promise<void> {
    const deeper = filter.depth !== this.filter.depth;
    this.filter = { ...filter, depth: Math.min(MOST_DEPTH, Math.max(1, filter.depth)) };
    await this.memory.update(FILTER, this.filter);
    if (deeper) await this.ask();
    else this.tell();
  }

  async refresh(): Promise<void> {
    await this.ask();
  }

  private async ask(): Promise<void> {
    if (!this.target) return;
    this.source?.cancel();
    const source = (this.source = new vscode.CancellationTokenSource());
    if (this.phase !== "ready") this.phase = "loading";
    this.tell();
    try {
      const answer = await this.api.blastRadius({ ...this.target, depth: this.filter.depth }, source.token);
      if (this.source !== source) return;
      this.answer = answer;
      // The place may move with an edit; the name stays.
      this.target = { symbol: answer.symbol.qualified_name, root: answer.root };
      this.phase = "ready";
    } catch (error) {
      if (this.source !== source || error instanceof vscode.CancellationError) return;
      this.answer = undefined;
      this.phase = "error";
      const known = error instanceof KnowingError;
      this.failure = {
        error: error instanceof Error ? error.message : String(error),
        hint: known ? error.hint : "",
        candidates: known ? [...error.candidates] : [],
      };
    }
    this.tell();
  }

  /** An answer that an edit has overtaken is asked for again. */
  private onIndex(generation: number, state: string): void {
    if (this.phase === "ready" && state === "fresh" && this.answer?.index.generation !== generation) void this.ask();
  }

  private tell(): void {
    void vscode.commands.executeCommand("setContext", "knowing.hasImpact", this.phase === "ready");
    this.changed.fire(this.state());
  }

  dispose(): void {
    this.source?.cancel();
    vscode.Disposable.from(...this.subscriptions, this.changed).dispose();
  }
}
