/** Small parts that several views have. */

import { h, type Child } from "./dom";

const KIND_ICONS: Readonly<Record<string, string>> = {
  module: "symbol-module", namespace: "symbol-namespace", class: "symbol-class", struct: "symbol-structure",
  interface: "symbol-interface", trait: "symbol-interface", enum: "symbol-enum", type: "symbol-class",
  function: "symbol-method", method: "symbol-method", constructor: "symbol-method",
  property: "symbol-property", field: "symbol-field", variable: "symbol-variable",
  constant: "symbol-constant", macro: "symbol-method", enum_member: "symbol-enum-member",
  doc_section: "book", route: "link", env_var: "symbol-key", process: "terminal", endpoint: "link",
  owner: "person", external: "package", test: "beaker",
}; // prettier-ignore

export function iconOf(kind: string): string {
  return KIND_ICONS[kind] ?? "symbol-misc";
}

/** A class that gives a kind its colour. */
export function toneOf(kind: string): string {
  if (kind === "test") return "tone-test";
  if (/^(class|struct|type|enum)$/.test(kind)) return "tone-class";
  if (/^(interface|trait)$/.test(kind)) return "tone-interface";
  if (/^(function|method|constructor|macro)$/.test(kind)) return "tone-method";
  if (/^(field|property|variable|constant|enum_member)$/.test(kind)) return "tone-field";
  return "tone-other";
}

/** An icon of the codicon font; what it says stands beside it, so it is hidden from readers. */
export function icon(name: string, tone = ""): HTMLElement {
  return h("span", { class: `codicon codicon-${name} ${tone}`.trim(), "aria-hidden": true });
}

export function kindIcon(kind: string): HTMLElement {
  return icon(iconOf(kind), toneOf(kind));
}

type Click = (event: MouseEvent) => void;

/** An icon that is pressed; its label is its name and its tooltip. */
export function tool(name: string, label: string, onclick: Click, more: Record<string, unknown> = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick, ...more }, icon(name));
}

export function button(label: string, onclick: Click, options: { icon?: string; primary?: boolean; title?: string; small?: boolean } = {}): HTMLButtonElement {
  const kind = `btn${options.primary ? " primary" : ""}${options.small ? " small" : ""}`;
  return h(
    "button",
    { type: "button", class: kind, onclick, title: options.title },
    options.icon ? icon(options.icon) : null,
    h("span", { class: "cut" }, label),
  );
}

export function link(label: string, onclick: Click, title?: string): HTMLButtonElement {
  return h("button", { type: "button", class: "link", onclick, title }, label);
}

export type NoteTone = "quiet" | "info" | "warning" | "error";

const NOTE_ICONS: Readonly<Record<NoteTone, string>> = { quiet: "check", info: "info", warning: "warning", error: "error" };

export function note(tone: NoteTone, children: Child[], symbol = NOTE_ICONS[tone]): HTMLElement {
  return h("div", { class: `note ${tone}` }, icon(symbol), h("div", {}, ...children));
}

/** The one polite live region of a page. */
export class Announcer {
  readonly element = h("div", { class: "sr", role: "status", "aria-live": "polite" });
  private odd = false;

  say(text: string): void {
    // The same text twice is two announcements only if it differs.
    this.odd = !this.odd;
    this.element.textContent = this.odd ? text : `${text}\u00a0`;
  }
}

/** A group of radio buttons that looks like VS Code's own. */
export function segmented<T extends string>(
  label: string,
  name: string,
  options: readonly { value: T; label: string; icon?: string }[],
  onchange: (value: T) => void,
): { element: HTMLElement; set: (value: T) => void } {
  const inputs = new Map<T, HTMLInputElement>();
  const labels = options.map((option) => {
    const input = h("input", { type: "radio", name, value: option.value, onchange: () => onchange(option.value) });
    inputs.set(option.value, input);
    return h("label", {}, input, h("span", {}, option.icon ? icon(option.icon) : null, h("span", { class: "cut" }, option.label)));
  });
  const element = h("div", { class: "seg", role: "radiogroup", "aria-label": label }, ...labels);
  return {
    element,
    set: (value) => inputs.forEach((input, key) => (input.checked = key === value)),
  };
}

export function checkbox(label: string, checked: boolean, onchange: (checked: boolean) => void, mark?: Node): HTMLLabelElement {
  const input = h("input", { type: "checkbox" });
  input.checked = checked;
  input.addEventListener("change", () => onchange(input.checked));
  return h("label", { class: "check" }, input, mark ?? null, label);
}

/** VS Code's thin line on top; it comes late, so that quick answers do not flicker. */
export class ProgressLine {
  readonly element = h("div", { class: "progress", hidden: true, "aria-hidden": true }, h("i"));
  private timer: number | undefined;

  set(busy: boolean): void {
    window.clearTimeout(this.timer);
    if (!busy) this.element.hidden = true;
    else this.timer = window.setTimeout(() => (this.element.hidden = false), 150);
  }
}
