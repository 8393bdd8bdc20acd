/** Puts the parts together; each knows how to take itself away. */

import * as vscode from "vscode";
import { registerChat } from "./chat/register";
import { registerCommands, showInView } from "./commands/register";
import { Knowing } from "./knowing";
import { inBackground, log, messageOf } from "./log";
import { registerMcp } from "./mcp";
import { SECTION } from "./protocol";
import { pathsOf } from "./runtime";
import { Server } from "./server";
import { registerAlarm, registerStatus } from "./status";
import { registerViews, type Views } from "./views/index";

export function activate(context: vscode.ExtensionContext): void {
  try {
    compose(context);
  } catch (error) {
    // VS Code itself would only write it to a log that nobody looks at.
    log.error(error instanceof Error ? error : String(error));
    void vscode.window.showErrorMessage(vscode.l10n.t("Knowing cannot start: {0}", messageOf(error)));
    throw error;
  }
}

function compose(context: vscode.ExtensionContext): void {
  const paths = pathsOf(context);
  const manifest = context.extension.packageJSON as ConstructorParameters<typeof Server>[1]["manifest"];
  // The views ask through the server, and the server shows its commands in the views.
  const parts: { views?: Views; api?: Knowing } = {};
  const server = new Server(paths, {
    manifest,
    show: (command, argument) => parts.views !== undefined && showInView(parts.views, command, argument),
    progress: (token, value) => parts.api?.progressed(token, value),
  });
  const api = (parts.api = new Knowing(server));
  const views = (parts.views = registerViews(context, api));
  const restart = (): void => inBackground(api.restart(), "restart");
  context.subscriptions.push(
    log,
    server,
    api,
    registerStatus(api),
    registerAlarm(api),
    registerCommands({ api, views, server, paths }),
    registerChat(api),
    registerMcp(server, paths, context.extension.id),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.python.path`) || change.affectsConfiguration(`${SECTION}.trace`)) restart();
      if (change.affectsConfiguration(`${SECTION}.codeLens`)) server.refreshCodeLenses();
    }),
  );
  restart();
}
