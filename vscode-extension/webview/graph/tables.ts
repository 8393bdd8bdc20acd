/** The same graph as tables, by the number of steps: for reading, searching and screen readers. */

import { score } from "../../src/views/model/format";
import type { GraphLink, Neighbourhood, PlacedNode } from "../../src/views/model/graph";
import { originWord } from "../../src/views/model/origin";
import { h } from "../shared/dom";
import { plural, t } from "../shared/host";
import { kindIcon, link as linkTo } from "../shared/parts";

/** The link by which a node was reached: to something one step closer. */
function reached(node: PlacedNode, around: Neighbourhood): GraphLink | undefined {
  const distance = new Map(around.nodes.map((one) => [one.id, one.distance]));
  const closer = (id: string): boolean => (distance.get(id) ?? Infinity) < node.distance;
  return around.links.find((link) => (link.from === node.id && closer(link.to)) || (link.to === node.id && closer(link.from)));
}

function said(node: PlacedNode, around: Neighbourhood): { text: string; source: string } {
  const link = reached(node, around);
  if (!link) return { text: "", source: "" };
  const name = (id: string): string => around.nodes.find((one) => one.id === id)?.name ?? "";
  const word = link.kind.replace(/_/g, " ");
  const text = link.from === node.id ? `${word} ${name(link.to)}` : t("usedBy", word, name(link.from));
  return { text, source: `${originWord(link.origin)} ${score(link.confidence)}` };
}

function groups(around: Neighbourhood): [number, PlacedNode[]][] {
  const distances = [...new Set(around.nodes.map((node) => node.distance))].filter(Boolean).sort((a, b) => a - b);
  return distances.map((distance) => [distance, around.nodes.filter((node) => node.distance === distance)]);
}

export function tables(around: Neighbourhood, open: (node: PlacedNode) => void): HTMLElement {
  const centre = around.nodes.find((node) => node.id === around.centre)?.name ?? "";
  const sections = groups(around).map(([distance, nodes]) => {
    const rows = nodes.map((node) => {
      const { text, source } = said(node, around);
      const name = node.folded > 1 ? `${node.name} ×${node.folded}` : node.name;
      return h("tr", {}, h("td", { class: "symbol" }, kindIcon(node.test ? "test" : node.kind), linkTo(name, () => open(node))), h("td", {}, text), h("td", { class: "second" }, `${node.path}:${node.line}`), h("td", { class: "second" }, source));
    });
    const head = ["headSymbol", "headLink", "headFile", "headSource"] as const;
    return h(
      "section",
      {},
      h("h2", {}, plural(distance, "stepsFromOne", "stepsFrom", String(distance)).replace("{1}", centre), ` (${nodes.length})`),
      h("table", {}, h("thead", {}, h("tr", {}, ...head.map((key) => h("th", { scope: "col" }, t(key))))), h("tbody", {}, ...rows)),
    );
  });
  return h("div", { class: "tables" }, ...sections);
}

/** For the clipboard. */
export function listText(around: Neighbourhood): string {
  return groups(around)
    .flatMap(([distance, nodes]) => nodes.map((node) => [distance, node.name, node.kind, `${node.path}:${node.line}`, said(node, around).text].join("\t")))
    .join("\n");
}
