/** The summary of a blast radius: never a bare number, never a bare zero. */

import { baseName, count, score } from "../../src/views/model/format";
import { MOST_DEPTH, placeIn, reason, type Counts, type ImpactFilter } from "../../src/views/model/impact";
import type { ImpactMessage, ImpactRequest, ImpactState } from "../../src/views/model/messages";
import { h, replace, styled, type Child } from "../shared/dom";
import { connect, plural, t } from "../shared/host";
import { Announcer, ProgressLine, button, checkbox, icon, kindIcon, link, note, segmented, tool } from "../shared/parts";

type Answer = NonNullable<ImpactState["answer"]>;

const LEVELS = { low: "riskLow", medium: "riskMedium", high: "riskHigh" } as const;
const TONES = 6;

class ImpactPage {
  private readonly host = connect<ImpactRequest>((message: ImpactMessage) => {
    if (message.type === "announce") this.announcer.say(message.text);
    else this.draw(message.state);
  });
  private readonly announcer = new Announcer();
  private readonly progress = new ProgressLine();
  private readonly page = h("div", { class: "impact" });
  private open: boolean | undefined;
  private subject = "";

  constructor() {
    document.body.append(this.progress.element, h("main", {}, h("h1", { class: "sr" }, t("impactTitle")), this.page), this.announcer.element);
    this.host.send({ type: "ready" });
  }

  private draw(state: ImpactState): void {
    this.progress.set(state.phase === "loading");
    const focused = document.activeElement?.getAttribute("data-keep");
    if (state.phase === "empty") replace(this.page, h("p", { class: "second" }, t("impactEmpty")));
    else if (state.phase === "error") replace(this.page, ...this.failed(state));
    else if (state.answer && state.counts) {
      if (state.subject !== this.subject) this.open = undefined;
      replace(this.page, ...this.ready(state, state.answer, state.counts));
      this.announce(state, state.answer, state.counts);
    }
    if (focused) this.page.querySelector<HTMLElement>(`[data-keep="${focused}"]`)?.focus();
  }

  private announce(state: ImpactState, answer: Answer, counts: Counts): void {
    if (state.subject === this.subject) return;
    this.subject = state.subject;
    this.announcer.say(`${state.subject}: ${levelOf(answer)} ${score(answer.risk.score)}, ${summary(counts)}`);
  }

  private failed(state: ImpactState): Child[] {
    const choose = state.candidates.map((name) => h("li", {}, icon("arrow-right"), link(name, () => this.host.send({ type: "pick", symbol: name }))));
    return [
      note("error", [h("p", {}, state.error), state.hint ? h("p", {}, state.hint) : null]),
      choose.length ? h("ul", { class: "candidates", "aria-label": t("candidates") }, ...choose) : null,
    ];
  }

  private ready(state: ImpactState, answer: Answer, counts: Counts): Child[] {
    const { symbol } = answer;
    return [
      h(
        "div",
        { class: "subject" },
        kindIcon(symbol.kind),
        h("h2", { class: "cut", title: `${symbol.qualified_name} (${symbol.kind})` }, symbol.name),
        link(`${baseName(symbol.path)}:${symbol.line}`, () => this.host.send({ type: "open", place: symbol }), `${symbol.path}:${symbol.line}`),
        h("span", { class: "space" }),
        tool("type-hierarchy", t("showGraph"), () => this.host.send({ type: "graph", symbol: symbol.qualified_name })),
        tool("copy", t("copyReport"), () => this.host.send({ type: "copyReport" })),
      ),
      this.risk(answer, counts),
      this.completeness(state, answer, counts),
      counts.tests ? button(plural(counts.tests, "runTestsOne", "runTests", count(counts.tests)), () => this.host.send({ type: "runTests" }), { icon: "run-all" }) : null,
      ...this.filters(state.filter),
    ];
  }

  private risk(answer: Answer, counts: Counts): HTMLElement {
    const { risk } = answer;
    const parts = risk.parts.filter((part) => part.value > 0);
    const meter = parts.map((part, at) => styled(h("i", { class: `tone${at % TONES}` }), { width: `${(100 * part.value).toFixed(2)}%` }));
    const rows = risk.parts.map((part) => {
      const at = parts.indexOf(part);
      const key = h("i", { class: `key ${at < 0 ? "none" : `tone${at % TONES}`}`, "aria-hidden": true });
      return h("li", {}, key, h("span", { class: "cut", title: part.detail }, partText(part)), h("span", { class: "digits" }, score(part.value)));
    });
    return h(
      "section",
      { class: "risk", "aria-label": t("riskLabel") },
      h("p", { class: "head" }, h("strong", {}, levelOf(answer)), h("span", { class: "digits" }, score(risk.score)), h("span", { class: "second" }, summary(counts))),
      h("div", { class: "meter", role: "img", "aria-label": t("riskMeter", score(risk.score)) }, ...meter, h("b", { class: "tick medium" }), h("b", { class: "tick high" })),
      h("div", { class: "scale digits", "aria-hidden": true }, h("span", {}, t("scaleLow")), h("span", { class: "at40" }, t("scaleMedium")), h("span", { class: "at70" }, t("scaleHigh")), h("span", { class: "last" }, "1")),
      h("ul", { class: "parts" }, ...rows),
    );
  }

