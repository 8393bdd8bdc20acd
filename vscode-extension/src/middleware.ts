/** What happens between VS Code and the server: settings, switches, progress, commands of ours. */

import * as vscode from "vscode";
import type { Middleware, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from "vscode-languageclient/node";
import type { IndexingProgress } from "./api";
import { isOn, settingsFor } from "./settings";

export interface Hooks {
  manifest: Parameters<typeof settingsFor>[0];
  /** A command of the server that asks to be shown; whether it was. */
  show(command: string, argument: Record<string, unknown>): boolean;
  progress(token: string | number, value: IndexingProgress | undefined): void;
}

export function middlewareOf(hooks: Hooks): Middleware {
  return {
    ...switches(),
    executeCommand: (command, args: unknown[], next) => {
      const argument: unknown = args[0];
      if (isObject(argument) && argument.show === true && hooks.show(command, argument)) return undefined;
      return next(command, args) as vscode.ProviderResult<unknown>;
    },
    handleWorkDoneProgress: (token, params) => {
      hooks.progress(token, progressOf(params));
    },
    workspace: {
      configuration: (params) =>
        params.items.map(({ scopeUri }) =>
          settingsFor(hooks.manifest, scopeUri ? vscode.Uri.parse(scopeUri) : undefined),
        ),
    },
  };
}

/** Each feature can be switched off, without a restart. */
function switches(): Middleware {
  return {
    provideHover: (document, position, token, next) =>
      isOn("hover", document.uri) ? next(document, position, token) : undefined,
    provideCodeLenses: (document, token, next) =>
      isOn("codeLens", document.uri) ? next(document, token) : [],
    provideCodeActions: (document, range, context, token, next) =>
      isOn("codeActions", document.uri) ? next(document, range, context, token) : [],
    prepareCallHierarchy: (document, positions, token, next) =>
      isOn("callHierarchy", document.uri) ? next(document, positions, token) : undefined,
    provideDocumentSymbols: (document, token, next) =>
      isOn("outline", document.uri) ? next(document, token) : [],
    provideWorkspaceSymbols: (query, token, next) =>
      isOn("workspaceSymbols") ? next(query, token) : [],
  };
}

type Value = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** Reads "parsing 340 of 2788"; undefined once the work has ended. */
export function progressOf(value: Value): IndexingProgress | undefined {
  if (value.kind === "end") return undefined;
  const counted = /^(.*?)\s*(\d+) of (\d+)$/.exec(value.message ?? "");
  return {
    stage: counted?.[1] ?? value.message ?? "",
    done: Number(counted?.[2] ?? 0),
    total: Number(counted?.[3] ?? 0),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
