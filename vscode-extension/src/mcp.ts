/** Offers `knowing mcp` to VS Code, one for each folder, on the same index as the server's. */

import * as vscode from "vscode";
import { SECTION } from "./protocol";
import { programOf, type Paths } from "./runtime";
import type { Server } from "./server";

const PROVIDER = "knowing.mcp";

export function registerMcp(server: Server, paths: Paths, extension: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const version = vscode.extensions.getExtension<unknown>(extension)?.packageJSON as { version?: string } | undefined;
  const provider = vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => definitions(server, paths, version?.version),
  });
  return vscode.Disposable.from(
    changed,
    provider,
    server.onReport(({ state }) => {
      if (state === "running" || state === "noPython") changed.fire();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.mcp`)) changed.fire();
    }),
  );
}

function definitions(server: Server, paths: Paths, version: string | undefined): vscode.McpStdioServerDefinition[] {
  const { interpreter } = server;
  const wanted = vscode.workspace.getConfiguration(SECTION).get<boolean>("mcp.enabled", true);
  // An agent acts on what it is told, so code that is not trusted is not offered to it.
  if (!interpreter || !wanted || !vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.map((folder) => {
    const program = programOf(interpreter, paths, ["knowing", "mcp", "--root", folder.uri.fsPath]);
    const label = folders.length > 1 ? `Knowing (${folder.name})` : "Knowing";
    const found = new vscode.McpStdioServerDefinition(label, program.command, program.args, {}, version);
    found.cwd = vscode.Uri.file(program.cwd);
    return found;
  });
}
