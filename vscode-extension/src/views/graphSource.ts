/** What is around a symbol: who uses it, from the blast radius, and what it calls, from the call hierarchy. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { TargetParams } from "../protocol";
import type { GraphData, GraphNode } from "./model/graph";
import { upward, withCallees, type Callee } from "./model/graphFromBlast";

/** Questions to the call hierarchy for one graph: each is cheap, but there are many symbols. */
const MOST_QUESTIONS = 40;

export async function graphAround(api: KnowingApi, target: TargetParams, depth: number, token: vscode.CancellationToken): Promise<{ data: GraphData; root: string }> {
  const answer = await api.blastRadius({ ...target, depth }, token);
  let data = upward(answer);
  const notes = answer.complete ? [] : answer.reasons;
  let asked = 0;
  let frontier: GraphNode[] = data.nodes.filter((node) => node.id === data.centre);
  for (let step = 0; step < Math.min(depth, 2) && frontier.length && !token.isCancellationRequested; step += 1) {
    const here = frontier.slice(0, MOST_QUESTIONS - asked);
    asked += here.length;
    const callees = (await Promise.all(here.map((node) => calleesOf(api, answer.root, node)))).flat();
    const known = new Set(data.nodes.map((node) => node.id));
    data = withCallees(data, callees);
    frontier = data.nodes.filter((node) => !known.has(node.id));
  }
  return { data: { ...data, notes }, root: answer.root };
}

async function calleesOf(api: KnowingApi, root: string, node: GraphNode): Promise<Callee[]> {
  const uri = api.uriOf(root, node.path);
  try {
    const [item] = await at(uri, node);
    if (!item) return [];
    const calls = await vscode.commands.executeCommand<vscode.CallHierarchyOutgoingCall[] | undefined>("vscode.provideOutgoingCalls", item);
    return (calls ?? []).flatMap(({ to }) => {
      const path = relative(api, root, to.uri);
      return path === undefined ? [] : [{ from: node.id, name: qualified(to), kind: kindOf(to.kind), path, line: to.selectionRange.start.line + 1 }];
    });
  } catch {
    // Without a call hierarchy the graph shows users only.
    return [];
  }
}

async function at(uri: vscode.Uri, node: GraphNode): Promise<vscode.CallHierarchyItem[]> {
  const document = await vscode.workspace.openTextDocument(uri);
  const line = document.lineAt(Math.min(document.lineCount - 1, Math.max(0, node.line - 1)));
  const last = node.name.slice(node.name.lastIndexOf(".") + 1);
  const column = Math.max(0, line.text.indexOf(last));
  const items = await vscode.commands.executeCommand<vscode.CallHierarchyItem[] | undefined>("vscode.prepareCallHierarchy", uri, new vscode.Position(line.lineNumber, column));
  return (items ?? []).filter((item) => item.name.endsWith(last));
}

/** Our own server says the owner in the detail; others say other things, and the bare name stays. */
function qualified(item: vscode.CallHierarchyItem): string {
  const owner = /^[\w.$]+$/.exec(item.detail ?? "")?.[0];
  return owner && !item.name.includes(".") && owner !== item.name ? `${owner}.${item.name}` : item.name;
}

function relative(api: KnowingApi, root: string, uri: vscode.Uri): string | undefined {
  const base = api.uriOf(root, "").path.replace(/\/$/, "");
  return uri.path.startsWith(`${base}/`) ? uri.path.slice(base.length + 1) : undefined;
}

const KINDS: Readonly<Partial<Record<vscode.SymbolKind, string>>> = {
  [vscode.SymbolKind.Class]: "class",
  [vscode.SymbolKind.Struct]: "struct",
  [vscode.SymbolKind.Interface]: "interface",
  [vscode.SymbolKind.Method]: "method",
  [vscode.SymbolKind.Function]: "function",
  [vscode.SymbolKind.Constructor]: "constructor",
  [vscode.SymbolKind.Field]: "field",
  [vscode.SymbolKind.Property]: "property",
  [vscode.SymbolKind.Variable]: "variable",
  [vscode.SymbolKind.Module]: "module",
};

function kindOf(kind: vscode.SymbolKind): string {
  return KINDS[kind] ?? "function";
}

