/** Why a symbol has its score: parts that add up, channels, the way it was reached, what would lift it. */

import { count, score, signed } from "../../src/views/model/format";
import { liftsIn, shortName, verdictOf, waterfall, type Bar } from "../../src/views/model/explain";
import type { ExplainMessage, ExplainRequest, ExplainState, Trial } from "../../src/views/model/messages";
import type { ExplainAnswer } from "../../src/protocol";
import { h, replace, styled, type Child } from "../shared/dom";
import { connect, t } from "../shared/host";
import { Announcer, ProgressLine, button, icon, link, note } from "../shared/parts";

class ExplainPage {
  private readonly host = connect<ExplainRequest>((message: ExplainMessage) => {
    if (message.type === "announce") this.announcer.say(message.text);
    else this.draw(message.state);
  });
  private readonly announcer = new Announcer();
  private readonly progress = new ProgressLine();
  private readonly page = h("main", { class: "page explain" });
  private told = "";

  constructor() {
    document.body.append(this.progress.element, this.page, this.announcer.element);
    this.host.send({ type: "ready" });
  }

  private draw(state: ExplainState): void {
    this.progress.set(state.phase === "loading");
    if (state.phase === "error") {
      replace(this.page, h("h1", {}, shortName(state.symbol)), note("error", [state.error, " ", state.hint]), button(t("askAgain"), () => this.host.send({ type: "again" })));
      return;
    }
    const { answer } = state;
    if (!answer) {
      replace(this.page, h("h1", {}, shortName(state.symbol)));
      return;
    }
    const verdict = verdictOf(answer);
    replace(this.page, ...this.head(state, answer), h("p", { class: "verdict" }, capital(verdict)), ...this.body(state, answer));
    if (verdict !== this.told) this.announcer.say(verdict);
    this.told = verdict;
  }

  private head(state: ExplainState, answer: ExplainAnswer): Child[] {
    const { place } = state;
    const where = place ? link(`${place.path}:${place.line}`, () => this.host.send({ type: "open", place })) : null;
    const rank = answer.rank === null ? t("notRanked") : t("rankIs", count(answer.rank));
    return [
      h("h1", {}, shortName(answer.symbol)),
      h("p", { class: "line" }, where, where ? " · " : null, h("strong", {}, rank), " · ", t("scoreIs"), " ", h("strong", { class: "digits" }, score(answer.score)), " · ", t("forTask", answer.task)),
    ];
  }

  private body(state: ExplainState, answer: ExplainAnswer): Child[] {
    return [
      answer.parts.length ? this.waterfall(answer) : null,
      answer.path.length > 1 ? this.path(answer) : null,
      answer.channels.length ? this.channels(answer) : null,
      this.lifts(state, answer),
    ];
  }

