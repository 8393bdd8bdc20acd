/** What is shown where there is no list: why, and what to do next. */

import type { AllowedCommand, ContextRequest, ContextState } from "../../src/views/model/messages";
import { h, styled, type Child } from "../shared/dom";
import { t, type Host } from "../shared/host";
import { button, icon, link, note } from "../shared/parts";

export function blank(state: ContextState, host: Host<ContextRequest>): HTMLElement | undefined {
  const run = (command: AllowedCommand, argument?: string): void => host.send({ type: "command", command, argument });
  const { phase } = state;
  switch (phase.kind) {
    case "empty":
      return empty(state, host, run);
    case "loading":
      return skeleton();
    case "nothing":
      return nothing(state, phase.because, run);
    case "noPython":
      return section(
        h("h2", {}, t("noPythonTitle")),
        h("p", {}, phase.detail),
        h("p", {}, t("noPythonAdvice")),
        button(t("selectInterpreter"), () => run("knowing.selectInterpreter"), { primary: true }),
        button(t("showLog"), () => run("knowing.showLog")),
      );
    case "error":
      return section(
        note("error", [phase.message]),
        phase.hint ? h("p", {}, phase.hint) : null,
        phase.server
          ? button(t("restartServer"), () => run("knowing.restartServer"), { primary: true })
          : button(t("askAgain"), () => host.send({ type: "again" }), { primary: true }),
        button(t("showLog"), () => run("knowing.showLog")),
      );
    case "ready":
      return undefined;
  }
}

type Run = (command: AllowedCommand, argument?: string) => void;

function section(...children: Child[]): HTMLElement {
  return h("section", { class: "blank" }, ...children);
}

function item(name: string, ...children: Child[]): HTMLElement {
  return h("li", {}, icon(name), h("div", {}, ...children));
}

function empty(state: ContextState, host: Host<ContextRequest>, run: Run): HTMLElement {
  if (state.mode !== "task") {
    return section(h("h2", {}, t("emptySourceTitle")), h("p", {}, t(EMPTY_SOURCE[state.mode])));
  }
  const recent = state.history.slice(0, 3).map((asked) => asked.task);
  const tries = recent.length ? recent : state.examples;
  return section(
    h("h2", {}, t("emptyTitle")),
    h("p", {}, t("emptyText")),
    tries.length ? h("p", { class: "second" }, t(recent.length ? "emptyRecent" : "emptyTry")) : null,
    h("ul", {}, ...tries.map((task) => item("arrow-right", link(task, () => host.send({ type: "ask", task }))))),
    h("p", { class: "second" }, t("emptyLocal"), " ", link(t("whatIsIndexed"), () => run("knowing.showIndexed"))),
  );
}

const EMPTY_SOURCE = { selection: "emptySelection", changes: "emptyChanges", pr: "emptyPr" } as const;

function nothing(state: ContextState, because: readonly string[], run: Run): HTMLElement {
  return section(
    h("h2", {}, t(state.mode === "task" ? "nothingTitle" : "nothingTitleOther")),
    because.length ? h("p", { class: "second" }, t("because")) : null,
    h("ul", {}, ...because.map((reason) => item("info", reason))),
    h("p", { class: "second" }, t("youCan")),
    h(
      "ul",
      {},
      item("edit", t(state.mode === "task" ? "nameSymbol" : EMPTY_SOURCE[state.mode])),
      state.mode === "task" ? item("search", link(t("searchText"), () => run("workbench.action.findInFiles", state.task))) : null,
      item("database", link(t("seeIndexed"), () => run("knowing.showIndexed"))),
    ),
  );
}

function skeleton(): HTMLElement {
  const widths = [82, 46, 70, 38, 78, 44, 62, 40, 74, 50, 58, 34];
  const bars = widths.map((width) => styled(h("i"), { width: `${width}%` }));
  return h("div", { class: "skeleton", "aria-hidden": true }, ...bars);
}
