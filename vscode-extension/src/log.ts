/** The log, and texts for people. */

import * as vscode from "vscode";

export const log: vscode.LogOutputChannel = vscode.window.createOutputChannel("Knowing", {
  log: true,
});

/** What went wrong, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A whole number as people write it. */
export function count(value: number): string {
  return value.toLocaleString(vscode.env.language);
}

/** Runs what nobody waits for; what goes wrong is logged. */
export function inBackground(work: PromiseLike<unknown>, what: string): void {
  Promise.resolve(work).catch((error: unknown) => {
    log.error(`${what}: ${messageOf(error)}`);
  });
}
