/** The ranked list: a grid with one tab stop, and the line where the budget ends. */

import { count } from "../../src/views/model/format";
import type { Marks } from "../../src/views/model/messages";
import { boundary, type Change, type Pack, type Row } from "../../src/views/model/packing";
import { h, keyed } from "../shared/dom";
import { t } from "../shared/host";
import { isPlain, makeStop, moved } from "../shared/roving";
import { createRow, updateRow, type MarkHandler, type RowView } from "./row";

export interface ListEvents {
  open(row: Row): void;
  peek(row: Row): void;
  mark: MarkHandler;
  explain(row: Row): void;
  blast(row: Row): void;
  budget(direction: -1 | 1): void;
  keys(): void;
}

export interface ListView {
  rows: readonly Row[];
  pack: Pack;
  changed: ReadonlyMap<string, Change>;
  marks: Readonly<Record<string, Marks>>;
}

const UNMARKED: Marks = { pinned: false, thumb: 0 };
const EDGE = "\u0000edge";
const HEAD = "\u0000head";

interface Line { key: string; view?: RowView }

export class ResultList {
  readonly element = h("div", { class: "list", role: "grid", "aria-label": t("results"), "aria-readonly": "true" });
  private rows: readonly Row[] = [];
  private chosen = "";
  private pack: Pack | undefined;

  constructor(private readonly events: ListEvents) {
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("click", (event) => this.onClick(event));
    this.element.addEventListener("dblclick", (event) => this.onClick(event));
    this.element.addEventListener("focusin", (event) => this.onFocus(event));
    this.element.addEventListener("scroll", () => this.tellEdge(), { passive: true });
    new ResizeObserver(() => this.tellEdge()).observe(this.element);
  }

  update(view: ListView): void {
    this.rows = view.rows;
    this.pack = view.pack;
    if (!view.rows.some((row) => row.id === this.chosen)) this.chosen = view.rows[0]?.id ?? "";
    const best = Math.max(0, ...view.rows.map((row) => row.score));
    const lines: Line[] = view.rows.map((row, index) => ({
      key: row.id,
      view: {
        row, index, best,
        entry: view.pack.entries[row.id],
        change: view.changed.get(row.id),
        marks: view.marks[row.id] ?? UNMARKED,
      },
    })); // prettier-ignore
    lines.splice(boundary(view.rows, view.pack), 0, { key: EDGE });
    lines.unshift({ key: HEAD });
    this.element.setAttribute("aria-rowcount", String(view.rows.length + 1));
    keyed(
      this.element,
      lines,
      (line) => line.key,
      (line) => this.create(line),
      (element, line) => {
        if (line.view) {
          updateRow(element, line.view);
          element.setAttribute("aria-selected", String(line.key === this.chosen));
        }
      },
    );
    this.setStop();
    this.tellEdge();
  }

  /** A new answer begins at its top. */
  reset(): void {
    this.chosen = this.rows[0]?.id ?? "";
    this.element.scrollTop = 0;
    this.setStop();
  }

  focusFirst(): void {
    this.reset();
    this.elements()[0]?.focus();
  }

  private create(line: Line): HTMLElement {
    if (line.view) return createRow(line.view.row, (row, mark) => this.events.mark(row, mark));
    if (line.key === HEAD) {
      const head = (name: string, text: string): HTMLElement => h("div", { role: "columnheader", class: name }, text);
      return h("div", { class: "head", role: "row" }, head("name", t("headSymbol")), head("where", t("headWhere")), head("cost", t("headCost")), head("score", t("headScore")));
    }
    return h("div", { class: "edge digits", role: "row" }, h("span", { role: "gridcell" }));
  }

  /** Says where the budget ends, or how much of it is below what can be seen. */
  private tellEdge(): void {
    const edge = this.element.querySelector<HTMLElement>(".edge");
    if (!edge || !this.pack) return;
    const limit = this.element.scrollTop + this.element.clientHeight - edge.offsetHeight;
    let below = 0;
    this.elements().forEach((element) => {
      if (element.classList.contains("in") && element.offsetTop + element.offsetHeight / 2 > limit) below += 1;
    });
    const left = count(this.pack.leftOut);
    const text = below ? t("edgeBelow", below, left) : t("edgeHere", count(this.pack.budget), left);
    edge.classList.toggle("far", below > 0);
    const cell = edge.firstElementChild as HTMLElement;
    if (cell.textContent !== text) cell.textContent = text;
  }

  private elements(): HTMLElement[] {
    return Array.from(this.element.querySelectorAll<HTMLElement>(".res"));
  }

  private setStop(): void {
    const elements = this.elements();
    const at = Math.max(0, elements.findIndex((element) => element.dataset.key === this.chosen));
    makeStop(elements, at);
    elements.forEach((element, index) => element.setAttribute("aria-selected", String(index === at)));
  }

  private rowOf(target: EventTarget | null): { element: HTMLElement; row: Row } | undefined {
    const element = target instanceof Element ? target.closest<HTMLElement>(".res") : null;
    const row = element && this.rows.find((one) => one.id === element.dataset.key);
    return element && row ? { element, row } : undefined;
  }

  private onFocus(event: FocusEvent): void {
    const found = this.rowOf(event.target);
    if (!found || found.row.id === this.chosen) return;
    this.chosen = found.row.id;
    this.setStop();
  }

  private onClick(event: MouseEvent): void {
    const found = this.rowOf(event.target);
    if (!found || (event.target instanceof Element && event.target.closest("button"))) return;
    found.element.focus();
    if (event.type === "click") this.events.open(found.row);
  }

  private onKey(event: KeyboardEvent): void {
    const found = this.rowOf(event.target);
    if (!found || !isPlain(event)) return;
    if (event.target !== found.element) {
      this.onButtonKey(event, found.element);
      return;
    }
    const elements = this.elements();
    const to = moved(event.key, elements.indexOf(found.element), elements.length);
    if (to !== undefined) {
      elements[to]?.focus();
      elements[to]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "ArrowRight") found.element.querySelector<HTMLElement>("button")?.focus();
    else if (!this.runKey(event.key, found.row)) return;
    event.preventDefault();
  }

  private runKey(key: string, row: Row): boolean {
    const { events } = this;
    const actions: Readonly<Record<string, () => void>> = {
      Enter: () => events.open(row),
      " ": () => events.peek(row),
      p: () => events.mark(row, "pin"),
      b: () => this.ban(row),
      u: () => events.mark(row, "useful"),
      d: () => events.mark(row, "notUseful"),
      e: () => events.explain(row),
      r: () => events.blast(row),
      "[": () => events.budget(-1),
      "]": () => events.budget(1),
      "?": () => events.keys(),
    };
    const action = actions[key.length === 1 ? key.toLowerCase() : key];
    action?.();
    return Boolean(action);
  }

  /** The focus goes on to the next row, as this one is about to leave. */
  private ban(row: Row): void {
    const elements = this.elements();
    const at = elements.findIndex((element) => element.dataset.key === row.id);
    (elements[at + 1] ?? elements[at - 1])?.focus();
    this.events.mark(row, "ban");
  }

  private onButtonKey(event: KeyboardEvent, row: HTMLElement): void {
    const buttons = Array.from(row.querySelectorAll<HTMLElement>("button"));
    const at = buttons.indexOf(event.target as HTMLElement);
    if (event.key === "ArrowRight") buttons[Math.min(at + 1, buttons.length - 1)]?.focus();
    else if (event.key === "ArrowLeft") (at > 0 ? buttons[at - 1] : row)?.focus();
    else if (event.key === "Escape") row.focus();
    else return;
    event.preventDefault();
  }
}
