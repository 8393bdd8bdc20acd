/** What is asked: the mode, the task with its history, or what stands in for a task. */

import { age } from "../../src/views/model/format";
import type { ContextRequest, ContextState, Mode } from "../../src/views/model/messages";
import { h, replace } from "../shared/dom";
import { t, type Host } from "../shared/host";
import { icon, segmented, tool } from "../shared/parts";
import { moved } from "../shared/roving";

const MODES: readonly { value: Mode; icon: string }[] = [
  { value: "task", icon: "edit" },
  { value: "selection", icon: "list-selection" },
  { value: "changes", icon: "diff-multiple" },
  { value: "pr", icon: "git-pull-request" },
];

const LABELS = { task: "modeTask", selection: "modeSelection", changes: "modeChanges", pr: "modePr" } as const;

export class Ask {
  readonly element: HTMLElement;
  private readonly modes = segmented<Mode>(
    t("modeLabel"),
    "mode",
    MODES.map((mode) => ({ ...mode, label: t(LABELS[mode.value]) })),
    (mode) => this.host.send({ type: "mode", mode }),
  );
  private readonly text = h("textarea", {
    rows: 2,
    "aria-label": t("taskLabel"),
    placeholder: t("taskPlaceholder"),
    spellcheck: "false",
    onkeydown: (event: KeyboardEvent) => this.onKey(event),
  });
  private readonly clock = tool("history", t("history"), () => this.toggle(), {
    "aria-haspopup": "menu",
    "aria-expanded": "false",
  });
  private readonly task: HTMLElement;
  private readonly source = h("div", { class: "field source" });
  private readonly menu = h("div", { class: "popup history", role: "menu", "aria-label": t("history"), hidden: true });
  private state: ContextState | undefined;
  private sourceKey = "";

  constructor(private readonly host: Host<ContextRequest>) {
    const send = tool("send", t("ask"), () => this.ask());
    this.task = h("div", { class: "field task" }, this.text, this.clock, send);
    this.element = h("section", { class: "ask", "aria-label": t("askLabel") }, this.modes.element, this.task, this.source, this.menu);
    this.menu.addEventListener("keydown", (event) => this.onMenuKey(event));
    document.addEventListener("pointerdown", (event) => {
      if (event.target instanceof Node && !this.menu.contains(event.target) && !this.clock.contains(event.target)) this.close(false);
    });
  }

  focus(): void {
    if (!this.task.hidden) this.text.focus();
    else this.source.querySelector<HTMLElement>("select, button")?.focus();
  }

  update(state: ContextState): void {
    const before = this.state;
    this.state = state;
    this.modes.set(state.mode);
    this.task.hidden = state.mode !== "task";
    this.source.hidden = state.mode === "task";
    // What somebody is typing is not overwritten by an answer to something else.
    if (before?.task !== state.task || document.activeElement !== this.text) this.text.value = state.task;
    this.clock.disabled = state.history.length === 0;
    this.drawSource(state);
  }

  private drawSource(state: ContextState): void {
    const key = JSON.stringify([state.mode, state.source, state.base, state.bases]);
    if (key === this.sourceKey) return;
    this.sourceKey = key;
    const shape = MODES.find((mode) => mode.value === state.mode)?.icon ?? "edit";
    const label = h("span", { class: "cut", title: state.source }, state.source);
    const again = tool("refresh", t("askAgain"), () => this.host.send({ type: "again" }));
    replace(this.source, icon(shape), label, state.mode === "pr" ? this.bases(state) : null, again);
  }

  private bases(state: ContextState): HTMLSelectElement {
    const other = "\u0000";
    const names = [...new Set([state.base, ...state.bases])].filter(Boolean);
    const select = h(
      "select",
      { class: "field", "aria-label": t("baseLabel") },
      ...names.map((name) => h("option", { value: name }, name)),
      h("option", { value: other }, t("otherBase")),
    );
    select.value = state.base;
    select.addEventListener("change", () => {
      if (select.value === other) {
        select.value = state.base;
        this.host.send({ type: "otherBase" });
      } else this.host.send({ type: "base", base: select.value });
    });
    return select;
  }

  private ask(): void {
    const task = this.text.value.trim();
    if (task) this.host.send({ type: "ask", task });
    this.close(false);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.ask();
    } else if (event.key === "ArrowDown" && event.altKey) {
      event.preventDefault();
      this.open();
    } else if (event.key === "Escape") this.close(false);
  }

  private toggle(): void {
    if (this.menu.hidden) this.open();
    else this.close(true);
  }

  private open(): void {
    const history = this.state?.history ?? [];
    if (!history.length) return;
    const items = history.map((asked) =>
      h(
        "button",
        { type: "button", role: "menuitem", tabindex: "-1", title: asked.task, onclick: () => this.choose(asked.task) },
        h("span", { class: "cut" }, asked.task),
        h("span", { class: "second digits" }, ago(asked.at)),
      ),
    );
    replace(this.menu, ...items);
    this.menu.hidden = false;
    this.clock.setAttribute("aria-expanded", "true");
    items[0]?.focus();
  }

  private close(refocus: boolean): void {
    if (this.menu.hidden) return;
    this.menu.hidden = true;
    this.clock.setAttribute("aria-expanded", "false");
    if (refocus) this.text.focus();
  }

  private choose(task: string): void {
    this.text.value = task;
    this.close(true);
    this.host.send({ type: "ask", task });
  }

  private onMenuKey(event: KeyboardEvent): void {
    const items = Array.from(this.menu.querySelectorAll<HTMLElement>("[role=menuitem]"));
    const to = moved(event.key, items.indexOf(document.activeElement as HTMLElement), items.length);
    if (to !== undefined) {
      event.preventDefault();
      items[to]?.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.close(true);
    } else if (event.key === "Tab") this.close(false);
  }
}

function ago(at: number): string {
  const { value, unit } = age(Date.now() - at);
  if (unit === "now") return t("agoNow");
  return t(unit === "min" ? "agoMinutes" : unit === "h" ? "agoHours" : "agoDays", value);
}
