/** Runs the tests that a change concerns, in a terminal, on demand only. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { BlastAnswer } from "../protocol";
import { testPlan, type TestCommand } from "./model/tests";

export class TestRunner {
  constructor(private readonly api: KnowingApi) {}

  async run(answer: BlastAnswer): Promise<void> {
    if (!answer.tests.length) {
      void vscode.window.showInformationMessage(vscode.l10n.t("No test is known to run {0}.", answer.symbol.name));
      return;
    }
    // To run a workspace's tests is to run its code.
    if (!vscode.workspace.isTrusted) {
      const manage = vscode.l10n.t("Manage trust");
      const chosen = await vscode.window.showWarningMessage(vscode.l10n.t("Tests run code of this workspace, which is not trusted."), manage);
      if (chosen === manage) await vscode.commands.executeCommand("workbench.trust.manage");
      return;
    }
    const plan = await testPlan(answer.tests, (path) => this.read(answer.root, path));
    for (const command of plan.commands) await this.start(answer.root, command);
    if (!plan.unknown.length) return;
    const open = vscode.l10n.t("Open Test Explorer");
    const message = vscode.l10n.t("No command is known for the tests in {0}.", plan.unknown.slice(0, 3).join(", "));
    if ((await vscode.window.showInformationMessage(message, open)) === open) {
      await vscode.commands.executeCommand("workbench.view.testing.focus");
    }
  }

  private async read(root: string, path: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.api.uriOf(root, path)));
    } catch {
      return undefined;
    }
  }

  /** A task quotes its arguments for whatever shell there is. */
  private async start(root: string, command: TestCommand): Promise<void> {
    const uri = this.api.uriOf(root, command.folder);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const args = command.args.map((value) => ({ value, quoting: vscode.ShellQuoting.Strong }));
    const task = new vscode.Task(
      { type: "knowing", runner: command.runner },
      folder ?? vscode.TaskScope.Workspace,
      vscode.l10n.t("{0}: {1} tests", command.runner, command.tests),
      "Knowing",
      new vscode.ShellExecution(command.program, args, { cwd: uri.fsPath }),
    );
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, clear: true };
    await vscode.tasks.executeTask(task);
  }
}
