/** The one item in the status bar. */

import * as vscode from "vscode";
import type { IndexingProgress, KnowingApi, ServerReport } from "./api";
import { count } from "./log";
import type { IndexChanged } from "./protocol";

export interface Shown {
  text: string;
  tooltip: string;
  command: string;
  /** Whether it asks for attention. */
  bad: boolean;
}

/** What the item says, from all that is known. */
export function shown(
  report: ServerReport,
  progress: IndexingProgress | undefined,
  indexes: readonly IndexChanged[],
  folders: number,
): Shown {
  if (report.state !== "running") return ofServer(report);
  // The server runs, and has not said anything about a folder yet.
  if (folders > 0 && indexes.length === 0) return ofServer({ state: "starting", detail: vscode.l10n.t("The index is being opened.") });
  const lines = indexes.map(line).join("\n\n");
  const running = progress ?? (indexes.some(({ index }) => index.state === "indexing") ? { stage: "", done: 0, total: 0 } : undefined);
  if (running) {
    const counted = running.total > 0 ? ` ${count(running.done)}/${count(running.total)}` : "";
    return { text: `$(sync~spin) Knowing${counted}`, tooltip: `${lines}\n\n${links("cancelIndexing")}`, command: "knowing.showIndexed", bad: false };
  }
  if (indexes.some(({ index }) => index.state === "stale")) {
    return { text: vscode.l10n.t("$(warning) Knowing: behind"), tooltip: `${lines}\n\n${links("updateIndex")}`, command: "knowing.showIndexed", bad: false };
  }
  return { text: "$(check) Knowing", tooltip: lines || vscode.l10n.t("No folder is open."), command: "knowing.showIndexed", bad: false };
}

function ofServer({ state, detail = "" }: ServerReport): Shown {
  switch (state) {
    case "noPython":
      return { text: vscode.l10n.t("$(error) Knowing: no Python"), tooltip: `${detail}\n\n${links("selectInterpreter")}`, command: "knowing.selectInterpreter", bad: true };
    case "failed":
      return { text: vscode.l10n.t("$(error) Knowing: stopped"), tooltip: `${detail}\n\n${links("restartServer", "showLog")}`, command: "knowing.restartServer", bad: true };
    case "stopped":
      return { text: vscode.l10n.t("$(error) Knowing: stopped"), tooltip: links("restartServer", "showLog"), command: "knowing.restartServer", bad: false };
    default:
      return { text: "$(sync~spin) Knowing", tooltip: detail || vscode.l10n.t("The language server is starting."), command: "knowing.showLog", bad: false };
  }
}

function line({ name, index }: IndexChanged): string {
  const files = count(index.files);
  const symbols = count(index.symbols);
  const notes = index.notes.length > 0 ? ` · ${index.notes.join("; ")}` : "";
  switch (index.state) {
    case "fresh":
      return vscode.l10n.t("**{0}**: index fresh · {1} files · {2} symbols", name, files, symbols) + notes;
    case "indexing":
      return vscode.l10n.t("**{0}**: indexing · results are partial", name) + notes;
    case "stale":
      return vscode.l10n.t("**{0}**: index is behind · {1} files changed", name, count(index.pending)) + notes;
  }
}

const LINKS = ["cancelIndexing", "updateIndex", "restartServer", "showLog", "selectInterpreter"] as const;

function links(...commands: (typeof LINKS)[number][]): string {
  const titles = {
    cancelIndexing: vscode.l10n.t("Cancel"),
    updateIndex: vscode.l10n.t("Update now"),
    restartServer: vscode.l10n.t("Restart Server"),
    showLog: vscode.l10n.t("Show Log"),
    selectInterpreter: vscode.l10n.t("Select Interpreter"),
  };
  return commands.map((name) => `[${titles[name]}](command:knowing.${name})`).join(" · ");
}

export function registerStatus(api: KnowingApi): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("knowing.status", vscode.StatusBarAlignment.Left, 10);
  item.name = "Knowing";
  const refresh = (): void => {
    const folders = vscode.workspace.workspaceFolders?.length ?? 0;
    const now = shown(api.serverReport, api.progress, [...api.indexes.values()], folders);
    const tooltip = new vscode.MarkdownString(now.tooltip);
    tooltip.isTrusted = { enabledCommands: LINKS.map((name) => `knowing.${name}`) };
    Object.assign(item, { text: now.text, tooltip, command: now.command });
    item.accessibilityInformation = { label: now.text.replace(/\$\([^)]*\)\s*/g, ""), role: "button" };
    item.backgroundColor = now.bad ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    const indexing = now.text.startsWith("$(sync") && api.serverState === "running";
    void vscode.commands.executeCommand("setContext", "knowing.indexing", indexing);
    void vscode.commands.executeCommand("setContext", "knowing.server", api.serverState);
  };
  refresh();
  item.show();
  return vscode.Disposable.from(item, api.onServerState(refresh), api.onProgress(refresh), api.onIndexChanged(refresh));
}

/** A message when the server cannot run: once for each reason, with a way out of it. */
export function registerAlarm(api: KnowingApi): vscode.Disposable {
  let told = "";
  return api.onServerState(({ state, detail = "" }) => {
    if (state === "running") told = "";
    if ((state !== "failed" && state !== "noPython") || told === detail) return;
    told = detail;
    const fix = state === "noPython" ? vscode.l10n.t("Select Interpreter") : vscode.l10n.t("Restart Server");
    const openLog = vscode.l10n.t("Show Log");
    void vscode.window.showErrorMessage(detail, fix, openLog).then((chosen) => {
      if (chosen === openLog) api.showLog();
      else if (chosen === fix && state === "noPython") void vscode.commands.executeCommand("knowing.selectInterpreter");
      else if (chosen === fix) void api.restart();
    });
  });
}
