/** `@knowing` in the chat: answers from the index, and lets the chosen model answer with context. */

import * as vscode from "vscode";
import { KnowingError, type KnowingApi } from "../api";
import type { BlastAnswer, ContextAnswer } from "../protocol";
import { blastText, contextText, taskAndSymbol } from "./text";

const ID = "knowing.chat";
const SHOWN = 12;
const SHARE_OF_MODEL = 0.4;
const MOST_BUDGET = 12_000;

export function registerParticipant(api: KnowingApi): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(ID, async (request, _history, stream, token) => {
    try {
      await answer(api, request, stream, token);
    } catch (error) {
      if (!(error instanceof KnowingError)) throw error;
      stream.markdown(`${error.message}${error.hint ? ` (${error.hint})` : ""}`);
      for (const name of error.candidates) stream.markdown(`\n- \`${name}\``);
    }
    return {};
  });
  participant.iconPath = new vscode.ThemeIcon("symbol-structure");
  return participant;
}

async function answer(api: KnowingApi, request: vscode.ChatRequest, stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<void> {
  const prompt = request.prompt.trim();
  switch (request.command) {
    case "context":
      showContext(api, stream, await found(api, prompt, undefined, token));
      return;
    case "blast":
      return blast(api, prompt.replaceAll("`", ""), stream, token);
    case "why":
      return why(api, prompt, stream, token);
    default:
      return withModel(api, request, stream, token);
  }
}

function found(api: KnowingApi, task: string, budget: number | undefined, token: vscode.CancellationToken): Promise<ContextAnswer> {
  if (!task) throw new KnowingError(vscode.l10n.t("Say what you are working on."), "", "Usage");
  return api.context({ task, budget, root: api.folderFor()?.uri.toString() }, token);
}

/** The ranked list, each with a link and its first reason. */
function showContext(api: KnowingApi, stream: vscode.ChatResponseStream, context: ContextAnswer): void {
  if (context.symbols.length === 0) {
    stream.markdown(contextText(context));
    return;
  }
  for (const symbol of context.symbols.slice(0, SHOWN)) {
    stream.markdown(`${symbol.rank}. \`${symbol.name}\` `);
    anchor(api, stream, context.root, symbol.path, symbol.line);
    stream.markdown(`${symbol.why[0] ? `: ${symbol.why[0]}` : ""}\n`);
  }
  const more = context.symbols.length - SHOWN;
  if (more > 0) stream.markdown(`\n${vscode.l10n.t("and {0} more", more)}\n`);
  stream.button({ command: "knowing.askTask", title: vscode.l10n.t("Show in the Context View"), arguments: [context.task] });
}

async function blast(api: KnowingApi, symbol: string, stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<void> {
  const target = symbol ? { symbol } : atCursor();
  if (!target) throw new KnowingError(vscode.l10n.t("Name a symbol, or put the cursor on one."), "", "Usage");
  const affected: BlastAnswer = await api.blastRadius(target, token);
  stream.markdown(`\`\`\`text\n${blastText(affected)}\n\`\`\`\n`);
  for (const { path, line } of affected.direct.slice(0, SHOWN).map((item) => item.via)) {
    stream.reference(new vscode.Location(api.uriOf(affected.root, path), new vscode.Position(Math.max(0, line - 1), 0)));
  }
  stream.button({ command: "knowing.showBlastRadius", title: vscode.l10n.t("Show Blast Radius"), arguments: [{ symbol: affected.symbol.qualified_name, root: affected.root }] });
}

function atCursor(): { textDocument: { uri: string }; position: { line: number; character: number } } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { line, character } = editor.selection.active;
  return { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } };
}

async function why(api: KnowingApi, prompt: string, stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<void> {
  const { task, symbol } = taskAndSymbol(prompt);
  if (!task || !symbol) {
    throw new KnowingError(vscode.l10n.t("Write the task, and the symbol in backticks: /why add a login hook `App.before_request`"), "", "Usage");
  }
  const explained = await api.explain({ task, symbol }, token);
  stream.markdown(explained.markdown);
  stream.button({ command: "knowing.showExplanation", title: vscode.l10n.t("Show as Chart"), arguments: [{ task, symbol: explained.symbol }] });
}

/** Gives the model the code that matters, then the question. */
async function withModel(api: KnowingApi, request: vscode.ChatRequest, stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<void> {
  stream.progress(vscode.l10n.t("Looking for the code that matters"));
  const budget = Math.min(MOST_BUDGET, Math.floor(request.model.maxInputTokens * SHARE_OF_MODEL));
  const context = await found(api, request.prompt.trim(), budget, token);
  for (const symbol of context.symbols.slice(0, SHOWN)) {
    const at = new vscode.Position(Math.max(0, symbol.line - 1), 0);
    stream.reference(new vscode.Location(api.uriOf(context.root, symbol.path), at));
  }
  const messages = [
    vscode.LanguageModelChatMessage.User(
      "You answer questions about a code base. Below is its code that matters most for the question, ranked and cut to a budget. " +
        "Answer from it, name files and symbols, and say so if something you would need is not in it.\n\n" + contextText(context),
    ),
    vscode.LanguageModelChatMessage.User(request.prompt),
  ];
  const response = await request.model.sendRequest(messages, {}, token);
  for await (const part of response.text) stream.markdown(part);
}

function anchor(api: KnowingApi, stream: vscode.ChatResponseStream, root: string, path: string, line: number): void {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  stream.anchor(new vscode.Location(api.uriOf(root, path), at), `${path}:${line}`);
}
