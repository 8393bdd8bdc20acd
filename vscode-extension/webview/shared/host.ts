/** The other side of a webview: typed messages both ways, state that survives hiding, and texts. */

import { fill } from "../../src/views/model/format";
import type { Strings } from "../../src/views/strings";

interface VsCode {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();

export interface Host<Request> {
  send(request: Request): void;
}

/** Begins to listen, and tells the host that somebody does. */
export function connect<Request>(receive: (message: never) => void): Host<Request> {
  window.addEventListener("message", (event) => receive(event.data as never));
  return { send: (request) => vscode.postMessage(request) };
}

/** What a webview keeps of itself while it is hidden. */
export function kept<T>(fallback: T): T {
  const state = vscode.getState();
  return state && typeof state === "object" ? { ...fallback, ...state } : fallback;
}

export function keep(state: unknown): void {
  vscode.setState(state);
}

const texts = JSON.parse(document.getElementById("strings")?.textContent ?? "{}") as Partial<Strings>;

/** A text in the user's language; one that is missing shows its name rather than nothing. */
export function t(key: keyof Strings, ...values: (string | number)[]): string {
  return fill(texts[key] ?? key, ...values);
}

/** The form for one thing or for several. */
export function plural(amount: number, one: keyof Strings, many: keyof Strings, shown: string): string {
  return t(amount === 1 ? one : many, shown);
}
