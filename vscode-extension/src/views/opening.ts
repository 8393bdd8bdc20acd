/** Opens, peeks and reveals what answers name. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { Place } from "./model/messages";

function at(line: number): vscode.Range {
  const start = new vscode.Position(Math.max(0, line - 1), 0);
  return new vscode.Range(start, start);
}

export class Opener {
  constructor(private readonly api: KnowingApi) {}

  /** In the editor that is there; with `aside`, beside a panel of ours. */
  async open(root: string, place: Place, aside = false): Promise<void> {
    await vscode.window.showTextDocument(this.api.uriOf(root, place.path), {
      selection: at(place.line),
      preview: true,
      viewColumn: aside ? await columnBeside() : undefined,
    });
  }

  /** Shows it for a look: the focus stays where it is. */
  async peek(root: string, place: Place): Promise<void> {
    await vscode.window.showTextDocument(this.api.uriOf(root, place.path), {
      selection: at(place.line),
      preview: true,
      preserveFocus: true,
      viewColumn: await columnBeside(),
    });
  }
}

/** A group that shows text, so that a panel is not covered; else one beside it. */
async function columnBeside(): Promise<vscode.ViewColumn> {
  const groups = vscode.window.tabGroups.all;
  const text = groups.find((group) => group.activeTab?.input instanceof vscode.TabInputText);
  if (text) return text.viewColumn;
  const webview = groups.find((group) => group.activeTab?.input instanceof vscode.TabInputWebview);
  return Promise.resolve(webview ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
}
