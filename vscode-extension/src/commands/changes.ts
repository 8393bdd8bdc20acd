/** What has changed, from VS Code's own git extension. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import { messageOf } from "../log";
import { symbolsAt, touched, type Named, type Place } from "./hunks";

interface Change {
  uri: vscode.Uri;
}

interface Repository {
  state: { HEAD?: { upstream?: { remote: string; name: string } }; indexChanges: Change[]; workingTreeChanges: Change[] };
  diffWithHEAD(path: string): Promise<string>;
  getRefs(query: { sort?: "committerdate" }): Promise<{ type: number; name?: string }[]>;
}

interface GitApi {
  getRepository(uri: vscode.Uri): Repository | null;
}

async function repositoryOf(uri: vscode.Uri | undefined): Promise<Repository | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
  if (!extension || !uri) return undefined;
  return (await extension.activate()).getAPI(1).getRepository(uri) ?? undefined;
}

/** Branches and tags, the latest first. */
export async function refs(uri: vscode.Uri | undefined): Promise<string[]> {
  const repository = await repositoryOf(uri);
  const found = (await repository?.getRefs({ sort: "committerdate" })) ?? [];
  return found.flatMap(({ name }) => (name ? [name] : []));
}

interface Changed extends Place {
  uri: vscode.Uri;
}

/** The symbols that differ from the last commit. */
async function changedSymbols(folder: vscode.Uri, symbols: (uri: vscode.Uri) => Promise<Named[]>): Promise<Changed[]> {
  const repository = await repositoryOf(folder);
  if (!repository) return [];
  const { indexChanges, workingTreeChanges } = repository.state;
  const uris = new Map([...indexChanges, ...workingTreeChanges].map(({ uri }) => [uri.toString(), uri]));
  const found: Changed[] = [];
  for (const uri of uris.values()) {
    const lines = touched(await repository.diffWithHEAD(uri.fsPath));
    if (lines.length === 0) continue;
    found.push(...symbolsAt(await symbols(uri), lines).map((place) => ({ ...place, uri })));
  }
  return found;
}

/** Lets the user choose one of the symbols that have changed. */
export async function pickChanged(
  api: KnowingApi & { request<A>(method: string, params: unknown): Promise<A> },
): Promise<Changed | undefined> {
  const folder = api.folderFor()?.uri;
  if (!folder) return undefined;
  const symbols = async (uri: vscode.Uri): Promise<Named[]> =>
    (await api.request<Named[] | null>("textDocument/documentSymbol", { textDocument: { uri: uri.toString() } })) ?? [];
  let found: Changed[];
  try {
    found = await changedSymbols(folder, symbols);
  } catch (error) {
    void vscode.window.showErrorMessage(messageOf(error));
    return undefined;
  }
  if (found.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No function or type differs from the last commit."));
    return undefined;
  }
  if (found.length === 1) return found[0];
  const items = found.map((place) => ({
    label: place.name,
    description: `${vscode.workspace.asRelativePath(place.uri)}:${place.line + 1}`,
    place,
  }));
  const title = vscode.l10n.t("{0} symbols have changed; whose blast radius?", items.length);
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.place;
}
