/** One line that says how current the index is, and what to do about it. */

import { count } from "../../src/views/model/format";
import type { AllowedCommand, IndexLine } from "../../src/views/model/messages";
import { h, styled, type Child } from "./dom";
import { plural, t } from "./host";
import { link, note } from "./parts";

export function indexLine(line: IndexLine, run: (command: AllowedCommand) => void): HTMLElement {
  const act = (label: string, command: AllowedCommand): Child => link(label, () => run(command));
  switch (line.state) {
    case "unknown":
      return note("quiet", [t("indexUnknown")], "loading");
    case "fresh": {
      if (line.skipped) {
        const text = plural(line.skipped, "freshSkippedOne", "freshSkipped", count(line.skipped));
        return note("quiet", [text, " ", act(t("showWhy"), "knowing.showIndexed")], "info");
      }
      return note("quiet", [t("fresh", count(line.files), count(line.symbols))]);
    }
    case "indexing":
      return indexing(line.done, line.total, act(t("cancel"), "knowing.cancelIndexing"));
    case "cancelled":
      return note("warning", [t("cancelled", count(line.files)), " ", act(t("resume"), "knowing.updateIndex")]);
    case "stale": {
      const text = line.pending
        ? plural(line.pending, "stalePendingOne", "stalePending", count(line.pending))
        : t("stale", line.notes.join("; ") || t("staleUnknown"));
      return note("warning", [text, " ", act(t("updateNow"), "knowing.updateIndex")]);
    }
  }
}

function indexing(done: number, total: number, cancel: Child): HTMLElement {
  const text = total ? t("indexing", count(done), count(total)) : t("indexingCounting");
  const share = total ? Math.min(100, (100 * done) / total) : 0;
  const bar = h("div", { class: "bar", "aria-hidden": true }, styled(h("i"), { width: `${share}%` }));
  return note("info", [text, " ", cancel, bar], "sync");
}
