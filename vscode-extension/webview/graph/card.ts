/** What is known of one node: beside it for the mouse, in a corner for the keyboard. */

import { score } from "../../src/views/model/format";
import type { Neighbourhood, PlacedNode } from "../../src/views/model/graph";
import { originWord } from "../../src/views/model/origin";
import { h, replace, styled } from "../shared/dom";
import { t } from "../shared/host";
import { kindIcon } from "../shared/parts";

const MOST_LINKS = 6;

export class Card {
  readonly element = h("div", { class: "popup card", hidden: true, "aria-hidden": true });

  show(node: PlacedNode, around: Neighbourhood, at: DOMRect | undefined, left: boolean): void {
    const own = around.links.filter((link) => link.from === node.id || link.to === node.id);
    const name = (id: string): string => around.nodes.find((one) => one.id === id)?.name ?? id;
    const rows = own.slice(0, MOST_LINKS).map((link) => {
      const word = link.kind.replace(/_/g, " ");
      const text = link.from === node.id ? `${word} ${name(link.to)}` : t("doesIt", name(link.from), word);
      return h("li", {}, h("span", { class: "cut" }, text), h("span", { class: "second digits" }, `${originWord(link.origin)} ${score(link.confidence)}`));
    });
    if (own.length > MOST_LINKS) rows.push(h("li", { class: "second" }, t("andMore", own.length - MOST_LINKS)));
    replace(
      this.element,
      h("strong", {}, kindIcon(node.test ? "test" : node.kind), h("span", { class: "cut" }, node.name)),
      h("p", { class: "second cut" }, `${node.path}:${node.line}`),
      h("ul", {}, ...rows),
      h("p", { class: "second keys" }, t("cardKeys")),
    );
    this.element.hidden = false;
    this.place(at, left);
  }

  private place(at: DOMRect | undefined, left: boolean): void {
    this.element.classList.toggle("docked", !at);
    if (!at) {
      styled(this.element, { left: left ? "12px" : "auto", right: left ? "auto" : "12px", top: "auto", bottom: "40px" });
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const x = Math.max(8, Math.min(at.left, window.innerWidth - width - 8));
    const below = at.bottom + 6 + height < window.innerHeight;
    styled(this.element, { left: `${x}px`, right: "auto", top: `${below ? at.bottom + 6 : Math.max(8, at.top - height - 6)}px`, bottom: "auto" });
  }

  hide(): boolean {
    const was = !this.element.hidden;
    this.element.hidden = true;
    return was;
  }
}