  private completeness(state: ImpactState, answer: Answer, counts: Counts): HTMLElement {
    if (answer.complete && !answer.reasons.length) return note("quiet", [t("complete")]);
    const title = answer.complete
      ? t("completeNotes")
      : counts.direct
        ? plural(answer.reasons.length, "incompleteOne", "incomplete", count(answer.reasons.length))
        : t("noCallers");
    const list = answer.reasons.map((text) => h("li", {}, this.reason(text, state, answer)));
    const details = h("details", { class: `note ${answer.complete ? "info" : "warning"}` }, h("summary", {}, icon(answer.complete ? "info" : "warning"), h("span", {}, title), icon("chevron-down")), h("ul", {}, ...list));
    details.open = this.open ?? !answer.complete;
    details.addEventListener("toggle", () => (this.open = details.open));
    details.querySelector("summary")?.setAttribute("data-keep", "reasons");
    if (!counts.direct) {
      const name = answer.symbol.name.slice(answer.symbol.name.lastIndexOf(".") + 1);
      list[0]?.parentElement?.append(h("li", {}, link(t("searchFor", name), () => this.host.send({ type: "searchText", text: name }))));
    }
    return details;
  }

  private reason(text: string, state: ImpactState, answer: Answer): HTMLElement {
    const { code, detail } = reason(text);
    const place = placeIn(detail);
    return h(
      "span",
      {},
      `${detail} `,
      code === "skipped" || code === "unread" ? link(t("showFiles"), () => this.host.send({ type: "command", command: "knowing.showIndexed" })) : null,
      code === "unresolved" && answer.possible_count && !state.filter.guess
        ? link(t("showGuesses"), () => this.host.send({ type: "filter", filter: { ...state.filter, guess: true } }))
        : place ? link(t("open"), () => this.host.send({ type: "open", place })) : null, // prettier-ignore
    );
  }

  private filters(filter: ImpactFilter): Child[] {
    const send = (change: Partial<ImpactFilter>): void => this.host.send({ type: "filter", filter: { ...filter, ...change } });
    const by = segmented<ImpactFilter["by"]>(t("groupBy"), "by", [{ value: "depth", label: t("byDepth") }, { value: "file", label: t("byFile") }], (value) => send({ by: value }));
    by.set(filter.by);
    by.element.querySelectorAll("input").forEach((input) => {
      if (input.checked) input.setAttribute("data-keep", "by");
    });
    const depths = Array.from({ length: MOST_DEPTH }, (_, at) => h("option", { value: at + 1 }, String(at + 1)));
    const depth = h("select", { class: "field", "data-keep": "depth" }, ...depths);
    depth.value = String(filter.depth);
    depth.addEventListener("change", () => send({ depth: Number(depth.value) }));
    const box = (key: "lsp" | "syntax" | "guess", label: string): HTMLElement => {
      const element = checkbox(label, filter[key], (checked) => send({ [key]: checked }));
      element.querySelector("input")?.setAttribute("data-keep", key);
      return element;
    };
    return [
      h("div", { class: "filter" }, by.element, h("label", { class: "check" }, t("depth"), depth)),
      h("div", { class: "filter origins", role: "group", "aria-label": t("origins") }, box("lsp", t("originLsp")), box("syntax", t("originSyntax")), box("guess", t("originGuess"))),
    ];
  }
}

function levelOf(answer: Answer): string {
  const { level } = answer.risk;
  return t(level === "low" || level === "high" ? LEVELS[level] : LEVELS.medium);
}

function summary(counts: Counts): string {
  if (!counts.symbols && !counts.tests) return t("noKnownCallers");
  return [
    plural(counts.symbols, "symbolsOne", "symbols", count(counts.symbols)),
    plural(counts.tests, "testsOne", "tests", count(counts.tests)),
    plural(counts.files, "filesOne", "files", count(counts.files)),
  ].join(", ");
}

/** The server's detail says it best; its name alone where there is none. */
function partText(part: { name: string; detail: string }): string {
  if (!part.detail) return part.name;
  return part.detail.includes(":") ? capital(part.detail) : `${capital(part.name)}: ${part.detail}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

new ImpactPage();
