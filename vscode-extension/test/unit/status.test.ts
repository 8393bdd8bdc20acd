import assert from "node:assert/strict";
import { progressOf } from "../../src/middleware";
import type { IndexChanged, IndexState } from "../../src/protocol";
import { shown } from "../../src/status";

const folder = (state: IndexState["state"], more: Partial<IndexState> = {}): IndexChanged => ({
  root: "/w",
  uri: "file:///w",
  name: "w",
  index: { state, generation: 1, files: 2788, symbols: 14_780, edges: 9, pending: 0, notes: [], ...more },
});

describe("status bar", () => {
  it("is calm when all is well", () => {
    const now = shown({ state: "running" }, undefined, [folder("fresh")], 1);
    assert.equal(now.text, "$(check) Knowing");
    assert.ok(now.tooltip.includes("2,788 files") && now.tooltip.includes("14,780 symbols"));
    assert.equal(now.bad, false);
  });

  it("does not claim to be ready before the index is known", () => {
    assert.equal(shown({ state: "running" }, undefined, [], 2).text, "$(sync~spin) Knowing");
    assert.equal(shown({ state: "running" }, undefined, [], 0).text, "$(check) Knowing");
  });

  it("counts files while they are read, and offers to cancel", () => {
    const now = shown({ state: "running" }, { stage: "parsing", done: 340, total: 2788 }, [folder("indexing")], 1);
    assert.equal(now.text, "$(sync~spin) Knowing 340/2,788");
    assert.ok(now.tooltip.includes("command:knowing.cancelIndexing"));
  });

  it("says when the index is behind in any folder", () => {
    const now = shown({ state: "running" }, undefined, [folder("fresh"), folder("stale", { pending: 3 })], 1);
    assert.equal(now.text, "$(warning) Knowing: behind");
    assert.ok(now.tooltip.includes("command:knowing.updateIndex"));
  });

  it("leads to a way out when the server cannot run", () => {
    const failed = shown({ state: "failed", detail: "it stopped" }, undefined, [], 1);
    assert.equal(failed.text, "$(error) Knowing: stopped");
    assert.ok(failed.bad && failed.tooltip.includes("it stopped") && failed.tooltip.includes("command:knowing.showLog"));
    assert.equal(shown({ state: "noPython" }, undefined, [], 1).command, "knowing.selectInterpreter");
  });
});

describe("progress", () => {
  it("is read from what the server reports", () => {
    assert.deepEqual(progressOf({ kind: "report", message: "parsing 340 of 2788" }), { stage: "parsing", done: 340, total: 2788 });
    assert.deepEqual(progressOf({ kind: "begin", title: "Indexing", message: "scanning" }), { stage: "scanning", done: 0, total: 0 });
    assert.equal(progressOf({ kind: "end" }), undefined);
  });
});
