/**
 * The block that goes to a chat, where the server's own text does not fit: when symbols are banned
 * here, or when only what was not copied before is wanted.
 */

import type { ContextAnswer, ContextSymbol } from "../../protocol";
import { count } from "./format";

const LANGUAGES: Readonly<Record<string, string>> = {
  py: "python", pyi: "python", ts: "typescript", tsx: "tsx", js: "javascript", jsx: "jsx",
  mjs: "javascript", cjs: "javascript", go: "go", rs: "rust", java: "java", kt: "kotlin",
  rb: "ruby", php: "php", cs: "csharp", c: "c", h: "c", cc: "cpp", cpp: "cpp", hpp: "cpp",
  scala: "scala", md: "markdown", rst: "rst",
}; // prettier-ignore

/** The word after a fence; none for what is not known. */
export function fenceLanguage(path: string): string {
  return LANGUAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "";
}

/** A fence that is longer than any in the text. */
export function fenceFor(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`{3,}/g)].map((found) => found[0].length));
  return "`".repeat(Math.max(3, longest + 1));
}

export interface ComposeTexts {
  title: string;
  summary: (symbols: number, tokens: string, leftOut: number) => string;
  alsoRelevant: string;
}

/** Each file once, the one with the best symbol first, in the order of its lines. */
export function compose(task: string, symbols: readonly ContextSymbol[], leftOut: number, texts: ComposeTexts): string {
  const shown = symbols.filter((symbol) => symbol.detail !== "name" && symbol.text);
  const named = symbols.filter((symbol) => symbol.detail === "name" || !symbol.text);
  const tokens = symbols.reduce((sum, symbol) => sum + symbol.tokens, 0);
  const blocks = [`# ${texts.title}: ${task}`, `> ${texts.summary(symbols.length, count(tokens), leftOut)}`];
  for (const [path, here] of byFile(shown)) {
    const body = [...here].sort((a, b) => a.line - b.line).map((symbol) => symbol.text).join("\n\n");
    const fence = fenceFor(body);
    blocks.push(`## ${path}`, `${fence}${fenceLanguage(path)}\n${body}\n${fence}`);
  }
  if (named.length) {
    const list = named.map((symbol) => `- ${symbol.name} (${symbol.path}:${symbol.line})`);
    blocks.push(`## ${texts.alsoRelevant}`, list.join("\n"));
  }
  return `${blocks.join("\n\n")}\n`;
}

function byFile(symbols: readonly ContextSymbol[]): Map<string, ContextSymbol[]> {
  const files = new Map<string, ContextSymbol[]>();
  for (const symbol of [...symbols].sort((a, b) => a.rank - b.rank)) {
    files.set(symbol.path, [...(files.get(symbol.path) ?? []), symbol]);
  }
  return files;
}

const ORDER = { name: 0, signature: 1, body: 2 } as const;

/** What one chat has been given: the most that was told of each symbol. */
export class Given {
  private readonly told = new Map<string, { detail: ContextSymbol["detail"]; text: string }>();

  get size(): number {
    return this.told.size;
  }

  /** The symbols of an answer that are new, are told in more detail, or have changed since. */
  fresh(answer: ContextAnswer): ContextSymbol[] {
    return answer.symbols.filter((symbol) => {
      const before = this.told.get(symbol.qualified_name);
      if (!before || ORDER[symbol.detail] > ORDER[before.detail]) return true;
      return before.detail === symbol.detail && before.text !== symbol.text;
    });
  }

  add(symbols: readonly ContextSymbol[]): void {
    for (const { qualified_name: id, detail, text } of symbols) {
      const before = this.told.get(id);
      if (!before || ORDER[detail] >= ORDER[before.detail]) this.told.set(id, { detail, text });
    }
  }

  clear(): void {
    this.told.clear();
  }
}
