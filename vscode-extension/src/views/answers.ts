/** The answers to one question at several budgets, of one state of the index. */

import * as vscode from "vscode";
import type { ContextAnswer } from "../protocol";
import { applyMarks, type Marked } from "./model/marks";
import { MOST, STEPS, mergeRows, packOf, rowOf, type Pack, type Row } from "./model/packing";
import type { Question } from "./question";

export class Answers implements vscode.Disposable {
  private readonly byBudget = new Map<number, ContextAnswer>();
  private readonly pending = new Map<number, Promise<ContextAnswer>>();
  private readonly source = new vscode.CancellationTokenSource();
  private generation = -1;
  private prefetching = false;

  constructor(
    readonly question: Question,
    /** Pins and bans that the server does not know of. */
    private readonly marked: () => Marked,
  ) {}

  get root(): string {
    return this.byBudget.values().next().value?.root ?? "";
  }

  /** As the server has it; the ranking is cached there, so another budget is packed at once. */
  async at(budget: number): Promise<ContextAnswer> {
    const known = this.byBudget.get(budget);
    if (known) return known;
    let asked = this.pending.get(budget);
    if (!asked) {
      asked = this.question.ask(budget, this.source.token).finally(() => this.pending.delete(budget));
      this.pending.set(budget, asked);
    }
    const answer = await asked;
    // Packs of two states of the index are not compared with each other.
    if (answer.index.generation !== this.generation) this.byBudget.clear();
    this.generation = answer.index.generation;
    this.byBudget.set(budget, answer);
    return answer;
  }

  /** What is shown and copied: without what is banned here, with what is pinned. */
  shown(budget: number): ContextAnswer | undefined {
    const answer = this.byBudget.get(budget);
    return answer && applyMarks(answer, this.byBudget.get(MOST), this.marked());
  }

  pack(budget: number): Pack | undefined {
    const answer = this.shown(budget);
    // A server may take less than what was asked for; the slider knows it by what was asked.
    return answer && { ...packOf(answer), budget };
  }

  packs(): Record<number, Pack> {
    const packs: Record<number, Pack> = {};
    for (const budget of this.byBudget.keys()) {
      const pack = this.pack(budget);
      if (pack) packs[budget] = pack;
    }
    return packs;
  }

  rows(): Row[] {
    const { banned } = this.marked();
    return [...this.byBudget.values()]
      .reduce<Row[]>((rows, answer) => mergeRows(rows, answer.symbols.map(rowOf)), [])
      .filter((row) => !banned.has(row.id));
  }

  /** The steps around a budget, closest first, one after the other. */
  async prefetch(budget: number, tell: (budget: number) => void): Promise<void> {
    if (this.prefetching) return;
    this.prefetching = true;
    const far = (step: number): number => Math.abs(Math.log(step / budget));
    try {
      for (const step of [...STEPS].sort((a, b) => far(a) - far(b))) {
        if (this.source.token.isCancellationRequested) return;
        if (this.byBudget.has(step)) continue;
        await this.at(step);
        tell(step);
      }
    } finally {
      this.prefetching = false;
    }
  }

  dispose(): void {
    this.source.cancel();
    this.source.dispose();
  }
}
