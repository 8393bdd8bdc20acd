/** One question for context, however it was asked; the budget alone may differ between two asks. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { ContextAnswer, Range, SelectionParams } from "../protocol";
import { baseName } from "./model/format";
import type { Mode } from "./model/messages";

export interface Question {
  mode: Mode;
  /** In words, for the line that stands in for a task. */
  source: string;
  /** What `explain` is asked about; the same as the task where there is one. */
  title: string;
  /** Of what the editor shows: to ask again is to look again. */
  follows?: boolean;
  ask(budget: number, token: vscode.CancellationToken): Promise<ContextAnswer>;
}

export function aboutTask(api: KnowingApi, task: string): Question {
  const root = api.folderFor()?.uri.toString();
  return { mode: "task", source: task, title: task, ask: (budget, token) => api.context({ task, budget, root }, token) };
}

export function aboutFiles(api: KnowingApi, files: readonly string[]): Question {
  const names = files.map((file) => baseName(decodeURIComponent(file)));
  const source = names.length > 3 ? vscode.l10n.t("{0} files", names.length) : names.join(", ");
  const first = files[0];
  const folder = first?.includes("://") ? api.folderFor(vscode.Uri.parse(first)) : api.folderFor();
  const root = folder?.uri.toString();
  return { mode: "selection", source, title: source, ask: (budget, token) => api.context({ files: [...files], budget, root }, token) };
}

export function aboutChanges(api: KnowingApi): Question {
  const root = api.folderFor()?.uri.toString();
  const source = vscode.l10n.t("Everything changed since the last commit");
  return { mode: "changes", source, title: source, ask: (budget, token) => api.contextForChanges({ base: "HEAD", budget, root }, token) };
}

export function aboutPullRequest(api: KnowingApi, base: string): Question {
  const root = api.folderFor()?.uri.toString();
  const source = vscode.l10n.t("Changes against");
  const title = vscode.l10n.t("Changes against {0}", base);
  return { mode: "pr", source, title, ask: (budget, token) => api.contextForChanges({ base, budget, root }, token) };
}

/** What the editor shows; undefined without one that holds a file. */
export function aboutSelection(api: KnowingApi, editor: vscode.TextEditor | undefined): Question | undefined {
  if (editor?.document.uri.scheme !== "file") return undefined;
  const { document, selection } = editor;
  const params: SelectionParams = {
    textDocument: { uri: document.uri.toString() },
    position: plain(selection).start,
    range: plain(selection),
    diagnostics: diagnosticsNear(document.uri, selection.start.line),
  };
  const [from, to] = [selection.start.line + 1, selection.end.line + 1];
  const source = `${baseName(document.uri.path)}:${from === to ? from : `${from}–${to}`}`;
  return { mode: "selection", source, title: source, follows: true, ask: (budget, token) => api.contextForSelection({ ...params, budget }, token) };
}

const MOST_DIAGNOSTICS = 20;

function diagnosticsNear(uri: vscode.Uri, line: number): { range: Range; uri: string }[] {
  const far = (diagnostic: vscode.Diagnostic): number => Math.abs(diagnostic.range.start.line - line);
  return vscode.languages
    .getDiagnostics(uri)
    .filter((diagnostic) => diagnostic.severity <= vscode.DiagnosticSeverity.Warning)
    .sort((a, b) => a.severity - b.severity || far(a) - far(b))
    .slice(0, MOST_DIAGNOSTICS)
    .map((diagnostic) => ({ range: plain(diagnostic.range), uri: uri.toString() }));
}

function plain(range: vscode.Range): Range {
  const { start, end } = range;
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
