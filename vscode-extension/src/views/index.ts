/** The views: what they offer to commands, chat and the status bar. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { ContextAnswer, TargetParams } from "../protocol";
import { AFFECTED_VIEW, AffectedTree } from "./affectedTree";
import type { Common } from "./common";
import { ContextController } from "./contextController";
import { ContextView } from "./contextView";
import { ExplainPanel } from "./explainPanel";
import { GraphPanel } from "./graphPanel";
import { ImpactController } from "./impactController";
import { IMPACT_VIEW, ImpactView } from "./impactView";
import { IndexedPanel } from "./indexedPanel";
import type { Mode } from "./model/messages";
import { Opener } from "./opening";
import { TestRunner } from "./testRunner";

export type ContextMode = Mode;

export interface Views {
  /** Shows the Context view; with a task or another mode than `task`, asks at once. */
  showTask(task?: string, mode?: ContextMode): Promise<void>;
  /** Context of some files (URIs or paths), in the Context view. */
  showFiles(files: readonly string[]): Promise<void>;
  showImpact(target: TargetParams): Promise<void>;
  showGraph(target: TargetParams): Promise<void>;
  showExplain(task: string, symbol: string): Promise<void>;
  showIndexed(): Promise<void>;
  currentContext(): ContextAnswer | undefined;
  setBudget(tokens: number): void;
  /** To the clipboard; with `onlyNew`, only what was not copied before in this chat. */
  copyContext(onlyNew?: boolean): Promise<void>;
  /** Fills the input of the chat. */
  openInChat(): Promise<void>;
  saveContext(): Promise<void>;
}

export function registerViews(context: vscode.ExtensionContext, api: KnowingApi): Views {
  const extension = context.extensionUri;
  const controller = new ContextController(context, api);
  const impact = new ImpactController(context.workspaceState, api);
  const runner = new TestRunner(api);

  const showImpact = async (target: TargetParams): Promise<void> => {
    await vscode.commands.executeCommand(`${IMPACT_VIEW}.focus`);
    await impact.show(target);
    await vscode.commands.executeCommand(`${AFFECTED_VIEW}.open`, { preserveFocus: true });
    await affected.reveal();
  };
  const common: Common = {
    opener: new Opener(api),
    blast: showImpact,
    graph: (target) => graph.show(target),
    explain: (task, symbol, root) => explain.show(task, symbol, root),
  };
  const runTests = async (): Promise<void> => {
    if (impact.current) await runner.run(impact.current);
  };
  const view = new ContextView(extension, controller, common);
  const summary = new ImpactView(extension, impact, common, runner);
  const affected = new AffectedTree(impact, api, { blast: showImpact, runTests });
  const graph = new GraphPanel(extension, api, common);
  const explain = new ExplainPanel(extension, api, common, {
    ask: async (task) => {
      await view.show("list");
      await controller.askTask(task);
    },
    mark: (symbol, mark) => controller.mark(symbol, mark),
    marksOf: (symbol) => controller.marksOf(symbol),
    placeOf: (symbol) => controller.state().rows.find((row) => row.id === symbol),
  });
  const { version } = context.extension.packageJSON as { version: string };
  const indexed = new IndexedPanel(extension, version, api, common);
  context.subscriptions.push(controller, impact, view, summary, affected, graph, explain, indexed);

  return {
    showTask: async (task, mode = "task") => {
      const asks = Boolean(task) || mode !== "task";
      await view.show(asks ? "list" : "task");
      if (mode !== "task") await controller.setMode(mode, task);
      else if (task) await controller.askTask(task);
    },
    showFiles: async (files) => {
      await view.show("list");
      await controller.askFiles(files);
    },
    showImpact,
    showGraph: (target) => graph.show(target),
    showExplain: (task, symbol) => explain.show(task, symbol),
    showIndexed: () => indexed.show(),
    currentContext: () => controller.current(),
    setBudget: (tokens) => controller.setBudget(tokens),
    copyContext: (onlyNew = false) => controller.hand(onlyNew ? "copyNew" : "copy"),
    openInChat: () => controller.hand("chat"),
    saveContext: () => controller.hand("save"),
  };
}
