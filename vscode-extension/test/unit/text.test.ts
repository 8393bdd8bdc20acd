import assert from "node:assert/strict";
import { blastText, contextText, limited, taskAndSymbol } from "../../src/chat/text";
import type { BlastAnswer, ContextAnswer, IndexState } from "../../src/protocol";

const index: IndexState = { state: "fresh", generation: 1, files: 1, symbols: 1, edges: 0, pending: 0, notes: [] };
const answer = (symbols: ContextAnswer["symbols"], more: Partial<ContextAnswer> = {}): ContextAnswer => ({
  task: "t", root: "/w", index, budget: { tokens: 100, used: 10, tokenizer: "estimate" }, left_out: 0, symbols,
  text: "TEXT", notes: [], markdown: "", ...more,
});

describe("text for a model", () => {
  it("says why nothing was found, and how current that is", () => {
    const stale: IndexState = { ...index, state: "indexing", pending: 3, notes: ["indexing: parsing 1 of 9 files"] };
    const text = contextText(answer([], { index: stale, notes: ["no symbol holds `stripe`"] }));
    assert.ok(text.includes("stripe") && text.includes("indexing") && text.includes("3 files pending"));
  });

  it("never leaves a zero without a reason", () => {
    const blast: BlastAnswer = {
      symbol: { name: "f", qualified_name: "a.py::f", kind: "function", path: "a.py", line: 1, end_line: 2, flags: [] },
      direct: [], transitive: [], tests: [], files: [], risk: { level: "low", score: 0.1, parts: [] },
      complete: false, reasons: ["called through a string: line 212"], possible: [], possible_count: 2, root: "/w", index, markdown: "",
    };
    const text = blastText(blast);
    assert.ok(text.includes("may be incomplete") && text.includes("line 212") && text.includes("2 further places"));
  });

  it("is cut where it is too long, and says so", () => {
    assert.ok(limited("x".repeat(100_000)).length < 61_000);
    assert.ok(limited("x".repeat(100_000)).includes("cut off"));
  });

  it("takes the symbol of /why from the backticks", () => {
    assert.deepEqual(taskAndSymbol("add a hook `App.run` please"), { task: "add a hook please", symbol: "App.run" });
    assert.deepEqual(taskAndSymbol("add a hook"), { task: "add a hook", symbol: "" });
  });
});
