/** The graph around a symbol: columns of users and used, with the keyboard as with the mouse. */

import { LINK_GROUPS, MOST_STEPS, kindsIn, neighbourhood, type LinkGroup, type Neighbourhood, type PlacedNode } from "../../src/views/model/graph";
import { count } from "../../src/views/model/format";
import type { GraphMessage, GraphRequest, GraphState } from "../../src/views/model/messages";
import { h, replace, s, styled, type Child } from "../shared/dom";
import { connect, plural, t } from "../shared/host";
import { Announcer, ProgressLine, checkbox, kindIcon, note, segmented, tool } from "../shared/parts";
import { isPlain } from "../shared/roving";
import { Card } from "./card";
import { draw, light, type Drawing } from "./draw";
import { neighbour } from "./layout";
import { listText, tables } from "./tables";

type Shape = "graph" | "list";
const LEAST_ZOOM = 0.8;
const LINK_LABELS = { calls: "linkCalls", references: "linkReferences", inherits: "linkInherits", overrides: "linkOverrides", tests: "linkTests", decorates: "linkDecorates" } as const;

class GraphPage {
  private readonly host = connect<GraphRequest>((message: GraphMessage) => {
    if (message.type === "announce") this.announcer.say(message.text);
    else this.take(message.state);
  });
  private readonly announcer = new Announcer();
  private readonly progress = new ProgressLine();
  private readonly card = new Card();
  private readonly subject = h("div", { class: "subject" }, h("h1", {}, t("shapeGraph")));
  private readonly depth = h("input", { type: "range", min: 1, max: MOST_STEPS, step: 1, "aria-label": t("depth") });
  private readonly depthText = h("span", { class: "digits", "aria-hidden": true });
  private readonly shapes = segmented<Shape>(t("shape"), "shape", [{ value: "graph", label: t("shapeGraph"), icon: "type-hierarchy" }, { value: "list", label: t("shapeList"), icon: "list-tree" }], (shape) => this.setShape(shape));
  private readonly kinds = h("div", { class: "kinds", role: "group", "aria-label": t("linkKinds") });
  private readonly stage = h("div", { class: "stage" });
  private readonly foot = h("footer", { class: "second digits" });
  private state: GraphState | undefined;
  private around: Neighbourhood | undefined;
  private drawing: Drawing | undefined;
  private readonly off = new Set<LinkGroup>();
  private shape: Shape = "graph";
  private zoom = 1;
  private chosen = "";

  constructor() {
    const zoomTools = h("div", { class: "tools" }, tool("zoom-out", t("zoomOut"), () => this.setZoom(this.zoom / 1.2)), tool("zoom-in", t("zoomIn"), () => this.setZoom(this.zoom * 1.2)), tool("screen-full", t("zoomFit"), () => this.fit()), tool("copy", t("copyList"), () => this.around && this.host.send({ type: "copyList", text: listText(this.around) })));
    const bar = h("header", {}, this.subject, h("label", { class: "depth" }, t("depth"), this.depth, this.depthText), this.shapes.element, zoomTools);
    this.shapes.set("graph");
    this.depth.addEventListener("change", () => this.setDepth(Number(this.depth.value)));
    this.stage.addEventListener("keydown", (event) => this.onKey(event));
    this.stage.addEventListener("click", (event) => this.onClick(event));
    this.stage.addEventListener("pointerover", (event) => this.onPointer(event));
    this.stage.addEventListener("focusin", (event) => this.onFocus(event));
    this.stage.addEventListener("focusout", () => this.drawing && light(this.drawing, undefined));
    document.body.append(this.progress.element, h("main", { class: "graph-page" }, bar, this.kinds, this.stage, this.foot), this.card.element, this.announcer.element);
    this.host.send({ type: "ready" });
  }

