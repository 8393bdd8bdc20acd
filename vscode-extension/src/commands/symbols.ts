/** Commands about one symbol: what a change to it touches, why it is ranked, what is near it. */

import * as vscode from "vscode";
import { KnowingError, type KnowingApi } from "../api";
import type { Item, ItemsAnswer, TargetParams } from "../protocol";
import type { Views } from "../views/index";
import { pickChanged } from "./changes";

type Commands = Record<string, (...args: never[]) => unknown>;
export type Asking = KnowingApi & { request<A>(method: string, params: unknown): Promise<A> };

export function symbolCommands(api: Asking, views: Views): Commands {
  return {
    showBlastRadius: async (given?: unknown) => {
      const target = await targetOf(api, given);
      if (target) await views.showImpact(target);
    },
    showBlastRadiusOfChanges: async () => {
      const place = await pickChanged(api);
      if (!place) return;
      const { line, character } = place;
      await views.showImpact({ textDocument: { uri: place.uri.toString() }, position: { line, character } });
    },
    showGraph: async (given?: unknown) => {
      const target = await targetOf(api, given);
      if (target) await views.showGraph(target);
    },
    showExplanation: (given?: unknown) => explain(api, views, given),
    showRelated: async (given?: unknown) => {
      const target = await targetOf(api, given);
      if (target) await related(api, target);
    },
    find: (query?: unknown) => find(api, typeof query === "string" ? query : ""),
  };
}

/** What a command is about: as given, else at the cursor, else chosen by name. */
async function targetOf(api: KnowingApi, given: unknown): Promise<TargetParams | undefined> {
  if (isTarget(given)) return given;
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme === "file") {
    const { line, character } = editor.selection.active;
    return { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } };
  }
  const chosen = await pick(api, vscode.l10n.t("Which symbol?"));
  return chosen && { symbol: chosen.item.qualified_name, root: chosen.root };
}

export function isTarget(given: unknown): given is TargetParams {
  if (typeof given !== "object" || given === null) return false;
  const { symbol, textDocument, position } = given as Partial<Record<keyof TargetParams, unknown>>;
  return typeof symbol === "string" || (typeof textDocument === "object" && typeof position === "object");
}

async function explain(api: KnowingApi, views: Views, given: unknown): Promise<void> {
  const { task, symbol } = (given ?? {}) as { task?: unknown; symbol?: unknown };
  if (typeof task === "string" && typeof symbol === "string") {
    await views.showExplain(task, symbol);
    return;
  }
  const answer = views.currentContext();
  const asked = answer?.task ?? (await vscode.window.showInputBox({ title: vscode.l10n.t("For which task?") }));
  const named = asked && (await pickExplained(api, answer?.symbols ?? []));
  if (asked && named) await views.showExplain(asked, named);
}

/** One of the symbols that are shown, or any other. */
async function pickExplained(api: KnowingApi, shown: readonly Item[]): Promise<string | undefined> {
  const title = vscode.l10n.t("Why is it ranked where it is?");
  const other: vscode.QuickPickItem & { item?: Item } = { label: vscode.l10n.t("Another symbol…") };
  const items = [...shown.map(entryOf), other];
  const chosen = shown.length > 0 ? await vscode.window.showQuickPick(items, { title, matchOnDescription: true }) : other;
  if (!chosen) return undefined;
  return (chosen.item ?? (await pick(api, title))?.item)?.qualified_name;
}

async function related(api: KnowingApi, target: TargetParams): Promise<void> {
  try {
    const answer = await api.related(target);
    await choose(api, answer, vscode.l10n.t("Related to {0}", answer.query));
  } catch (error) {
    if (!(error instanceof KnowingError) || error.candidates.length === 0) throw error;
    const symbol = await vscode.window.showQuickPick([...error.candidates], { title: error.message });
    if (symbol) await related(api, { ...target, symbol });
  }
}

function entryOf(item: Item): vscode.QuickPickItem & { item: Item } {
  const place = `${item.path}:${item.line}`;
  return { label: item.name || item.path, description: place, detail: item.why.join(" · "), item };
}

/** A list to look through: moving in it shows the code, Enter opens it. */
async function choose(api: KnowingApi, answer: ItemsAnswer, title: string): Promise<void> {
  if (answer.items.length === 0) {
    void vscode.window.showInformationMessage([title, ...answer.notes].join(": "));
    return;
  }
  const before = vscode.window.activeTextEditor;
  let shown = false;
  const chosen = await vscode.window.showQuickPick(answer.items.map(entryOf), {
    title,
    matchOnDescription: true,
    onDidSelectItem: (entry) => {
      // The first one is selected when the list opens: nothing has been asked for yet.
      const item = typeof entry === "string" ? undefined : (entry as { item?: Item }).item;
      if (shown && item) void reveal(api, answer.root, item, true);
      shown = true;
    },
  });
  if (chosen) await reveal(api, answer.root, chosen.item, false);
  else if (before) await vscode.window.showTextDocument(before.document, { selection: before.selection, viewColumn: before.viewColumn });
}

async function reveal(api: KnowingApi, root: string, item: Item, preserveFocus: boolean): Promise<void> {
  if (!item.path) return;
  const at = new vscode.Position(Math.max(0, item.line - 1), 0);
  await vscode.window.showTextDocument(api.uriOf(root, item.path), {
    preserveFocus,
    preview: true,
    selection: new vscode.Range(at, at),
  });
}

const TYPING_MS = 150;

/** Searches while the user types. */
export function pick(api: KnowingApi, title: string, query = ""): Promise<{ item: Item; root: string } | undefined> {
  const box = vscode.window.createQuickPick<vscode.QuickPickItem & { item?: Item; root?: string }>();
  Object.assign(box, { title, value: query, matchOnDescription: true, matchOnDetail: true });
  box.placeholder = vscode.l10n.t("Part of a name, or what it does");
  let timer: NodeJS.Timeout | undefined;
  let running: vscode.CancellationTokenSource | undefined;
  const search = async (value: string): Promise<void> => {
    running?.cancel();
    const source = (running = new vscode.CancellationTokenSource());
    box.busy = true;
    try {
      const root = api.folderFor()?.uri.toString();
      const answer = await api.search({ query: value, limit: 50, root }, source.token);
      // What was found by meaning does not hold the words that were typed.
      box.items = answer.items.map((item) => ({ ...entryOf(item), alwaysShow: true, root: answer.root }));
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) box.items = [{ label: error instanceof Error ? error.message : String(error), alwaysShow: true }];
    } finally {
      if (running === source) box.busy = false;
    }
  };
  return new Promise((resolve) => {
    box.onDidChangeValue((value) => {
      clearTimeout(timer);
      if (value.trim()) timer = setTimeout(() => void search(value), TYPING_MS);
    });
    box.onDidAccept(() => {
      const { item, root } = box.selectedItems[0] ?? {};
      if (item && root !== undefined) resolve({ item, root });
      box.hide();
    });
    box.onDidHide(() => {
      clearTimeout(timer);
      running?.cancel();
      resolve(undefined);
      box.dispose();
    });
    box.show();
    if (query) void search(query);
  });
}

async function find(api: KnowingApi, query: string): Promise<void> {
  const chosen = await pick(api, vscode.l10n.t("Search"), query);
  if (chosen) await reveal(api, chosen.root, chosen.item, false);
}
