/** What is indexed: figures, languages, what was left out and why, where the data lies. */

import { bytes, count } from "../../src/views/model/format";
import { leftOut, shares, skipGroups, type SkipGroup } from "../../src/views/model/indexed";
import type { AllowedCommand, IndexedMessage, IndexedRequest, IndexedState } from "../../src/views/model/messages";
import type { StatusAnswer } from "../../src/protocol";
import { h, replace, styled, type Child } from "../shared/dom";
import { connect, plural, t } from "../shared/host";
import { indexLine } from "../shared/indexLine";
import { Announcer, ProgressLine, button, icon, link, note } from "../shared/parts";

const SHOWN = 12;

class IndexedPage {
  private readonly host = connect<IndexedRequest>((message: IndexedMessage) => {
    if (message.type === "announce") this.announcer.say(message.text);
    else this.draw(message.state);
  });
  private readonly announcer = new Announcer();
  private readonly progress = new ProgressLine();
  private readonly page = h("main", { class: "page indexed" });
  private readonly line = h("div", { class: "state" });
  private readonly body = h("div");
  private readonly open = new Set<string>();
  private readonly whole = new Set<string>();
  private last: StatusAnswer | undefined;
  private bodyKey = "";

  constructor() {
    const run = (command: AllowedCommand) => (): void => this.run(command);
    this.page.append(
      h(
        "header",
        {},
        h("h1", {}, t("indexedTitle")),
        h("div", { class: "actions" }, button(t("updateNow"), run("knowing.updateIndex"), { icon: "refresh", primary: true }), button(t("runDoctor"), run("knowing.doctor"), { icon: "pulse" }), button(t("copyReport"), () => this.host.send({ type: "copyReport" }), { icon: "copy" })),
      ),
      this.line,
      this.body,
    );
    document.body.append(this.progress.element, this.page, this.announcer.element);
    this.host.send({ type: "ready" });
  }

  private run(command: AllowedCommand): void {
    this.host.send({ type: "command", command });
  }

  private draw(state: IndexedState): void {
    this.progress.set(state.phase === "loading");
    const lines: Child[] = [];
    if (!state.trusted) lines.push(note("warning", [t("untrusted"), " ", link(t("manageTrust"), () => this.run("workbench.trust.manage"))]));
    if (state.phase === "error") lines.push(note("error", [state.error, " ", link(t("restartServer"), () => this.run("knowing.restartServer")), " ", link(t("showLog"), () => this.run("knowing.showLog"))]));
    else lines.push(indexLine(state.line, (command) => this.run(command)));
    for (const text of state.status?.notes ?? []) lines.push(note("info", [text]));
    replace(this.line, ...lines);
    const { status } = state;
    if (!status) return;
    this.last = status;
    const key = JSON.stringify(status);
    if (key !== this.bodyKey) this.drawBody(status, state);
    this.bodyKey = key;
  }

  private drawBody(status: StatusAnswer, state: IndexedState): void {
    replace(
      this.body,
      status.folders.length > 1 ? this.folders(status) : null,
      figures(status),
      languages(status),
      this.skipped(status),
      this.storage(status, state),
      h("footer", {}, h("p", {}, t("clearText")), button(t("clearIndex"), () => this.run("knowing.clearIndex"), { icon: "trash" })),
    );
  }

  private folders(status: StatusAnswer): HTMLElement {
    const select = h("select", { class: "field" }, ...status.folders.map((folder) => h("option", { value: folder.uri }, `${folder.name} (${count(folder.index.files)})`)));
    select.value = status.uri;
    select.addEventListener("change", () => this.host.send({ type: "folder", uri: select.value }));
    return h("label", { class: "folders" }, t("folder"), select);
  }

  private skipped(status: StatusAnswer): HTMLElement {
    const groups = skipGroups(status.skipped);
    const unsupported = Object.entries(status.unsupported).sort((a, b) => b[1] - a[1]);
    const names = unsupported.map(([extension, files]) => `${extension || t("noExtension")} ${count(files)}`).join(", ");
    return h(
      "section",
      {},
      h("h2", {}, t("skippedTitle")),
      groups.length || names ? null : h("p", { class: "second" }, t("nothingSkipped")),
      ...groups.map((group) => this.skipGroup(group)),
      names ? h("p", { class: "second small" }, t("unsupported", names)) : null,
    );
  }

  private skipGroup(group: SkipGroup): HTMLElement {
    const shown = this.whole.has(group.reason) ? group.paths : group.paths.slice(0, SHOWN);
    const rest = group.paths.length - shown.length;
    const rows = shown.map((path) => h("li", {}, link(path, () => this.host.send({ type: "open", place: { path, line: 1 } }))));
    if (rest) {
      rows.push(h("li", {}, link(t("showMore", count(rest)), () => {
        this.whole.add(group.reason);
        if (this.last) replace(details, ...this.skipGroup(group).childNodes);
      }))); // prettier-ignore
    }
    const details = h("details", { class: "skip" }, h("summary", {}, icon("chevron-right"), h("span", {}, capital(group.reason)), h("span", { class: "badge digits" }, count(group.paths.length))), h("ul", {}, ...rows));
    details.open = this.open.has(group.reason);
    details.addEventListener("toggle", () => {
      if (details.open) this.open.add(group.reason);
      else this.open.delete(group.reason);
    });
    return details;
  }

  private storage(status: StatusAnswer, state: IndexedState): HTMLElement {
    const row = (name: string, value: string, action: Child): HTMLElement => h("tr", {}, h("td", {}, name), h("td", { class: "end digits" }, value), h("td", { class: "end" }, action));
    return h(
      "section",
      {},
      h("h2", {}, t("storageTitle")),
      h(
        "table",
        {},
        h("tbody", {}, row(t("storageIndex"), bytes(status.disk_bytes), link(t("rebuild"), () => this.run("knowing.rebuildIndex"))), row(t("storageGeneration"), count(status.generation), null), row(t("storageVersion"), `${state.versions.extension} · ${state.versions.server}`, link(t("showLog"), () => this.run("knowing.showLog")))),
      ),
      h("p", { class: "second small" }, t("storageWhere"), " ", link(t("openFolder"), () => this.host.send({ type: "openFolder" }), status.folder)),
    );
  }
}

function figures(status: StatusAnswer): HTMLElement {
  const skipped = leftOut(status).length;
  const all: [string, string][] = [
    [t("figureFiles"), count(status.files)],
    [t("figureSymbols"), count(status.symbols)],
    [t("figureEdges"), count(status.edges)],
    [t("figureCommits"), count(status.commits)],
    [t("figureDisk"), bytes(status.disk_bytes)],
    [t("figureSkipped"), count(skipped)],
  ];
  return h("dl", { class: "figures" }, ...all.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", { class: "digits" }, value))));
}

function languages(status: StatusAnswer): HTMLElement {
  const rows = shares(status.by_language).map((one) =>
    h("tr", {}, h("th", { scope: "row" }, capital(one.name)), h("td", { class: "end digits" }, plural(one.files, "filesOne", "files", count(one.files))), h("td", { class: "wide" }, h("div", { class: "bar", "aria-hidden": true }, styled(h("i"), { width: `${100 * one.share}%` })))),
  );
  const head = h("tr", {}, h("th", { scope: "col" }, t("headLanguage")), h("th", { scope: "col", class: "end" }, t("figureFiles")), h("th", { scope: "col", class: "wide" }, t("headShare")));
  return h("section", {}, h("h2", {}, t("byLanguage")), h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

new IndexedPage();