  private waterfall(answer: ExplainAnswer): HTMLElement {
    const fall = waterfall(answer.parts, answer.score);
    const ticks = fall.ticks.map((tick) => styled(h("span", {}, tickText(tick.value)), { "inset-inline-start": `${100 * tick.at}%` }));
    const rows = fall.bars.map((bar) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, words(bar.name)),
        h("td", { class: "bars" }, span(bar)),
        h("td", { class: "end digits" }, signed(bar.value)),
        h("td", { class: "detail second" }, bar.detail),
      ),
    );
    const total = styled(h("i", { class: "total" }), { "inset-inline-start": `${100 * fall.total.from}%`, width: `${100 * (fall.total.to - fall.total.from)}%` });
    const exact = fall.exact ? t("addsUp") : t("addsUpRest", signed(fall.score - fall.sum));
    return h(
      "section",
      {},
      h("h2", {}, t("whereScore")),
      h(
        "table",
        { class: "fall" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("headPart")), h("th", { class: "bars digits" }, h("div", { class: "ticks", "aria-hidden": true }, ...ticks), h("span", { class: "sr" }, t("headBar"))), h("th", { scope: "col", class: "end" }, t("headValue")), h("th", { scope: "col", class: "detail" }, t("headReason")))),
        h("tbody", {}, ...rows, h("tr", { class: "sum" }, h("th", { scope: "row" }, t("headScore")), h("td", { class: "bars" }, h("div", { class: "rail", "aria-hidden": true }, total)), h("td", { class: "end digits" }, h("strong", {}, score(answer.score))), h("td", { class: "detail second" }, exact))),
      ),
    );
  }

  private path(answer: ExplainAnswer): HTMLElement {
    const steps = answer.path.flatMap((step, at) => {
      const last = at === answer.path.length - 1;
      const open = link(shortName(step.symbol), () => this.host.send({ type: "explain", symbol: step.symbol }), step.symbol);
      const edge = at === 0 ? t("pathMatch") : words(step.edge);
      return h("li", {}, h("span", { class: "second" }, edge, " →"), h("span", { class: `step${last ? " last" : ""}` }, icon("symbol-method"), open));
    });
    return h("section", {}, h("h2", {}, t("pathTitle")), h("ol", { class: "path" }, ...steps));
  }

  private channels(answer: ExplainAnswer): HTMLElement {
    const best = Math.max(...answer.channels.map((channel) => channel.score), 0) || 1;
    const rows = answer.channels.map((channel) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, words(channel.name)),
        h("td", { class: "end digits" }, count(channel.rank)),
        h("td", {}, h("div", { class: "bar", "aria-hidden": true }, styled(h("i"), { width: `${(100 * Math.max(0, channel.score)) / best}%` }))),
        h("td", { class: "end digits" }, score(channel.score)),
      ),
    );
    const head = h("tr", {}, h("th", { scope: "col" }, t("headChannel")), h("th", { scope: "col", class: "end" }, t("headRank")), h("th", { scope: "col", class: "wide" }, t("headStrength")), h("th", { scope: "col", class: "end" }, t("headScore")));
    return h("section", {}, h("h2", {}, t("channelsTitle")), h("table", { class: "channels" }, h("thead", {}, head), h("tbody", {}, ...rows)));
  }

  private lifts(state: ExplainState, answer: ExplainAnswer): HTMLElement {
    const tried = state.trials.map((trial) => this.trial(trial, answer));
    const said = liftsIn(answer.verdict).map((text) => h("li", {}, icon("lightbulb"), h("span", {}, t("wouldRise", text))));
    const { pinned } = state.marks;
    const pin = h(
      "li",
      {},
      icon(pinned ? "pinned" : "pin"),
      h("span", {}, t(pinned ? "pinnedLine" : "pinLine")),
      h("span", { class: "second" }, pinned ? "" : t("alwaysIn")),
      button(t(pinned ? "undo" : "pinShort"), () => this.host.send({ type: "mark", mark: "pin" }), { small: true }),
    );
    return h("section", {}, h("h2", {}, t("liftTitle")), h("ul", { class: "lifts" }, ...tried, ...said, pin));
  }

  private trial(trial: Trial, answer: ExplainAnswer): HTMLElement {
    const gain = trial.score - answer.score;
    const rank = trial.rank === null ? t("notRanked") : t("rankIs", count(trial.rank));
    return h(
      "li",
      {},
      icon("edit"),
      h("span", {}, t("sayWord", trial.word)),
      h("span", { class: "second digits" }, `${rank} · ${signed(gain)}`),
      button(t("try"), () => this.host.send({ type: "try", task: trial.task }), { small: true, title: trial.task }),
    );
  }
}

function span(bar: Bar): HTMLElement {
  const width = Math.max(0.4, 100 * (bar.to - bar.from));
  const piece = styled(h("i", { class: bar.tone }), { "inset-inline-start": `${100 * bar.from}%`, width: `${width}%` });
  return h("div", { class: "rail", "aria-hidden": true }, piece);
}

/** As short as the number allows. */
const tickText = (value: number): string => String(value).replace(/^(-?)0\./, "$1.").replace("-", "−");
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const words = (name: string): string => capital(name.replace(/_/g, " "));

new ExplainPage();
