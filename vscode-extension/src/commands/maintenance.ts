/** Commands about the index and the server. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import { log } from "../log";
import { SECTION } from "../protocol";
import { programOf, run, type Paths } from "../runtime";
import type { Server } from "../server";
import type { Views } from "../views/index";
import type { Documents } from "./documents";

type Commands = Record<string, (...args: never[]) => unknown>;

export interface Parts {
  api: KnowingApi;
  views: Views;
  documents: Documents;
  server: Server;
  paths: Paths;
}

export function maintenanceCommands(parts: Parts): Commands {
  const { api, views, documents } = parts;
  return {
    showIndexed: () => views.showIndexed(),
    showMap: async () => {
      const answer = await api.map({ root: api.folderFor()?.uri.toString() });
      await documents.show(vscode.l10n.t("Map of modules"), answer.markdown);
    },
    updateIndex: () => api.reindex({}),
    rebuildIndex: () => api.reindex({ full: true }),
    cancelIndexing: () => api.cancelIndexing(),
    clearIndex: () => clear(parts),
    doctor: () => doctor(parts),
    restartServer: () => api.restart(),
    showLog: () => api.showLog(),
    selectInterpreter: () => selectInterpreter(),
    openWalkthrough: () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", "knowing.knowing#start", false),
  };
}

/** Removes all that is stored about the folders, after asking. */
async function clear({ server, paths }: Parts): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const interpreter = server.interpreter;
  if (folders.length === 0 || !interpreter) {
    void vscode.window.showInformationMessage(vscode.l10n.t("There is no index to clear."));
    return;
  }
  const only = vscode.l10n.t("Clear Index");
  const rebuild = vscode.l10n.t("Clear and Rebuild");
  const question = vscode.l10n.t("Clear the index of this workspace?");
  const detail = vscode.l10n.t("Clear Index removes all stored data for this workspace and stops the server until you restart it.");
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, only, rebuild);
  if (!chosen) return;
  await server.stop();
  for (const folder of folders) {
    await run(programOf(interpreter, paths, ["knowing", "clear", "--root", folder.uri.fsPath]));
  }
  if (chosen === rebuild) await server.restart();
  else void vscode.window.showInformationMessage(vscode.l10n.t("The index was cleared; the server is stopped."));
}

interface Finding {
  name: string;
  good: boolean;
  detail: string;
  advice: string;
}

/** Looks at everything that can be wrong, and shows it. */
async function doctor({ api, documents, server, paths }: Parts): Promise<void> {
  const { state, detail = "" } = api.serverReport;
  const findings: Finding[] = [
    { name: vscode.l10n.t("server"), good: state === "running", detail: detail || state, advice: "" },
    { name: "VS Code", good: true, detail: `${vscode.version}, ${vscode.env.appName}`, advice: "" },
    {
      name: vscode.l10n.t("trust"),
      good: vscode.workspace.isTrusted,
      detail: vscode.workspace.isTrusted ? vscode.l10n.t("trusted") : vscode.l10n.t("Restricted Mode: tree-sitter only"),
      advice: "",
    },
  ];
  const { interpreter } = server;
  if (interpreter) {
    const root = api.folderFor()?.uri.fsPath ?? paths.neutral;
    const program = programOf(interpreter, paths, ["knowing", "doctor", "--json", "--root", root]);
    findings.push(...(await waiting(vscode.l10n.t("Knowing looks at itself"), (token) => asked(() => run(program, token)))));
  }
  const row = ({ name, good, detail: what, advice }: Finding): string =>
    `| ${good ? "✓" : "✗"} | ${name} | ${[what, advice].filter(Boolean).join(" — ").replaceAll("|", "\\|")} |`;
  await documents.show(vscode.l10n.t("Doctor"), ["# Knowing: Doctor", "", "| | | |", "|---|---|---|", ...findings.map(row), ""].join("\n"));
}

/** Shows that something the user has started takes a while, and lets them stop it. */
function waiting<T>(title: string, work: (token: vscode.CancellationToken) => Promise<T>): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (_progress, token) => work(token));
}

async function asked(question: () => Promise<string>): Promise<Finding[]> {
  try {
    const answer = JSON.parse(await question()) as { findings: Finding[] };
    return answer.findings;
  } catch (error) {
    if (error instanceof vscode.CancellationError) throw error;
    const detail = error instanceof Error ? error.message : String(error);
    log.error(`doctor: ${detail}`);
    return [{ name: "knowing doctor", good: false, detail, advice: vscode.l10n.t("The log says more.") }];
  }
}

async function selectInterpreter(): Promise<void> {
  const windows = process.platform === "win32";
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Python 3.11 or newer"),
    openLabel: vscode.l10n.t("Select Interpreter"),
    canSelectMany: false,
    filters: windows ? { Python: ["exe"] } : undefined,
  });
  const path = chosen?.[0]?.fsPath;
  if (path) await vscode.workspace.getConfiguration(SECTION).update("python.path", path, vscode.ConfigurationTarget.Global);
}
