/**
 * Where nodes and links go. Levels are columns of their own width; dagre orders the nodes within
 * each column so that few links cross, and a few sweeps pull them towards what they are linked with.
 */

import { Graph, layout as dagre } from "@dagrejs/dagre";
import type { GraphLink, Neighbourhood, PlacedNode } from "../../src/views/model/graph";

export const HEIGHT = 21;
const PITCH = 26;
const GAP = 84;
const MARGIN = 24;
const HEAD = 28;
const SWEEPS = 6;

export interface Box {
  node: PlacedNode;
  x: number;
  y: number;
  width: number;
}

export interface Column {
  level: number;
  x: number;
  width: number;
}

export interface Layout {
  boxes: Map<string, Box>;
  columns: Column[];
  links: { link: GraphLink; path: string }[];
  width: number;
  height: number;
}

export function layout(around: Neighbourhood, measure: (node: PlacedNode) => number): Layout {
  const order = ordered(around);
  const columns: Column[] = [];
  const boxes = new Map<string, Box>();
  let x = MARGIN;
  for (const [level, nodes] of order) {
    const width = Math.max(...nodes.map(measure), 60);
    columns.push({ level, x, width });
    nodes.forEach((node, at) => {
      const own = measure(node);
      // Towards the centre, so that links are short.
      const shift = level < 0 ? width - own : level > 0 ? 0 : (width - own) / 2;
      boxes.set(node.id, { node, x: x + shift, y: at * PITCH, width: own });
    });
    x += width + GAP;
  }
  relax(order, boxes, around.links);
  const tops = [...boxes.values()].map((box) => box.y);
  const top = Math.min(...tops);
  for (const box of boxes.values()) box.y += HEAD - top;
  return {
    boxes,
    columns,
    links: around.links.flatMap((link) => {
      const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
      return from && to ? [{ link, path: curve(from, to) }] : [];
    }),
    width: x - GAP + MARGIN,
    height: Math.max(...tops) - top + HEAD + HEIGHT + MARGIN,
  };
}

/** Columns from left to right, each from top to bottom as dagre has it. */
function ordered(around: Neighbourhood): Map<number, PlacedNode[]> {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: PITCH - HEIGHT, ranksep: GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  const level = new Map(around.nodes.map((node) => [node.id, node.level]));
  for (const node of around.nodes) graph.setNode(node.id, { width: 120, height: HEIGHT });
  for (const { from, to } of around.links) {
    const step = (level.get(to) ?? 0) - (level.get(from) ?? 0);
    // Ranks become our levels: a link is as long as its levels are apart, always to the right.
    if (step > 0) graph.setEdge(from, to, { minlen: step });
    else if (step < 0) graph.setEdge(to, from, { minlen: -step });
  }
  dagre(graph);
  const height = (node: PlacedNode): number => (graph.node(node.id) as { y?: number } | undefined)?.y ?? 0;
  const levels = [...new Set(around.nodes.map((node) => node.level))].sort((a, b) => a - b);
  return new Map(
    levels.map((one) => [
      one,
      around.nodes.filter((node) => node.level === one).sort((a, b) => height(a) - height(b) || a.name.localeCompare(b.name)),
    ]),
  );
}

/** Moves each node towards the middle of its neighbours, in its order and never onto another. */
function relax(order: Map<number, PlacedNode[]>, boxes: Map<string, Box>, links: readonly GraphLink[]): void {
  const near = new Map<string, string[]>();
  for (const { from, to } of links) {
    near.set(from, [...(near.get(from) ?? []), to]);
    near.set(to, [...(near.get(to) ?? []), from]);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const columns = [...order.values()];
    for (const nodes of sweep % 2 ? columns.reverse() : columns) {
      const wanted = nodes.map((node) => {
        const others = (near.get(node.id) ?? []).filter((id) => boxes.get(id)?.node.level !== node.level);
        const own = boxes.get(node.id)?.y ?? 0;
        return others.length ? others.reduce((sum, id) => sum + (boxes.get(id)?.y ?? 0), 0) / others.length : own;
      });
      spread(wanted).forEach((y, at) => {
        const box = boxes.get(nodes[at]?.id ?? "");
        if (box) box.y = y;
      });
    }
  }
}

/** The places closest to those wanted that keep the order and the pitch (pool adjacent violators). */
export function spread(wanted: readonly number[], pitch = PITCH): number[] {
  const groups: { sum: number; count: number }[] = [];
  wanted.forEach((y, at) => {
    groups.push({ sum: y - at * pitch, count: 1 });
    for (;;) {
      const [last, before] = [groups[groups.length - 1], groups[groups.length - 2]];
      if (!last || !before || before.sum / before.count <= last.sum / last.count) break;
      groups.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  });
  return groups.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count)).map((base, at) => base + at * pitch);
}

/** From the right end of one box to the left end of another; round the side within a column. */
function curve(from: Box, to: Box): string {
  const [y1, y2] = [from.y + HEIGHT / 2, to.y + HEIGHT / 2];
  const step = to.node.level - from.node.level;
  if (step === 0) {
    const [x1, x2] = [from.x + from.width, to.x + to.width];
    const out = Math.max(x1, x2) + Math.min(60, 18 + Math.abs(y2 - y1) / 8);
    return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2 + 5} ${y2}`;
  }
  const [x1, x2] = step > 0 ? [from.x + from.width, to.x - 5] : [from.x, to.x + to.width + 5];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2) * Math.sign(step);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** The node that an arrow key leads to. */
export function neighbour(layout: Layout, links: readonly GraphLink[], id: string, key: string): string | undefined {
  const box = layout.boxes.get(id);
  if (!box) return undefined;
  const boxes = [...layout.boxes.values()];
  if (key === "ArrowUp" || key === "ArrowDown") {
    const down = key === "ArrowDown";
    const column = boxes.filter((other) => other.node.level === box.node.level && (down ? other.y > box.y : other.y < box.y));
    return column.sort((a, b) => Math.abs(a.y - box.y) - Math.abs(b.y - box.y))[0]?.node.id;
  }
  if (key !== "ArrowLeft" && key !== "ArrowRight") return undefined;
  const side = key === "ArrowRight" ? 1 : -1;
  const linked = new Set(links.flatMap((link) => (link.from === id ? [link.to] : link.to === id ? [link.from] : [])));
  const there = boxes.filter((other) => Math.sign(other.node.level - box.node.level) === side);
  const followed = there.filter((other) => linked.has(other.node.id));
  const far = (other: Box): number => Math.abs(other.node.level - box.node.level) * 1e5 + Math.abs(other.y - box.y);
  return (followed.length ? followed : there).sort((a, b) => far(a) - far(b))[0]?.node.id;
}