  private take(state: GraphState): void {
    const before = this.state?.data?.centre;
    this.state = state;
    this.progress.set(state.phase === "loading");
    this.depth.value = String(state.depth);
    this.depthText.textContent = String(state.depth);
    styled(this.depth, { "--at": `${(100 * (state.depth - 1)) / (MOST_STEPS - 1)}%` });
    if (state.phase === "error") {
      replace(this.stage, note("error", [state.error]));
      return;
    }
    if (!state.data) return;
    if (state.data.centre !== before) this.chosen = state.data.centre;
    const hadFocus = this.stage.contains(document.activeElement);
    this.redraw(true);
    if (state.phase === "ready") {
      this.announcer.say(this.counts());
      if (hadFocus) this.focusNode(this.chosen);
    }
  }

  private redraw(fit: boolean): void {
    const { state } = this;
    if (!state?.data) return;
    this.card.hide();
    const kinds = new Set(LINK_GROUPS.filter((kind) => !this.off.has(kind)));
    this.around = neighbourhood(state.data, { depth: state.depth, kinds });
    const centre = this.around.nodes.find((node) => node.id === this.around?.centre);
    if (centre) replace(this.subject, kindIcon(centre.kind), h("h1", { class: "cut", title: centre.id }, centre.name), h("span", { class: "second cut" }, `${centre.path}:${centre.line}`));
    this.drawKinds(state.data);
    if (this.shape === "list") {
      replace(this.stage, tables(this.around, (node) => this.open(node)));
      this.drawing = undefined;
    } else {
      this.drawing = draw(this.around);
      replace(this.stage, this.drawing.svg);
      if (!this.drawing.nodes.has(this.chosen)) this.chosen = this.around.centre;
      this.drawing.nodes.get(this.chosen)?.setAttribute("tabindex", "0");
      if (fit) this.fit();
      else this.setZoom(this.zoom);
    }
    this.drawFoot();
  }

  private drawKinds(data: NonNullable<GraphState["data"]>): void {
    const present = kindsIn(data);
    const key = present.join();
    if (this.kinds.dataset.key === key) return;
    this.kinds.dataset.key = key;
    const boxes = present.map((kind) => {
      const mark = s("svg", { class: "mark", width: 26, height: 8, "aria-hidden": true }, s("path", { d: "M0 4H25", class: `link-${kind} own` }));
      return checkbox(t(LINK_LABELS[kind]), !this.off.has(kind), (on) => {
        if (on) this.off.delete(kind);
        else this.off.add(kind);
        this.redraw(false);
      }, mark); // prettier-ignore
    });
    replace(this.kinds, ...boxes, h("span", { class: "second hint" }, t("leftUsesRight")));
  }

  private counts(): string {
    const { around } = this;
    if (!around) return "";
    const nodes = around.symbols > around.nodes.length ? t("nodesFolded", count(around.nodes.length), count(around.symbols)) : plural(around.nodes.length, "nodesOne", "nodes", count(around.nodes.length));
    return `${nodes} · ${plural(around.links.length, "linksOne", "links", count(around.links.length))}`;
  }

  private drawFoot(): void {
    const { around } = this;
    if (!around) return;
    const parts: Child[] = [h("span", {}, this.shape === "graph" ? `${this.counts()} · ${Math.round(100 * this.zoom)} %` : this.counts())];
    if (around.more) parts.push(h("span", {}, t("andMoreAt", count(around.more.count), around.more.distance)));
    if (around.hubs) parts.push(h("span", {}, t("hubs")));
    const doubts = this.state?.data?.notes ?? [];
    if (doubts.length) parts.push(h("span", { title: doubts.join("\n") }, plural(doubts.length, "incompleteOne", "incomplete", count(doubts.length))));
    if (around.nodes.length === 1) parts.push(h("span", {}, t("graphAlone")));
    replace(this.foot, ...parts);
  }

  // -- doing -----------------------------------------------------------------------------------

  private setShape(shape: Shape): void {
    this.shape = shape;
    this.shapes.set(shape);
    this.redraw(true);
  }

  private setDepth(depth: number): void {
    if (depth !== this.state?.depth) this.host.send({ type: "depth", depth });
  }

