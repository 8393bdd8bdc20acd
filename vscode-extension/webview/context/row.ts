/** One result: two lines where it is narrow, one where it is wide. */

import { baseName, count, score } from "../../src/views/model/format";
import type { Mark, Marks } from "../../src/views/model/messages";
import { originWord } from "../../src/views/model/origin";
import type { Change, Detail, Entry, Row } from "../../src/views/model/packing";
import { h, replace, styled } from "../shared/dom";
import { t } from "../shared/host";
import { icon, kindIcon, tool } from "../shared/parts";

export interface RowView {
  row: Row;
  entry: Entry | undefined;
  change: Change | undefined;
  marks: Marks;
  /** The best score, which is the length of a whole bar. */
  best: number;
  index: number;
}

export type MarkHandler = (row: Row, mark: Mark) => void;

const DETAILS: Readonly<Record<Detail, "detailBody" | "detailSignature" | "detailName">> = {
  body: "detailBody",
  signature: "detailSignature",
  name: "detailName",
};

const BUTTONS: readonly { mark: Mark; icon: string; label: "pin" | "ban" | "useful" | "notUseful" }[] = [
  { mark: "pin", icon: "pin", label: "pin" },
  { mark: "ban", icon: "circle-slash", label: "ban" },
  { mark: "useful", icon: "thumbsup", label: "useful" },
  { mark: "notUseful", icon: "thumbsdown", label: "notUseful" },
];

export function createRow(row: Row, mark: MarkHandler): HTMLElement {
  const acts = BUTTONS.map((one) =>
    tool(one.icon, t(one.label), (event) => {
      event.stopPropagation();
      mark(row, one.mark);
    }, { tabindex: "-1", "data-mark": one.mark }),
  );
  return h(
    "div",
    { class: "res", role: "row", tabindex: "-1" },
    h("div", { class: "rank digits", role: "gridcell" }),
    h("div", { class: "name", role: "gridcell" }),
    h("div", { class: "where", role: "gridcell" }),
    h("div", { class: "cost digits", role: "gridcell" }),
    h("div", { class: "score digits", role: "gridcell" }),
    h("div", { class: "acts", role: "gridcell" }, ...acts),
  );
}

/** A cell of a row; `createRow` has made them all. */
function part(element: HTMLElement, name: string): HTMLElement {
  return element.querySelector<HTMLElement>(`:scope > .${name}`) ?? element;
}

export function updateRow(element: HTMLElement, view: RowView): void {
  const { row, entry, change, marks } = view;
  const kind = change?.kind;
  element.classList.toggle("in", Boolean(entry));
  element.classList.toggle("out", !entry);
  element.classList.toggle("enters", kind === "enters");
  element.classList.toggle("leaves", kind === "leaves");
  element.setAttribute("aria-rowindex", String(view.index + 2));
  element.setAttribute("aria-label", spoken(view));
  element.title = tooltip(row);
  part(element, "rank").textContent = `${kind === "enters" ? "+" : kind === "leaves" ? "−" : ""}${row.rank}`;
  const flags = [marks.pinned && icon("pinned"), marks.thumb > 0 && icon("thumbsup-filled"), marks.thumb < 0 && icon("thumbsdown-filled")];
  replace(part(element, "name"), kindIcon(row.kind), h("span", { class: "cut" }, row.name), ...flags);
  drawReasons(part(element, "where"), row);
  drawCost(part(element, "cost"), entry, change);
  const bar = styled(h("i"), { width: `${Math.round((100 * row.score) / (view.best || 1))}%` });
  replace(part(element, "score"), h("span", { class: "bar", "aria-hidden": true }, bar), h("span", {}, score(row.score)));
  for (const one of Array.from(element.querySelectorAll<HTMLElement>("[data-mark]"))) {
    const which = one.dataset.mark;
    if (which === "ban") continue;
    const on = which === "pin" ? marks.pinned : which === "useful" ? marks.thumb > 0 : marks.thumb < 0;
    one.setAttribute("aria-pressed", String(on));
  }
}

function drawReasons(where: HTMLElement, row: Row): void {
  const [first, ...rest] = row.why;
  replace(
    where,
    h("span", { class: "file cut" }, `${baseName(row.path)}:${row.line}`),
    h(
      "span",
      { class: "why" },
      first ? h("span", { class: "chip cut" }, first) : null,
      ...rest.map((reason) => h("span", { class: "chip rest" }, reason)),
    ),
    rest.length ? h("span", { class: "chip more", title: rest.join("\n") }, `+${rest.length}`) : null,
  );
}

function drawCost(cost: HTMLElement, entry: Entry | undefined, change: Change | undefined): void {
  const word =
    change?.kind === "leaves" ? t("leaves")
    : change?.kind === "enters" ? t("enters")
    : change?.kind === "detail" ? `${t(DETAILS[change.from])} → ${t(DETAILS[change.to])}`
    : entry ? t(DETAILS[entry.detail]) : t("out"); // prettier-ignore
  replace(cost, h("span", {}, word), entry ? h("span", {}, count(entry.tokens)) : null);
}

function tooltip(row: Row): string {
  const source = `${originWord(row.origin)} ${score(row.confidence)}`;
  return [`${row.name} (${row.kind})`, `${row.path}:${row.line}–${row.endLine}`, ...row.why.map((reason) => `• ${reason}`), source].join("\n");
}

function spoken({ row, entry, change, marks }: RowView): string {
  const state = entry ? t("spokenIn", t(DETAILS[entry.detail]), count(entry.tokens)) : t("spokenOut");
  const moving = change?.kind === "enters" ? t("enters") : change?.kind === "leaves" ? t("leaves") : "";
  const flags = [marks.pinned && t("spokenPinned"), marks.thumb > 0 && t("spokenUseful"), marks.thumb < 0 && t("spokenNotUseful")];
  return [row.rank, row.name, row.kind.replace("_", " "), `${row.path}:${row.line}`, row.why[0], t("spokenScore", score(row.score)), state, moving, ...flags]
    .filter(Boolean)
    .join(", ");
}
