/** What the Context view is about: the question, its answers, the budget. It outlives the view. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { ContextAnswer } from "../protocol";
import { Answers } from "./answers";
import { failureOf } from "./failure";
import { Handing, type HandOver } from "./handing";
import { IndexWatch } from "./indexState";
import { MarkStore } from "./marks";
import { MOST, clampBudget, type Pack, type Row } from "./model/packing";
import type { ContextState, Mark, Mode, Phase } from "./model/messages";
import { aboutFiles, type Question } from "./question";
import { Subject } from "./subject";

const BUDGET = "knowing.budget";
/** Moves of a slider within this time are one question. */
const SETTLE = 60;

export class ContextController implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ContextState>();
  readonly onState = this.changed.event;
  private readonly packed = new vscode.EventEmitter<{ pack: Pack; rows: Row[] }>();
  readonly onPack = this.packed.event;
  private readonly said = new vscode.EventEmitter<string>();
  /** What happened, for people who do not see it. */
  readonly onSay = this.said.event;

  readonly handing = new Handing();
  private readonly marks: MarkStore;
  private readonly watch: IndexWatch;
  private readonly subject: Subject;
  private readonly subscriptions: vscode.Disposable[] = [];
  /** What is shown. */
  private answers: Answers | undefined;
  /** What is under way. */
  private asking: Answers | undefined;
  private question: Question | undefined;
  private phase: Phase = { kind: "empty" };
  private budget: number;
  private busy = false;
  private answer = 0;
  private partial = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly api: KnowingApi,
  ) {
    this.marks = new MarkStore(context.workspaceState, api);
    this.watch = new IndexWatch(api);
    this.subject = new Subject(context.workspaceState, api);
    const setting = vscode.workspace.getConfiguration("knowing").get<number>("context.budget") ?? 4000;
    this.budget = clampBudget(context.workspaceState.get<number>(BUDGET) ?? setting);
    this.subscriptions.push(
      this.watch,
      this.subject,
      this.watch.onChange(({ whole }) => this.onIndex(whole)),
      api.onServerState(() => this.onServer()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.tell()),
    );
    this.onServer();
  }

  // -- what it is --------------------------------------------------------------------------------

  get root(): string {
    return this.answers?.root ?? "";
  }

  /** What `explain` is asked about. */
  get title(): string {
    return this.question?.title ?? "";
  }

  current(): ContextAnswer | undefined {
    const answer = this.answers?.shown(this.budget);
    return answer && { ...answer, text: this.handing.text(answer) };
  }

  state(): ContextState {
    return {
      ...this.subject.state(),
      source: this.question?.source ?? "",
      phase: this.phase,
      busy: this.busy,
      index: this.watch.line(),
      trusted: vscode.workspace.isTrusted,
      budget: this.budget,
      marks: this.marks.all(),
      banned: this.marks.bannedCount,
      answer: this.answer,
      ...this.shown(),
    };
  }

  private shown(): Pick<ContextState, "rows" | "packs" | "notes" | "given"> {
    const { answers, handing } = this;
    const current = answers?.shown(this.budget);
    const given = current && handing.given.size ? current.symbols.length - handing.given.fresh(current).length : 0;
    return { rows: answers?.rows() ?? [], packs: answers?.packs() ?? {}, notes: current?.notes ?? [], given };
  }

  tell(): void {
    this.changed.fire(this.state());
  }

  // -- asking ------------------------------------------------------------------------------------

  async askTask(task: string): Promise<void> {
    await this.ask(await this.subject.setTask(task));
  }

  async askFiles(files: readonly string[]): Promise<void> {
    this.subject.mode = "selection";
    await this.ask(aboutFiles(this.api, files));
  }

  /** Another way to ask: what it stands for is asked at once, a task only if there is one. */
  async setMode(mode: Mode, base?: string): Promise<void> {
    const question = await this.subject.setMode(mode, base);
    if (question) await this.ask(question);
    else this.clear();
  }

  async chooseBase(): Promise<void> {
    const base = await this.subject.chooseBase();
    if (base) await this.setMode("pr", base);
  }

  /** The same again; a selection as it is by now. */
  async again(): Promise<void> {
    const { question } = this;
    return question && !question.follows ? this.ask(question) : this.setMode(this.subject.mode);
  }

  private clear(): void {
    this.asking?.dispose();
    this.answers?.dispose();
    this.asking = this.answers = this.question = undefined;
    this.busy = false;
    this.answer += 1;
    this.setPhase({ kind: "empty" });
  }

  /** What was answered last stays in sight until the next answer is there. */
  private async ask(question: Question): Promise<void> {
    this.asking?.dispose();
    const asking = new Answers(question, () => this.marks.marked());
    this.asking = asking;
    this.question = question;
    this.busy = true;
    if (this.phase.kind !== "ready") this.phase = { kind: "loading" };
    this.tell();
    let phase: Phase;
    try {
      const answer = await asking.at(this.budget);
      this.partial = answer.index.state !== "fresh";
      phase = answer.symbols.length ? { kind: "ready" } : { kind: "nothing", because: [...answer.notes, ...answer.index.notes] };
    } catch (error) {
      phase = failureOf(this.api, error);
    }
    if (this.asking !== asking) return;
    this.answers?.dispose();
    this.answers = asking;
    this.asking = undefined;
    this.busy = false;
    this.answer += 1;
    this.setPhase(phase);
    if (phase.kind === "ready") void this.prepare(MOST);
  }

  private setPhase(phase: Phase): void {
    this.phase = phase;
    void vscode.commands.executeCommand("setContext", "knowing.hasContext", phase.kind === "ready");
    this.tell();
  }

  // -- the budget --------------------------------------------------------------------------------

  setBudget(tokens: number): void {
    this.budget = clampBudget(tokens);
    void this.context.workspaceState.update(BUDGET, this.budget);
    clearTimeout(this.timer);
    if (!this.answers || this.answers.pack(this.budget)) this.tell();
    else this.timer = setTimeout(() => void this.prepare(this.budget), SETTLE);
  }

  /** Packs another budget; what fails here is told when somebody asks. */
  private async prepare(budget: number): Promise<void> {
    const { answers } = this;
    if (!answers) return;
    try {
      await answers.at(budget);
      if (answers === this.answers) this.tellPack(budget);
      if (answers === this.answers && budget === this.budget) this.tell();
    } catch (error) {
      if (answers !== this.answers || budget !== this.budget) return;
      this.setPhase(failureOf(this.api, error));
    }
  }

  async prefetch(): Promise<void> {
    const { answers } = this;
    if (!answers || this.phase.kind !== "ready") return;
    try {
      await answers.prefetch(this.budget, (budget) => {
        if (answers === this.answers) this.tellPack(budget);
      });
    } catch {
      // A step that could not be packed ahead is asked for when the slider gets there.
      return;
    }
  }

  private tellPack(budget: number): void {
    const pack = this.answers?.pack(budget);
    if (pack) this.packed.fire({ pack, rows: this.answers?.rows() ?? [] });
  }

  // -- marks -------------------------------------------------------------------------------------

  async mark(symbol: string, mark: Mark): Promise<void> {
    try {
      const outcome = await this.marks.toggle(symbol, mark, this.title, this.root);
      this.tell();
      this.said.fire(outcome.kept ? vscode.l10n.t("Kept.") : vscode.l10n.t("Marked in this workspace only: {0}", outcome.reason));
      if (outcome.kept && this.question) await this.ask(this.question);
    } catch (error) {
      this.tell();
      this.said.fire(error instanceof Error ? error.message : String(error));
    }
  }

  marksOf(symbol: string): ReturnType<MarkStore["of"]> {
    return this.marks.of(symbol);
  }

  async unban(): Promise<void> {
    await this.marks.unbanAll(this.title, this.root);
    if (this.question) await this.ask(this.question);
  }

  // -- handing on --------------------------------------------------------------------------------

  async hand(how: HandOver): Promise<void> {
    const answer = this.phase.kind === "ready" ? this.current() : undefined;
    const done = await this.handing.run(how, answer);
    if (!done) return;
    this.said.fire(done);
    this.tell();
  }

  forgetCopied(): void {
    this.handing.given.clear();
    this.tell();
  }

  // -- the server --------------------------------------------------------------------------------

  /** An answer from half an index is asked for again when the index is whole. */
  private onIndex(whole: boolean): void {
    const wanted = this.partial || this.phase.kind === "nothing" || this.phase.kind === "error";
    if (whole && wanted && this.question && !this.busy) {
      this.partial = false;
      void this.ask(this.question);
    } else this.tell();
  }

  private onServer(): void {
    const { state, detail } = this.api.serverReport;
    if (state === "noPython") this.setPhase({ kind: "noPython", detail: detail ?? "" });
    else if (state === "failed") {
      this.busy = false;
      this.setPhase(failureOf(this.api, new Error(detail ?? "")));
    } else if (state === "running" && (this.phase.kind === "noPython" || this.phase.kind === "error")) {
      if (this.question) void this.ask(this.question);
      else this.setPhase({ kind: "empty" });
    } else this.tell();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.asking?.dispose();
    this.answers?.dispose();
    vscode.Disposable.from(...this.subscriptions, this.changed, this.packed, this.said).dispose();
  }
}
