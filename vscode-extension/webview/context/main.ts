/** The Context view: what matters for a task, ranked and cut to a budget. */

import { count } from "../../src/views/model/format";
import type { ContextMessage, ContextRequest, ContextState } from "../../src/views/model/messages";
import { changes, stepFrom, summarize, type Change, type Pack, type Row } from "../../src/views/model/packing";
import { h, replace } from "../shared/dom";
import { connect, plural, t } from "../shared/host";
import { indexLine } from "../shared/indexLine";
import { Announcer, ProgressLine, button, link, note, tool } from "../shared/parts";
import { Ask } from "./ask";
import { blank } from "./blank";
import { BudgetBlock } from "./budget";
import { KeysCard } from "./keys";
import { ResultList } from "./list";

/** How long a move of the budget is told after it rests. */
const REST = 2500;

class ContextPage {
  private readonly host = connect<ContextRequest>((message: ContextMessage) => this.receive(message));
  private readonly announcer = new Announcer();
  private readonly progress = new ProgressLine();
  private readonly ask = new Ask(this.host);
  private readonly index = h("div", { class: "index" });
  private readonly budget = new BudgetBlock({
    move: (tokens) => this.move(tokens),
    near: () => this.host.send({ type: "prefetch" }),
  });
  private readonly list = new ResultList({
    open: (row) => this.host.send({ type: "open", place: row }),
    peek: (row) => this.host.send({ type: "peek", place: row }),
    mark: (row, mark) => this.host.send({ type: "mark", symbol: row.id, mark }),
    explain: (row) => this.host.send({ type: "explain", symbol: row.id }),
    blast: (row) => this.host.send({ type: "blast", symbol: row.id }),
    budget: (direction) => this.step(direction),
    keys: () => this.keys.show(),
  });
  private readonly keys = new KeysCard();
  private readonly notes = h("div", { class: "notes" });
  private readonly blank = h("div", { class: "blanks" });
  private readonly foot = h("footer", { class: "foot" });

  private state: ContextState | undefined;
  private shown: Pack | undefined;
  private before: Pack | undefined;
  private resting: number | undefined;
  private focusAnswer = false;
  private footKey = "";

  constructor() {
    const page = h("main", { class: "context" }, h("h1", { class: "sr" }, t("contextTitle")), this.ask.element, this.index, this.budget.element, this.notes, this.list.element, this.blank, this.foot);
    document.body.append(this.progress.element, page, this.keys.element, this.announcer.element);
    this.list.element.hidden = this.budget.element.hidden = true;
    this.host.send({ type: "ready" });
  }

  private receive(message: ContextMessage): void {
    switch (message.type) {
      case "state":
        this.take(message.state);
        break;
      case "pack":
        this.takePack(message.pack, message.rows);
        break;
      case "announce":
        this.announcer.say(message.text);
        break;
      case "focus":
        if (message.part === "task") this.ask.focus();
        else if (this.state?.busy) this.focusAnswer = true;
        else this.list.focusFirst();
        break;
    }
  }

  private take(told: ContextState): void {
    const before = this.state;
    const fresh = before?.answer !== told.answer;
    if (fresh) this.forget();
    // While a slider is moved, the host tells of where it was a moment ago.
    const state = before && this.before ? { ...told, budget: before.budget } : told;
    this.state = state;
    this.shown = state.packs[state.budget] ?? (fresh ? undefined : this.shown);
    this.progress.set(state.busy);
    this.ask.update(state);
    replace(this.index, indexLine(state.index, (command) => this.host.send({ type: "command", command })));
    this.draw();
    if (fresh && state.phase.kind === "ready") {
      this.list.reset();
      this.announceAnswer(state);
      if (this.focusAnswer) this.list.focusFirst();
      this.focusAnswer = false;
    }
  }

  private takePack(pack: Pack, rows: Row[]): void {
    if (!this.state) return;
    this.state = { ...this.state, rows, packs: { ...this.state.packs, [pack.budget]: pack } };
    if (pack.budget === this.state.budget) this.shown = pack;
    this.draw();
  }

