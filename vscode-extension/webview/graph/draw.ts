/** Nodes and links as SVG elements, which take the theme's colours and the keyboard's focus. */

import { shorten } from "../../src/views/model/format";
import { linkGroup, type Neighbourhood, type PlacedNode } from "../../src/views/model/graph";
import { s } from "../shared/dom";
import { plural, t } from "../shared/host";
import { toneOf } from "../shared/parts";
import { HEIGHT, layout, type Box, type Layout } from "./layout";

const MOST_LETTERS = 30;

/** Glyphs of the codicon font, as text in an SVG takes no class of it. */
const GLYPHS: Readonly<Record<string, string>> = {
  class: "\ueb5b", struct: "\uea91", interface: "\ueb61", trait: "\ueb61", enum: "\uea95", type: "\ueb5b",
  function: "\uea8c", method: "\uea8c", constructor: "\uea8c", macro: "\uea8c", property: "\ueb65", field: "\ueb5f",
  variable: "\uea88", constant: "\ueb5d", module: "\uea8b", namespace: "\uea8b", doc_section: "\ueaa4", test: "\uea79",
}; // prettier-ignore

export interface Drawing {
  svg: SVGSVGElement;
  layout: Layout;
  nodes: Map<string, SVGGElement>;
}

const pen = document.createElement("canvas").getContext("2d");

function textWidth(text: string, bold: boolean): number {
  if (!pen) return text.length * 7;
  const family = getComputedStyle(document.body).fontFamily || "sans-serif";
  pen.font = `${bold ? "600 " : ""}12px ${family}`;
  return pen.measureText(text).width;
}

function labelOf(node: PlacedNode): string {
  return shorten(node.name, MOST_LETTERS);
}

function extraOf(node: PlacedNode): string {
  if (node.folded > 1) return `×${node.folded}`;
  return node.hub ? `⋯${node.degree}` : "";
}

function widthOf(node: PlacedNode, centre: string): number {
  const extra = extraOf(node);
  return Math.ceil(textWidth(labelOf(node), node.id === centre) + (extra ? textWidth(extra, false) + 7 : 0) + 34);
}

export function draw(around: Neighbourhood): Drawing {
  const placed = layout(around, (node) => widthOf(node, around.centre));
  const svg = s("svg", { class: "graph", role: "group", "aria-label": t("graphLabel"), viewBox: `0 0 ${placed.width} ${placed.height}` });
  svg.append(markers());
  for (const column of placed.columns) {
    svg.append(s("text", { class: "column", x: column.x, y: 14, "aria-hidden": true }, levelText(column.level)));
  }
  const lines = s("g", { class: "links", "aria-hidden": true });
  for (const { link, path } of placed.links) {
    const own = link.from === around.centre || link.to === around.centre;
    const kind = linkGroup(link.kind);
    lines.append(s("path", { d: path, class: `link-${kind}${own ? " own" : ""}`, "data-from": link.from, "data-to": link.to, "marker-end": "url(#arrow)" }));
  }
  svg.append(lines);
  const nodes = new Map<string, SVGGElement>();
  for (const box of placed.boxes.values()) {
    const element = nodeElement(box, around);
    nodes.set(box.node.id, element);
    svg.append(element);
  }
  return { svg, layout: placed, nodes };
}

function markers(): SVGDefsElement {
  const arrow = s("path", { d: "M0 0L7 3L0 6z", fill: "context-stroke" });
  return s("defs", {}, s("marker", { id: "arrow", markerWidth: 7, markerHeight: 6, refX: 6, refY: 3, orient: "auto", markerUnits: "userSpaceOnUse" }, arrow));
}

export function levelText(level: number): string {
  if (level === 0) return t("sameLevel");
  const steps = Math.abs(level);
  return level < 0 ? plural(steps, "levelUpOne", "levelsUp", String(steps)) : plural(steps, "levelDownOne", "levelsDown", String(steps));
}

export function spokenNode(node: PlacedNode): string {
  const kind = node.test ? t("testFile") : node.kind.replace(/_/g, " ");
  const steps = node.distance === 0 ? t("theCentre") : plural(node.distance, "stepAwayOne", "stepsAway", String(node.distance));
  // What is seen comes first, also where it is shortened: so it can be said to a voice control.
  const seen = [labelOf(node), extraOf(node)].filter(Boolean).join(" ");
  return [seen, seen === node.name ? "" : node.name, kind, `${node.path}:${node.line}`, steps, plural(node.degree, "linksOne", "links", String(node.degree))].filter(Boolean).join(", ");
}

function nodeElement(box: Box, around: Neighbourhood): SVGGElement {
  const { node, x, y, width } = box;
  const kind = node.test ? "test" : node.kind;
  const extra = extraOf(node);
  const classes = ["node", node.id === around.centre && "centre", node.distance === 1 && "near", node.distance >= 3 && "distant", node.test && "test", node.hub && "hub"];
  const group = s("g", { class: classes.filter(Boolean).join(" "), role: "button", tabindex: "-1", "data-id": node.id, "aria-label": spokenNode(node), transform: `translate(${x} ${y})` });
  group.append(
    s("rect", { width, height: HEIGHT, rx: 4 }),
    s("text", { class: `glyph ${toneOf(kind)}`, x: 6, y: 15.5, "aria-hidden": true }, GLYPHS[kind] ?? "\ueb63"),
    s("text", { class: "label", x: 25, y: 15, "aria-hidden": true }, labelOf(node)),
  );
  if (extra) group.append(s("text", { class: "extra", x: width - 7, y: 14.5, "text-anchor": "end", "aria-hidden": true }, ` ${extra}`));
  return group;
}

/** Lights the links of a node and what they lead to; everything else steps back. */
export function light(drawing: Drawing, id: string | undefined): void {
  drawing.svg.classList.toggle("lit", id !== undefined);
  const near = new Set([id]);
  for (const path of Array.from(drawing.svg.querySelectorAll<SVGPathElement>(".links path"))) {
    const { from, to } = path.dataset;
    const on = id !== undefined && (from === id || to === id);
    path.classList.toggle("on", on);
    if (on) near.add(from).add(to);
  }
  drawing.nodes.forEach((element, key) => element.classList.toggle("on", near.has(key)));
}