  /** As large as it fits, but never so small that it cannot be read: then it scrolls. */
  private fit(): void {
    if (!this.drawing) return;
    const { width, height } = this.drawing.layout;
    this.setZoom(Math.min(1, Math.max(LEAST_ZOOM, Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height))));
    this.reveal(this.around?.centre ?? "", true);
  }

  private setZoom(zoom: number): void {
    if (!this.drawing) return;
    this.zoom = Math.min(2, Math.max(0.5, zoom));
    const { width, height } = this.drawing.layout;
    styled(this.drawing.svg, { width: `${width * this.zoom}px`, height: `${height * this.zoom}px` });
    this.drawFoot();
  }

  private reveal(id: string, middle = false): void {
    const box = this.drawing?.layout.boxes.get(id);
    if (!box) return;
    const [x, y] = [(box.x + box.width / 2) * this.zoom, box.y * this.zoom];
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.stage;
    const seen = x > scrollLeft + 80 && x < scrollLeft + clientWidth - 80 && y > scrollTop + 40 && y < scrollTop + clientHeight - 40;
    if (middle || !seen) this.stage.scrollTo({ left: x - clientWidth / 2, top: y - clientHeight / 2 });
  }

  private focusNode(id: string): void {
    const element = this.drawing?.nodes.get(id);
    if (!element) return;
    this.drawing?.nodes.get(this.chosen)?.setAttribute("tabindex", "-1");
    this.chosen = id;
    element.setAttribute("tabindex", "0");
    element.focus({ preventScroll: true });
    this.reveal(id);
  }

  private open(node: PlacedNode): void {
    this.host.send({ type: "open", place: node, aside: true });
  }

  private nodeAt(target: EventTarget | null): { element: Element; node: PlacedNode } | undefined {
    const element = target instanceof Element ? target.closest("[data-id]") : null;
    const node = element && this.around?.nodes.find((one) => one.id === element.getAttribute("data-id"));
    return element && node ? { element, node } : undefined;
  }

  private onClick(event: MouseEvent): void {
    const found = this.nodeAt(event.target);
    if (found) this.open(found.node);
  }

  private onPointer(event: PointerEvent): void {
    const { drawing, around } = this;
    if (!drawing || !around) return;
    const found = this.nodeAt(event.target);
    light(drawing, found?.node.id ?? (this.stage.contains(document.activeElement) ? this.chosen : undefined));
    if (found) this.card.show(found.node, around, found.element.getBoundingClientRect(), false);
    else this.card.hide();
  }

  private onFocus(event: FocusEvent): void {
    const found = this.nodeAt(event.target);
    if (!found || !this.drawing || !this.around || !found.element.matches(":focus-visible")) return;
    light(this.drawing, found.node.id);
    const right = found.element.getBoundingClientRect().left > window.innerWidth / 2;
    this.card.show(found.node, this.around, undefined, right);
  }

  private onKey(event: KeyboardEvent): void {
    const found = this.nodeAt(event.target);
    if (!found || !isPlain(event) || !this.drawing || !this.around) return;
    const { node } = found;
    const to = event.key === "Home" ? this.around.centre : neighbour(this.drawing.layout, this.around.links, node.id, event.key);
    if (to !== undefined) this.focusNode(to);
    else if (!this.runKey(event.key, node)) return;
    event.preventDefault();
  }

  private runKey(key: string, node: PlacedNode): boolean {
    const actions: Readonly<Record<string, () => unknown>> = {
      Enter: () => this.open(node),
      " ": () => (node.test ? this.open(node) : this.host.send({ type: "centre", symbol: node.id })),
      r: () => this.host.send({ type: "blast", symbol: node.id }),
      "+": () => this.setZoom(this.zoom * 1.2),
      "=": () => this.setZoom(this.zoom * 1.2),
      "-": () => this.setZoom(this.zoom / 1.2),
      "0": () => this.fit(),
      l: () => this.setShape("list"),
      Escape: () => this.card.hide(),
    };
    const depth = Number(key);
    if (depth >= 1 && depth <= MOST_STEPS) this.setDepth(depth);
    else if (actions[key.length === 1 ? key.toLowerCase() : key]) actions[key.length === 1 ? key.toLowerCase() : key]?.();
    else return false;
    return true;
  }
}

new GraphPage();
