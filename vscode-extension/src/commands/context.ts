/** Commands that ask for context, and take it to where it is used. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import { count } from "../log";
import type { Views } from "../views/index";
import { refs } from "./changes";

const STEPS = [500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 20_000, 30_000, 40_000, 50_000];
const MOST_FILES = 200;

type Commands = Record<string, (...args: never[]) => unknown>;

export function contextCommands(api: KnowingApi, views: Views): Commands {
  return {
    askTask: (task?: unknown) => views.showTask(typeof task === "string" ? task : undefined, "task"),
    askSelection: () => views.showTask(undefined, "selection"),
    askChanges: () => views.showTask(undefined, "changes"),
    askPullRequest: async (given?: unknown) => {
      const base = typeof given === "string" ? given : await askBase(api);
      if (base) await views.showTask(base, "pr");
    },
    askFiles: (clicked?: unknown, selected?: unknown) => askFiles(views, chosenFiles(clicked, selected)),
    copyContext: () => views.copyContext(),
    copyNewContext: () => views.copyContext(true),
    openInChat: () => views.openInChat(),
    saveContext: () => views.saveContext(),
    setBudget: async (given?: unknown) => {
      const tokens = typeof given === "number" ? given : await askBudget();
      if (tokens) views.setBudget(tokens);
    },
  };
}

/** What was clicked: entries of the explorer, or of the source control view; else the editor. */
function chosenFiles(clicked: unknown, selected: unknown): vscode.Uri[] {
  const entries: unknown[] = Array.isArray(selected) ? selected : [clicked];
  const uris = entries.flatMap((entry) => {
    if (entry instanceof vscode.Uri) return [entry];
    const uri = (entry as { resourceUri?: unknown } | undefined)?.resourceUri;
    return uri instanceof vscode.Uri ? [uri] : [];
  });
  const active = vscode.window.activeTextEditor?.document.uri;
  return uris.length > 0 ? uris : active ? [active] : [];
}

async function askFiles(views: Views, chosen: readonly vscode.Uri[]): Promise<void> {
  const files: string[] = [];
  for (const uri of chosen) {
    const stat = await vscode.workspace.fs.stat(uri);
    if (stat.type & vscode.FileType.Directory) files.push(...(await inside(uri)));
    else files.push(uri.toString());
  }
  if (files.length > 0) await views.showFiles(files);
  else void vscode.window.showInformationMessage(vscode.l10n.t("Select files first."));
}

async function inside(folder: vscode.Uri): Promise<string[]> {
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, "**/*"), undefined, MOST_FILES);
  return found.map((uri) => uri.toString()).sort();
}

async function askBudget(): Promise<number | undefined> {
  const items = STEPS.map((tokens) => ({ label: count(tokens), description: vscode.l10n.t("tokens"), tokens }));
  const title = vscode.l10n.t("Token budget of the context");
  return (await vscode.window.showQuickPick(items, { title }))?.tokens;
}

async function askBase(api: KnowingApi): Promise<string | undefined> {
  const known = await refs(api.folderFor()?.uri);
  const title = vscode.l10n.t("Branch, tag or commit that the work is compared with");
  if (known.length === 0) return vscode.window.showInputBox({ title, value: "main" });
  const other = vscode.l10n.t("Another one…");
  const chosen = await vscode.window.showQuickPick([...known, other], { title });
  return chosen === other ? vscode.window.showInputBox({ title }) : chosen;
}
