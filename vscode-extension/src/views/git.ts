/** Branches that a pull request may be made against, from VS Code's own Git extension. */

import * as vscode from "vscode";

interface Ref {
  name?: string;
}

interface Repository {
  state: { HEAD?: { name?: string; upstream?: { name: string; remote: string } } };
  getBranches(query: { remote?: boolean }): Promise<Ref[]>;
}

interface GitExtension {
  getAPI(version: 1): { getRepository(uri: vscode.Uri): Repository | null };
}

const USUAL = ["main", "master", "develop", "trunk", "dev"];

/** The usual ones first, those of a remote before local ones; without Git, the usual names. */
export async function baseBranches(folder: vscode.Uri | undefined): Promise<string[]> {
  const names = folder ? await branches(folder) : [];
  const usual = (name: string): number => {
    const at = USUAL.indexOf(name.slice(name.lastIndexOf("/") + 1));
    return at < 0 ? USUAL.length : at;
  };
  const sorted = names.filter((name) => !name.endsWith("/HEAD")).sort((a, b) => usual(a) - usual(b) || Number(b.includes("/")) - Number(a.includes("/")) || a.localeCompare(b));
  return sorted.length ? sorted.slice(0, 30) : ["main"];
}

async function branches(folder: vscode.Uri): Promise<string[]> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (!extension) return [];
  try {
    const api = (await extension.activate()).getAPI(1);
    const repository = api.getRepository(folder);
    if (!repository) return [];
    const [remote, local] = await Promise.all([repository.getBranches({ remote: true }), repository.getBranches({ remote: false })]);
    const own = repository.state.HEAD?.name;
    return [...remote, ...local].flatMap((ref) => (ref.name && ref.name !== own ? [ref.name] : []));
  } catch {
    // Git is switched off or not installed: the usual names are offered, and any can be typed.
    return [];
  }
}
