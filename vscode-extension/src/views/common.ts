/** What every webview may ask for. */

import * as vscode from "vscode";
import type { TargetParams } from "../protocol";
import { ALLOWED_COMMANDS, type AllowedCommand, type CommonRequest } from "./model/messages";
import type { Opener } from "./opening";

export interface Common {
  opener: Opener;
  blast(target: TargetParams): Promise<void>;
  graph(target: TargetParams): Promise<void>;
  explain(task: string, symbol: string, root: string): Promise<void>;
}

/** `aside` is for pages in the editor area, which what they open is not to cover. */
export async function runCommon(request: CommonRequest, common: Common, root: string, task: string, aside = false): Promise<void> {
  switch (request.type) {
    case "open":
      return common.opener.open(root, request.place, request.aside ?? aside);
    case "peek":
      return common.opener.peek(root, request.place);
    case "blast":
      return common.blast({ symbol: request.symbol, root });
    case "graph":
      return common.graph({ symbol: request.symbol, root });
    case "explain":
      return common.explain(task, request.symbol, root);
    case "command":
      return run(request.command, request.argument);
    case "ready":
      return;
  }
}

/** Only what is listed is ever run for a page. */
async function run(command: AllowedCommand, argument = ""): Promise<void> {
  if (!ALLOWED_COMMANDS.includes(command)) return;
  if (command === "workbench.action.findInFiles") {
    await vscode.commands.executeCommand(command, { query: argument, triggerSearch: true });
  } else await vscode.commands.executeCommand(command);
}
