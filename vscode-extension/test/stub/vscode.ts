/** The few parts of `vscode` that code under unit test touches; the rest is tested in the workbench. */

export const env = { language: "en" };

export const l10n = {
  t(message: string, ...values: unknown[]): string {
    return message.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
  },
};

export class CancellationError extends Error {}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

const silent = (): void => undefined;
const channel = { info: silent, warn: silent, error: silent, debug: silent, show: silent, dispose: silent };

export const window = { createOutputChannel: () => channel };

export const workspace = { isTrusted: true, workspaceFolders: [] };

export enum StatusBarAlignment {
  Left = 1,
  Right = 2,
}
