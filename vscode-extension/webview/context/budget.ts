/** How much may go in: a slider over steps, an exact number, a meter, and what a move changes. */

import { count } from "../../src/views/model/format";
import { LEAST, MOST, STEPS, clampBudget, nearestStep, segments, type ChangeSummary, type Pack, type Row } from "../../src/views/model/packing";
import { h, replace, styled } from "../shared/dom";
import { plural, t } from "../shared/host";

export interface BudgetEvents {
  move(tokens: number): void;
  /** Somebody is about to move it. */
  near(): void;
}

export class BudgetBlock {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", min: 0, max: STEPS.length - 1, step: 1, "aria-label": t("budgetLabel") });
  private readonly exact = h("input", { type: "number", class: "field digits", min: LEAST, max: MOST, step: 100, "aria-label": t("budgetExact") });
  private readonly meter = h("div", { class: "meter", "aria-hidden": true });
  private readonly sum = h("div", { class: "sum digits" });
  private readonly delta = h("div", { class: "delta", hidden: true });

  constructor(events: BudgetEvents) {
    this.slider.addEventListener("input", () => events.move(STEPS[Number(this.slider.value)] ?? LEAST));
    this.exact.addEventListener("change", () => events.move(clampBudget(Number(this.exact.value))));
    for (const input of [this.slider, this.exact]) {
      input.addEventListener("focus", () => events.near());
      input.addEventListener("pointerenter", () => events.near());
    }
    const line = h("div", { class: "line" }, h("span", { "aria-hidden": true }, t("budget")), this.slider, this.exact);
    const use = h("div", { class: "use" }, this.meter, this.sum);
    this.element = h("section", { class: "budget", "aria-label": t("budgetLabel") }, line, use, this.delta);
  }

  update(budget: number, pack: Pack | undefined, rows: readonly Row[]): void {
    const step = nearestStep(budget);
    this.slider.value = String(step);
    styled(this.slider, { "--at": `${(100 * step) / (STEPS.length - 1)}%` });
    if (document.activeElement !== this.exact) this.exact.value = String(budget);
    const inside = pack ? Object.keys(pack.entries).length : 0;
    this.slider.setAttribute(
      "aria-valuetext",
      pack ? t("budgetSpoken", count(budget), inside, pack.leftOut) : t("budgetTokens", count(budget)),
    );
    if (!pack) return;
    const parts = segments(rows, pack).map((segment) =>
      styled(h("i", { class: segment.detail }), { width: `${(100 * segment.share).toFixed(3)}%` }),
    );
    replace(this.meter, ...parts);
    const used = h("b", {}, count(pack.used));
    replace(
      this.sum,
      h("span", {}, used, ` ${t("ofTokens", count(pack.budget))}`),
      h("span", {}, t("inAndOut", count(inside), count(pack.leftOut))),
    );
  }

  /** One line of what a move has changed; nothing once it rests. */
  tell(summary: ChangeSummary | undefined): void {
    const { enters = [], leaves = [], details = 0 } = summary ?? {};
    this.delta.hidden = !enters.length && !leaves.length && !details;
    if (this.delta.hidden) return;
    const parts: HTMLElement[] = [];
    const add = (sign: string, key: "changeIn" | "changeOut", names: string[]): void => {
      if (!names.length) return;
      const more = names.length > 1 ? ` +${names.length - 1}` : "";
      parts.push(h("span", {}, h("b", {}, `${sign} ${t(key, names.length)}`), ` ${names[0] ?? ""}${more}`));
    };
    add("+", "changeIn", enters);
    add("−", "changeOut", leaves);
    if (details) parts.push(h("span", { class: "second" }, plural(details, "changeDetailOne", "changeDetail", String(details))));
    replace(this.delta, ...parts);
    this.delta.classList.add("cut");
  }
}
