/** The keys of the list, on a card. */

import { h } from "../shared/dom";
import { t } from "../shared/host";
import { tool } from "../shared/parts";

export class KeysCard {
  readonly element = h("div", { class: "popup keys", role: "dialog", "aria-label": t("keys"), hidden: true });
  private back: HTMLElement | null = null;

  constructor() {
    const rows: readonly [string, string][] = [
      ["↑ ↓", t("keyMove")], ["Enter", t("keyOpen")], ["Space", t("keyPeek")], ["→ ←", t("keyButtons")],
      ["P", t("pin")], ["B", t("ban")], ["U", t("useful")], ["D", t("notUseful")],
      ["E", t("keyExplain")], ["R", t("keyBlast")], ["[ ]", t("budget")], ["Ctrl+Alt+C", t("copyContext")],
    ]; // prettier-ignore
    const list = rows.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]);
    const close = tool("close", t("close"), () => this.hide());
    this.element.append(h("div", { class: "line" }, h("strong", {}, t("keys")), close), h("dl", {}, ...list));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && event.key !== "?") return;
      event.preventDefault();
      event.stopPropagation();
      this.hide();
    });
  }

  show(): void {
    this.back = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.element.hidden = false;
    this.element.querySelector("button")?.focus();
  }

  private hide(): void {
    this.element.hidden = true;
    this.back?.focus();
  }
}
