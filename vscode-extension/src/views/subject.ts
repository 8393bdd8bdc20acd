/** What somebody asks about: the mode, the task and earlier ones, the editor, the base of a pull request. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import { baseBranches } from "./git";
import { remember, restored, type Asked } from "./model/history";
import type { ContextState, Mode } from "./model/messages";
import { aboutChanges, aboutPullRequest, aboutSelection, aboutTask, type Question } from "./question";
import { exampleTasks } from "./strings";

const HISTORY = "knowing.history";

export class Subject implements vscode.Disposable {
  mode: Mode = "task";
  private task = "";
  private base = "";
  private bases: string[] = [];
  private history: Asked[];
  private editor = vscode.window.activeTextEditor;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly api: KnowingApi,
  ) {
    this.history = restored(memory.get(HISTORY));
    // A page of ours that is in front has no text: the last file that was is meant.
    this.subscription = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.uri.scheme === "file") this.editor = editor;
    });
  }

  async setTask(task: string): Promise<Question> {
    this.mode = "task";
    this.task = task.trim();
    this.history = remember(this.history, this.task, Date.now());
    await this.memory.update(HISTORY, this.history);
    return aboutTask(this.api, this.task);
  }

  /** What another mode stands for; nothing if there is no task, or no editor. */
  async setMode(mode: Mode, base?: string): Promise<Question | undefined> {
    this.mode = mode;
    switch (mode) {
      case "task":
        return this.task ? aboutTask(this.api, this.task) : undefined;
      case "selection":
        return aboutSelection(this.api, this.editor);
      case "changes":
        return aboutChanges(this.api);
      case "pr":
        this.bases = await baseBranches(this.api.folderFor()?.uri);
        this.base = [base, this.base, this.bases[0]].find(Boolean) ?? "main";
        return aboutPullRequest(this.api, this.base);
    }
  }

  chooseBase(): Thenable<string | undefined> {
    return vscode.window.showInputBox({ prompt: vscode.l10n.t("A branch, tag or commit"), value: this.base });
  }

  state(): Pick<ContextState, "mode" | "task" | "base" | "bases" | "history" | "examples"> {
    const { mode, task, base, bases, history } = this;
    return { mode, task, base, bases, history, examples: exampleTasks() };
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
