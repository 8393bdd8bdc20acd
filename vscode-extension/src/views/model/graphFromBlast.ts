/** Links of a graph from a blast radius and from what a symbol calls. */

import type { Affected, BlastAnswer } from "../../protocol";
import type { GraphData, GraphLink, GraphNode } from "./graph";

/** One call that leaves a symbol. */
export interface Callee {
  from: string;
  name: string;
  kind: string;
  path: string;
  line: number;
}

export function nodeId(path: string, name: string): string {
  return `${path}::${name}`;
}

/** The users of a symbol, each linked with what it uses on the way to it. */
export function upward(answer: BlastAnswer): GraphData {
  const centre = answer.symbol.qualified_name;
  const nodes = new Map<string, GraphNode>();
  nodes.set(centre, { id: centre, name: answer.symbol.name, kind: answer.symbol.kind, path: answer.symbol.path, line: answer.symbol.line, test: false });
  const tests = new Set(answer.tests.map((item) => nodeId(item.path, item.name)));
  const items = [...answer.direct, ...answer.transitive, ...answer.tests].sort((a, b) => a.depth - b.depth);
  for (const item of items) {
    const id = nodeId(item.path, item.name);
    if (!nodes.has(id)) {
      nodes.set(id, { id, name: item.name, kind: item.kind, path: item.path, line: item.line, test: tests.has(id) });
    }
  }
  const links: GraphLink[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    const from = nodeId(item.path, item.name);
    const to = targetOf(item, items, answer);
    const key = `${from}\n${to}\n${item.via.edge}`;
    if (from === to || seen.has(key)) continue;
    seen.add(key);
    links.push({ from, to, kind: item.via.edge, origin: item.origin, confidence: item.confidence });
  }
  return { centre, nodes: [...nodes.values()], links, notes: [] };
}

/** An item names what it uses without its file: it is one step closer, and rather in the same file. */
function targetOf(item: Affected, items: readonly Affected[], answer: BlastAnswer): string {
  const centre = answer.symbol.qualified_name;
  if (item.depth <= 1 || item.target === undefined || item.target === answer.symbol.name) return centre;
  const closer = items.filter((other) => other.name === item.target && other.depth < item.depth);
  const best = closer.find((other) => other.path === item.path) ?? closer[closer.length - 1];
  return best ? nodeId(best.path, best.name) : centre;
}

/** Adds calls that leave symbols; what is there already keeps what is known of it. */
export function withCallees(data: GraphData, callees: readonly Callee[]): GraphData {
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const byPlace = new Map(data.nodes.map((node) => [`${node.path}:${node.line}`, node.id]));
  const links = [...data.links];
  const known = new Set(links.map((link) => `${link.from}\n${link.to}`));
  for (const callee of callees) {
    const place = `${callee.path}:${callee.line}`;
    const id = byPlace.get(place) ?? nodeId(callee.path, callee.name);
    if (!nodes.has(id)) {
      nodes.set(id, { id, name: callee.name, kind: callee.kind, path: callee.path, line: callee.line, test: false });
      byPlace.set(place, id);
    }
    const key = `${callee.from}\n${id}`;
    if (callee.from === id || known.has(key)) continue;
    known.add(key);
    links.push({ from: callee.from, to: id, kind: "calls", origin: "ast_resolved", confidence: 0.85 });
  }
  return { ...data, nodes: [...nodes.values()], links };
}
