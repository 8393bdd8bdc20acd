/**
 * Elements without a framework: the views are five small pages whose parts change seldom, and a
 * list that has to keep its focus while it is updated; `h` and `keyed` are all that takes.
 */

export type Child = Node | string | number | false | null | undefined;

interface Properties {
  class?: string;
  title?: string;
  hidden?: boolean;
  [attribute: string]: unknown;
}

type Handler = (event: never) => void;

function apply(element: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (typeof value === "function") {
      element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    } else if (typeof value === "boolean") {
      if (name.startsWith("aria-")) element.setAttribute(name, value ? "true" : "false");
      else element.toggleAttribute(name, value);
    } else element.setAttribute(name, `${value as string | number}`);
  }
}

export function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
}

/** An HTML element; functions among the properties are listeners, as in `onclick`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties & Record<`on${string}`, Handler | undefined> | Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, properties);
  append(element, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, properties);
  append(element, children);
  return element;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Inline styles set through the object model, which a strict policy allows. */
export function styled<E extends HTMLElement | SVGElement>(element: E, styles: Readonly<Record<string, string>>): E {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value);
  return element;
}

/**
 * Makes the children of an element those of a list, and keeps the elements of items that stay, so
 * that focus and scrolling survive.
 */
export function keyed<T>(
  parent: Element,
  items: readonly T[],
  key: (item: T) => string,
  create: (item: T) => HTMLElement,
  update: (element: HTMLElement, item: T) => void,
): void {
  const before = new Map<string, HTMLElement>();
  for (const child of Array.from(parent.children)) {
    if (child instanceof HTMLElement && child.dataset.key !== undefined) before.set(child.dataset.key, child);
  }
  let last: Element | null = null;
  for (const item of items) {
    const id = key(item);
    let element = before.get(id);
    if (element) before.delete(id);
    else {
      element = create(item);
      element.dataset.key = id;
    }
    update(element, item);
    const next: Element | null = last ? last.nextElementSibling : parent.firstElementChild;
    if (next !== element) parent.insertBefore(element, next);
    last = element;
  }
  for (const element of before.values()) element.remove();
}

let numbers = 0;

/** An id that is used once. */
export function uniqueId(prefix: string): string {
  numbers += 1;
  return `${prefix}-${numbers}`;
}
