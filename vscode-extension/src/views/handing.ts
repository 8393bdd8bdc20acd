/** Hands context on: to the clipboard, to the chat, to a file; and knows what a chat has been given. */

import * as vscode from "vscode";
import type { ContextAnswer, ContextSymbol } from "../protocol";
import { Given, compose, type ComposeTexts } from "./model/compose";
import { count } from "./model/format";

export type HandOver = "copy" | "copyNew" | "chat" | "save";

export class Handing {
  readonly given = new Given();

  /** What happened, in words; nothing if nothing did. */
  async run(how: HandOver, answer: ContextAnswer | undefined): Promise<string | undefined> {
    if (!answer) {
      void vscode.window.showInformationMessage(vscode.l10n.t("Ask for context first: describe a task in the Knowing view."));
      return undefined;
    }
    const done = how === "chat" ? await this.chat(answer) : how === "save" ? await this.save(answer) : await this.copy(answer, how === "copyNew");
    if (done) vscode.window.setStatusBarMessage(`$(check) ${done}`, 4000);
    return done;
  }

  /** The whole block, or only what this chat has not been given. Returns what happened, in words. */
  async copy(answer: ContextAnswer, onlyNew: boolean): Promise<string> {
    const symbols = onlyNew ? this.given.fresh(answer) : answer.symbols;
    if (!symbols.length) return vscode.l10n.t("Nothing new to copy: this chat has been given all of it.");
    await vscode.env.clipboard.writeText(onlyNew ? this.only(answer, symbols) : this.text(answer));
    this.given.add(symbols);
    const tokens = onlyNew ? symbols.reduce((sum, symbol) => sum + symbol.tokens, 0) : answer.budget.used;
    return symbols.length === 1
      ? vscode.l10n.t("Copied: 1 symbol, {0} tokens", count(tokens))
      : vscode.l10n.t("Copied: {0} symbols, {1} tokens", count(symbols.length), count(tokens));
  }

  /** Fills the input of the chat; where there is none, the clipboard holds it. */
  async chat(answer: ContextAnswer): Promise<string> {
    const fresh = this.given.size ? this.given.fresh(answer) : answer.symbols;
    const query = fresh.length && fresh.length < answer.symbols.length ? this.only(answer, fresh) : this.text(answer);
    try {
      await vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
    } catch {
      await vscode.env.clipboard.writeText(query);
      return vscode.l10n.t("There is no chat here. The context is on the clipboard.");
    }
    this.given.add(answer.symbols);
    return vscode.l10n.t("The chat has the context. Add your question and send it.");
  }

  async save(answer: ContextAnswer): Promise<string | undefined> {
    const folder = vscode.Uri.file(answer.root);
    const slug = answer.task.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 48);
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folder, `${slug || "context"}.md`),
      filters: { Markdown: ["md"] },
      title: vscode.l10n.t("Save context"),
    });
    if (!target) return undefined;
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(this.text(answer)));
    await vscode.window.showTextDocument(target, { preview: true });
    return vscode.l10n.t("Saved: {0}", vscode.workspace.asRelativePath(target));
  }

  /** The server's block; composed here if pins or bans have made it another one. */
  text(answer: ContextAnswer): string {
    if (answer.text || !answer.symbols.length) return answer.text;
    return compose(answer.task, answer.symbols, answer.left_out, texts(vscode.l10n.t("Context")));
  }

  private only(answer: ContextAnswer, symbols: readonly ContextSymbol[]): string {
    return compose(answer.task, symbols, answer.left_out, texts(vscode.l10n.t("More context")));
  }
}

function texts(title: string): ComposeTexts {
  return {
    title,
    summary: (symbols, tokens, leftOut) => vscode.l10n.t("{0} symbols, {1} tokens, {2} ranked symbols left out", symbols, tokens, leftOut),
    alsoRelevant: vscode.l10n.t("Also relevant"),
  };
}
