/**
 * The neighbourhood of a symbol, arranged in columns: the left one uses the right one.
 *
 * A node's level is how many links it is up (negative) or down from the centre on the way it was
 * first reached; its distance is how many links that way has.
 */

import { baseName } from "./format";

export interface GraphNode {
  id: string;
  name: string;
  kind: string;
  path: string;
  line: number;
  test: boolean;
}

export interface GraphLink {
  from: string;
  to: string;
  kind: string;
  origin: string;
  confidence: number;
}

/** What is known around a symbol. */
export interface GraphData {
  centre: string;
  nodes: GraphNode[];
  links: GraphLink[];
  /** What stands in the way of more. */
  notes: string[];
}

export interface PlacedNode extends GraphNode {
  level: number;
  distance: number;
  /** Symbols that are folded into it. */
  folded: number;
  /** All of its links, also those that are not shown. */
  degree: number;
  /** So many links that they are not followed. */
  hub: boolean;
}

export interface Neighbourhood {
  centre: string;
  nodes: PlacedNode[];
  links: GraphLink[];
  symbols: number;
  /** Nodes beyond the cap, by the distance at which they begin. */
  more: { count: number; distance: number } | undefined;
  hubs: number;
}

export interface Extent {
  depth: number;
  kinds: ReadonlySet<string>;
  cap?: number;
  hub?: number;
}

export const CAP = 150;
export const HUB = 30;
export const MOST_STEPS = 4;

/** Edge kinds that people tell apart; all others are shown as references. */
export const LINK_GROUPS = ["calls", "references", "inherits", "overrides", "tests", "decorates"] as const;
export type LinkGroup = (typeof LINK_GROUPS)[number];

const GROUP_OF: Readonly<Record<string, LinkGroup>> = {
  calls: "calls",
  handles_route: "calls",
  extends: "inherits",
  implements: "inherits",
  inherits: "inherits",
  overrides: "overrides",
  tests: "tests",
  co_tested_with: "tests",
  decorates: "decorates",
};

export function linkGroup(kind: string): LinkGroup {
  return GROUP_OF[kind] ?? "references";
}

function foldedId(node: GraphNode): string {
  return node.test ? `tests:${node.path}` : node.id;
}

/** Tests of one file as one node, and links between what is left, each once. */
export function fold(data: GraphData): { nodes: Map<string, GraphNode & { folded: number }>; links: GraphLink[] } {
  const nodes = new Map<string, GraphNode & { folded: number }>();
  const ids = new Map<string, string>();
  for (const node of data.nodes) {
    const id = node.id === data.centre ? node.id : foldedId(node);
    ids.set(node.id, id);
    const before = nodes.get(id);
    if (before) {
      before.folded += 1;
      before.name = baseName(node.path);
    } else nodes.set(id, { ...node, id, folded: 1 });
  }
  const links = new Map<string, GraphLink>();
  for (const link of data.links) {
    const from = ids.get(link.from);
    const to = ids.get(link.to);
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from}\n${to}\n${linkGroup(link.kind)}`;
    const before = links.get(key);
    if (!before || before.confidence < link.confidence) links.set(key, { ...link, from, to });
  }
  return { nodes, links: [...links.values()] };
}

/** The nodes within some steps of the centre, closest first, and the links among them. */
export function neighbourhood(data: GraphData, extent: Extent): Neighbourhood {
  const { nodes, links } = fold(data);
  const shown = links.filter((link) => extent.kinds.has(linkGroup(link.kind)));
  const around = new Map<string, GraphLink[]>();
  for (const link of shown) {
    for (const end of [link.from, link.to]) around.set(end, [...(around.get(end) ?? []), link]);
  }
  const degree = (id: string): number => around.get(id)?.length ?? 0;
  const most = extent.hub ?? HUB;
  const walked = walk(data.centre, around, extent.depth, (id) => degree(id) > most, (id) => nodes.has(id));
  const cap = extent.cap ?? CAP;
  const kept = new Map([...walked].slice(0, cap));
  const beyond = [...walked.values()][cap];
  const chosen = [...kept].flatMap(([id, place]): PlacedNode[] => {
    const node = nodes.get(id);
    return node ? [{ ...node, ...place, degree: degree(id), hub: id !== data.centre && degree(id) > most }] : [];
  });
  return {
    centre: data.centre,
    nodes: chosen,
    links: shown.filter((link) => kept.has(link.from) && kept.has(link.to)),
    symbols: chosen.reduce((sum, node) => sum + node.folded, 0),
    more: beyond && { count: walked.size - cap, distance: beyond.distance },
    hubs: chosen.filter((node) => node.hub).length,
  };
}

interface Spot {
  level: number;
  distance: number;
}

/** Breadth first from the centre, so that each node is reached on a shortest way; not through hubs. */
function walk(
  centre: string,
  around: ReadonlyMap<string, readonly GraphLink[]>,
  depth: number,
  isHub: (id: string) => boolean,
  isKnown: (id: string) => boolean,
): Map<string, Spot> {
  const placed = new Map<string, Spot>([[centre, { level: 0, distance: 0 }]]);
  // What is added while a map is walked is walked as well, in the order in which it came.
  for (const [id, here] of placed) {
    if (here.distance >= depth || (id !== centre && isHub(id))) continue;
    for (const link of around.get(id) ?? []) {
      const other = link.from === id ? link.to : link.from;
      if (placed.has(other) || !isKnown(other)) continue;
      placed.set(other, { level: here.level + (link.from === id ? 1 : -1), distance: here.distance + 1 });
    }
  }
  return placed;
}

/** Kinds of links that occur, in a fixed order. */
export function kindsIn(data: GraphData): LinkGroup[] {
  const found = new Set(data.links.map((link) => linkGroup(link.kind)));
  return LINK_GROUPS.filter((kind) => found.has(kind));
}