  private draw(): void {
    const { state, shown } = this;
    if (!state) return;
    const ready = state.phase.kind === "ready" && shown !== undefined;
    this.list.element.hidden = this.budget.element.hidden = !ready;
    this.blank.hidden = ready;
    const empty = blank(state, this.host);
    replace(this.blank, empty);
    if (ready) this.drawList(state, shown);
    this.drawNotes(state, ready);
    this.drawFoot(state, ready);
  }

  private drawList(state: ContextState, shown: Pack): void {
    const changed = this.before && this.before.budget !== shown.budget ? changes(this.before, shown) : new Map<string, Change>();
    this.budget.update(state.budget, shown, state.rows);
    this.budget.tell(changed.size ? summarize(changed, state.rows) : undefined);
    this.list.update({ rows: state.rows, pack: shown, changed, marks: state.marks });
  }

  private drawNotes(state: ContextState, ready: boolean): void {
    const lines = ready ? state.notes.map((text) => note("quiet", [text], "info")) : [];
    if (!state.trusted) {
      lines.push(note("warning", [t("untrusted"), " ", link(t("manageTrust"), () => this.host.send({ type: "command", command: "workbench.trust.manage" }))]));
    }
    if (state.banned) {
      const text = plural(state.banned, "bannedOne", "banned", count(state.banned));
      lines.push(note("quiet", [text, " ", link(t("showAgain"), () => this.host.send({ type: "unban" }))], "circle-slash"));
    }
    replace(this.notes, ...lines);
    this.notes.hidden = !lines.length;
  }

  private drawFoot(state: ContextState, ready: boolean): void {
    this.foot.hidden = !ready;
    const inside = this.shown ? Object.keys(this.shown.entries).length : 0;
    const key = `${ready} ${state.given} ${inside}`;
    if (key === this.footKey) return;
    this.footKey = key;
    const actions = h(
      "div",
      { class: "actions" },
      button(t("copyContext"), () => this.host.send({ type: "copy", onlyNew: false }), { icon: "copy", primary: true, title: t("copyTitle") }),
      button(t("openInChat"), () => this.host.send({ type: "chat" }), { icon: "comment-discussion", title: t("chatTitle") }),
      tool("save", t("saveAsFile"), () => this.host.send({ type: "save" }), { class: "btn square" }),
    );
    replace(this.foot, state.given ? this.givenLine(state.given, inside) : null, actions);
  }

  private givenLine(given: number, inside: number): HTMLElement {
    const fresh = Math.max(0, inside - given);
    return h(
      "p",
      { class: "given" },
      h("span", { class: "second" }, t("givenOf", given, inside)),
      fresh ? link(t("copyOnlyNew", fresh), () => this.host.send({ type: "copy", onlyNew: true })) : null,
      link(t("newChat"), () => this.host.send({ type: "forgetCopied" }), t("newChatTitle")),
    );
  }

  // -- the budget ------------------------------------------------------------------------------

  private step(direction: -1 | 1): void {
    if (this.state) this.move(stepFrom(this.state.budget, direction));
  }

  private move(tokens: number): void {
    const { state } = this;
    if (!state || tokens === state.budget) return;
    this.before ??= this.shown;
    this.state = { ...state, budget: tokens };
    this.shown = state.packs[tokens] ?? this.shown;
    this.budget.update(tokens, this.shown, state.rows);
    this.draw();
    this.host.send({ type: "budget", tokens });
    window.clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.rest(), REST);
  }

  private rest(): void {
    const { shown } = this;
    this.before = undefined;
    this.draw();
    if (shown) this.announcer.say(t("budgetSpoken", count(shown.budget), Object.keys(shown.entries).length, shown.leftOut));
  }

  private forget(): void {
    window.clearTimeout(this.resting);
    this.before = undefined;
  }

  private announceAnswer(state: ContextState): void {
    const inside = this.shown ? Object.keys(this.shown.entries).length : 0;
    this.announcer.say(t("answerSpoken", inside, this.shown?.leftOut ?? 0, count(state.budget)));
  }
}

new ContextPage();
