/** Pins, bans and thumbs: told to the server, and kept here for as long as it does not keep them. */

import type * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { FeedbackParams } from "../protocol";
import type { Marked } from "./model/marks";
import type { Mark, Marks } from "./model/messages";

const KEY = "knowing.marks";

interface Stored {
  pinned: string[];
  banned: string[];
  thumbs: Record<string, number>;
}

/** What is told: the event in a word, beside what every server understands. */
interface MarkParams extends FeedbackParams {
  event: "pin" | "unpin" | "ban" | "unban" | "useful" | "not_useful" | "undo";
}

export interface MarkOutcome {
  /** The server keeps it, so its next answer is another one. */
  kept: boolean;
  reason: string;
}

export class MarkStore {
  private readonly pinned: Set<string>;
  private readonly banned: Set<string>;
  private readonly thumbs: Map<string, number>;
  private serverKeeps = false;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly api: KnowingApi,
  ) {
    const stored = memory.get<Partial<Stored>>(KEY) ?? {};
    this.pinned = new Set(stored.pinned ?? []);
    this.banned = new Set(stored.banned ?? []);
    this.thumbs = new Map(Object.entries(stored.thumbs ?? {}));
  }

  /** What is to be done here because the server does not. */
  marked(): Marked {
    return this.serverKeeps ? { pinned: new Set(), banned: new Set() } : { pinned: this.pinned, banned: this.banned };
  }

  get bannedCount(): number {
    return this.banned.size;
  }

  of(symbol: string): Marks {
    return { pinned: this.pinned.has(symbol), thumb: this.thumbs.get(symbol) ?? 0 };
  }

  all(): Record<string, Marks> {
    const ids = [...this.pinned, ...this.thumbs.keys()];
    return Object.fromEntries(ids.map((id) => [id, this.of(id)]));
  }

  /** Sets a mark, or takes it back if it is set. */
  async toggle(symbol: string, mark: Mark, task: string, root: string): Promise<MarkOutcome> {
    const event = this.change(symbol, mark);
    await this.save();
    return this.tell({ task, symbol, root, event, useful: usefulness(event) });
  }

  async unbanAll(task: string, root: string): Promise<void> {
    const symbols = [...this.banned];
    this.banned.clear();
    await this.save();
    for (const symbol of symbols) await this.tell({ task, symbol, root, event: "unban" });
  }

  private change(symbol: string, mark: Mark): MarkParams["event"] {
    if (mark === "pin") {
      if (this.pinned.delete(symbol)) return "unpin";
      this.pinned.add(symbol);
      this.banned.delete(symbol);
      return "pin";
    }
    if (mark === "ban") {
      if (this.banned.delete(symbol)) return "unban";
      this.banned.add(symbol);
      this.pinned.delete(symbol);
      return "ban";
    }
    const value = mark === "useful" ? 1 : -1;
    if (this.thumbs.get(symbol) === value) {
      this.thumbs.delete(symbol);
      return "undo";
    }
    this.thumbs.set(symbol, value);
    return value > 0 ? "useful" : "not_useful";
  }

  private async tell(params: MarkParams): Promise<MarkOutcome> {
    const { accepted, reason } = await this.api.feedback(params);
    this.serverKeeps = accepted;
    return { kept: accepted, reason };
  }

  private async save(): Promise<void> {
    const stored: Stored = { pinned: [...this.pinned], banned: [...this.banned], thumbs: Object.fromEntries(this.thumbs) };
    await this.memory.update(KEY, stored);
  }
}

function usefulness(event: MarkParams["event"]): boolean | undefined {
  if (event === "useful" || event === "pin") return true;
  return event === "not_useful" || event === "ban" ? false : undefined;
}
