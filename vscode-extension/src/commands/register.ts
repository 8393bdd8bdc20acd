/** Every command of the palette, and what the server's own commands show in VS Code. */

import * as vscode from "vscode";
import { KnowingError } from "../api";
import { log, messageOf } from "../log";
import type { TargetParams } from "../protocol";
import type { Views } from "../views/index";
import { contextCommands } from "./context";
import { Documents } from "./documents";
import { maintenanceCommands, type Parts } from "./maintenance";
import { symbolCommands, type Asking } from "./symbols";

export function registerCommands(parts: Omit<Parts, "documents"> & { api: Asking }): vscode.Disposable {
  const documents = new Documents();
  const { api, views } = parts;
  const commands = {
    ...contextCommands(api, views),
    ...symbolCommands(api, views),
    ...maintenanceCommands({ ...parts, documents }),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`knowing.${name}`, guarded(name, run as (...args: unknown[]) => unknown)),
  );
  return vscode.Disposable.from(documents, ...registered);
}

/** Tells the user what went wrong, and what to do about it. */
function guarded(name: string, run: (...args: unknown[]) => unknown): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      if (error instanceof vscode.CancellationError) return undefined;
      log.error(`${name}: ${messageOf(error)}`);
      await tell(error);
      return undefined;
    }
  };
}

async function tell(error: unknown): Promise<void> {
  const hint = error instanceof KnowingError && error.hint ? ` (${error.hint})` : "";
  const openLog = vscode.l10n.t("Show Log");
  const down = error instanceof KnowingError && error.kind === "ServerDown";
  const restart = vscode.l10n.t("Restart Server");
  const buttons = down ? [restart, openLog] : [openLog];
  const chosen = await vscode.window.showErrorMessage(`${messageOf(error)}${hint}`, ...buttons);
  if (chosen === openLog) log.show(true);
  else if (chosen === restart) await vscode.commands.executeCommand("knowing.restartServer");
}

/** Code lenses and code actions of the server ask to be shown: here that is a view. */
export function showInView(views: Views, command: string, argument: Record<string, unknown>): boolean {
  const target = argument as TargetParams;
  switch (command) {
    case "knowing.blastRadius":
      void views.showImpact(target);
      return true;
    case "knowing.relatedSymbols":
      void vscode.commands.executeCommand("knowing.showRelated", target);
      return true;
    case "knowing.contextForSelection":
      void views.showTask(undefined, "selection");
      return true;
    case "knowing.contextForChanges":
      void views.showTask(undefined, "changes");
      return true;
    case "knowing.contextForTask":
      void views.showTask(typeof argument.task === "string" ? argument.task : undefined, "task");
      return true;
    case "knowing.status":
      void views.showIndexed();
      return true;
    default:
      return false;
  }
}
