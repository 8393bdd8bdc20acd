/** Tools that a language model can call; all of them only read. */

import * as vscode from "vscode";
import { KnowingError, type KnowingApi } from "../api";
import { blastText, contextText, itemsText, limited } from "./text";

const BUDGET = 6000;
const MOST_BUDGET = 15_000;

interface Tool<I> {
  saying: (input: I) => string;
  ask: (input: I, token: vscode.CancellationToken) => Promise<string>;
}

interface Rooted {
  root?: string;
}

function tools(api: KnowingApi): Record<string, Tool<never>> {
  const budget = (wanted?: number): number => Math.min(wanted ?? BUDGET, MOST_BUDGET);
  return {
    knowing_get_task_context: {
      saying: () => vscode.l10n.t("Looking for the code that matters"),
      ask: async (input: Rooted & { task: string; budget?: number }, token) =>
        contextText(await api.context({ task: input.task, budget: budget(input.budget), root: input.root }, token)),
    },
    knowing_get_change_context: {
      saying: () => vscode.l10n.t("Looking for what belongs with the changes"),
      ask: async (input: Rooted & { base?: string; budget?: number }, token) =>
        contextText(await api.contextForChanges({ base: input.base, budget: budget(input.budget), root: input.root }, token)),
    },
    knowing_get_blast_radius: {
      saying: (input: { symbol: string }) => vscode.l10n.t("Looking for who uses {0}", input.symbol),
      ask: async (input: Rooted & { symbol: string; depth?: number }, token) => blastText(await api.blastRadius(input, token)),
    },
    knowing_explain_score: {
      saying: (input: { symbol: string }) => vscode.l10n.t("Taking apart the score of {0}", input.symbol),
      ask: async (input: Rooted & { task: string; symbol: string }, token) => limited((await api.explain(input, token)).markdown),
    },
    knowing_find_symbol: {
      saying: (input: { query: string }) => vscode.l10n.t("Searching for {0}", input.query),
      ask: async (input: Rooted & { query: string; what?: "symbols" | "files" | "docs"; limit?: number }, token) =>
        itemsText(await api.search(input, token)),
    },
    knowing_get_index_status: {
      saying: () => vscode.l10n.t("Looking at the index"),
      ask: async (input: Rooted, token) => limited((await api.status(input, token)).markdown),
    },
  };
}

export function registerTools(api: KnowingApi): vscode.Disposable {
  const registered = Object.entries(tools(api)).map(([name, tool]) => vscode.lm.registerTool(name, toolOf(tool)));
  return vscode.Disposable.from(...registered);
}

function toolOf<I>(tool: Tool<I>): vscode.LanguageModelTool<I> {
  return {
    prepareInvocation: ({ input }) => ({ invocationMessage: tool.saying(input) }),
    invoke: async ({ input }, token) => {
      const text = await inWords(() => tool.ask(input, token));
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

/** Errors in words that a model can act on. */
async function inWords(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof KnowingError)) throw error;
    const candidates = error.candidates.length > 0 ? `; it can mean: ${error.candidates.join(", ")}` : "";
    throw new Error(`${error.message}${candidates}${error.hint ? ` (${error.hint})` : ""}`, { cause: error });
  }
}
