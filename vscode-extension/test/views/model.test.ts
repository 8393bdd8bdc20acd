import assert from "node:assert/strict";
import type { Affected, BlastAnswer, ContextAnswer, ContextSymbol, StatusAnswer } from "../../src/protocol";
import { Given, compose, fenceFor } from "../../src/views/model/compose";
import { isLearned, liftsIn, niceTicks, shortName, waterfall } from "../../src/views/model/explain";
import { age, bytes, count, fill, score, shorten, signed } from "../../src/views/model/format";
import { remember, restored } from "../../src/views/model/history";
import { DEFAULT_FILTER, counts, placeIn, reason, tree } from "../../src/views/model/impact";
import { leftOut, shares, skipGroups } from "../../src/views/model/indexed";
import { applyMarks } from "../../src/views/model/marks";
import { confidenceBadge, originGroup, originWord } from "../../src/views/model/origin";
import { MOST, STEPS, boundary, changes, clampBudget, mergeRows, nearestStep, packOf, rowOf, segments, stepFrom, summarize } from "../../src/views/model/packing";
import { testPlan } from "../../src/views/model/tests";

const INDEX = { state: "fresh", generation: 1, files: 1, symbols: 3, edges: 0, pending: 0, notes: [] } as const;

function symbol(rank: number, more: Partial<ContextSymbol> = {}): ContextSymbol {
  return {
    rank, name: `f${rank}`, qualified_name: `a.py::f${rank}`, kind: "function", path: "a.py", line: rank * 10, end_line: rank * 10 + 5,
    score: 1 / rank, origin: "structural", confidence: 1, why: ["because"], detail: "body", tokens: 100, text: `def f${rank}(): ...`, ...more,
  }; // prettier-ignore
}

function answer(tokens: number, symbols: ContextSymbol[], leftOut = 0): ContextAnswer {
  const used = Math.min(tokens, symbols.reduce((sum, one) => sum + one.tokens, 0));
  return { task: "t", root: "/r", index: { ...INDEX, notes: [] }, budget: { tokens, used, tokenizer: "x" }, left_out: leftOut, symbols, text: "server text", notes: [], markdown: "" };
}

function affected(name: string, depth: number, more: Partial<Affected> = {}): Affected {
  return { name, kind: "function", path: "a.py", line: 1, depth, confidence: 0.85, origin: "ast_resolved", via: { edge: "calls", path: "a.py", line: 2 }, target: "x", ...more };
}

function blast(more: Partial<BlastAnswer> = {}): BlastAnswer {
  return {
    symbol: { name: "x", qualified_name: "a.py::x", kind: "function", path: "a.py", line: 1, end_line: 2, flags: [] },
    direct: [], transitive: [], tests: [], files: ["a.py"], risk: { level: "low", score: 0.1, parts: [] },
    complete: true, reasons: [], possible: [], possible_count: 0, root: "/r", index: { ...INDEX, notes: [] }, markdown: "", ...more,
  }; // prettier-ignore
}

describe("numbers and names", () => {
  it("are short and have separators", () => {
    assert.equal(count(12345), "12,345");
    assert.deepEqual([score(0.811), score(4.037), score(-0.2), score(0), score(-0.001)], [".81", "4.04", "−.20", ".00", ".00"]);
    assert.deepEqual([signed(0.0321), signed(-0.12)], ["+.032", "−.120"]);
    assert.deepEqual([bytes(999), bytes(6_661_528), bytes(61_000_000)], ["999 B", "6.7 MB", "61 MB"]);
    assert.equal(fill("{1} of {0}, {2}", 3, "a"), "a of 3, {2}");
    assert.equal(shorten("abcdefghij", 5), "ab…ij");
    assert.deepEqual([age(10), age(5 * 60_000), age(26 * 3_600_000)], [{ value: 0, unit: "now" }, { value: 5, unit: "min" }, { value: 1, unit: "d" }]);
  });

  it("tell origins apart; one that is not known is a guess", () => {
    assert.deepEqual([originWord("lsp_resolved"), originWord("ast_inferred"), originWord("heuristic"), originWord("new")], ["LSP", "tree-sitter", "guess", "guess"]);
    assert.equal(originGroup("scip_resolved"), "lsp");
    assert.deepEqual([confidenceBadge(1), confidenceBadge(0.95), confidenceBadge(0.05), confidenceBadge(0)], ["✓", "95", "05", "01"]);
  });
});

describe("budget", () => {
  it("has steps and takes any number between them", () => {
    assert.equal(STEPS.length, 14);
    assert.equal(STEPS[nearestStep(1400)], 1500);
    assert.deepEqual([clampBudget(3), clampBudget(1e9), clampBudget(Number.NaN)], [500, MOST, 4000]);
    assert.deepEqual([stepFrom(1500, 1), stepFrom(1600, -1), stepFrom(500, -1), stepFrom(MOST, 1)], [2000, 1500, 500, MOST]);
  });

  it("says what enters, leaves and changes its detail", () => {
    const small = packOf(answer(200, [symbol(1), symbol(3, { detail: "signature", tokens: 20 })]));
    const large = packOf(answer(400, [symbol(1), symbol(2), symbol(3)]));
    const rows = mergeRows([symbol(3), symbol(1)].map(rowOf), [rowOf(symbol(2))]);
    assert.deepEqual(rows.map((row) => row.rank), [1, 2, 3]);
    assert.deepEqual(summarize(changes(small, large), rows), { enters: ["f2"], leaves: [], details: 1 });
    assert.deepEqual(summarize(changes(large, small), rows), { enters: [], leaves: ["f2"], details: 1 });
    assert.equal(changes(large, large).size, 0);
  });

  it("ends after the last row that is in, whatever is out above it", () => {
    const rows = [1, 2, 3, 4].map((rank) => rowOf(symbol(rank)));
    assert.equal(boundary(rows, packOf(answer(200, [symbol(1), symbol(3)]))), 3);
    assert.equal(boundary(rows, packOf(answer(200, []))), 0);
  });

  it("has a meter as long as what is used", () => {
    const pack = { ...packOf(answer(400, [symbol(1), symbol(2, { tokens: 300 })])), used: 300 };
    const parts = segments([1, 2].map((rank) => rowOf(symbol(rank))), pack);
    assert.ok(Math.abs(parts.reduce((sum, one) => sum + one.share, 0) - 0.75) < 1e-9);
    assert.ok(Math.abs((parts[1]?.share ?? 0) - 3 * (parts[0]?.share ?? 0)) < 1e-9);
  });
});

describe("pins and bans", () => {
  const larger = answer(MOST, [1, 2, 3, 4].map((rank) => symbol(rank)));

  it("change nothing when there are none", () => {
    const plain = answer(300, [symbol(1)]);
    assert.equal(applyMarks(plain, larger, { pinned: new Set(), banned: new Set() }), plain);
  });

  it("leave out what is banned, and make room for what is pinned", () => {
    const now = answer(300, [symbol(1), symbol(2), symbol(3)], 1);
    const marked = applyMarks(now, larger, { pinned: new Set(["a.py::f4"]), banned: new Set(["a.py::f1"]) });
    assert.deepEqual(marked.symbols.map((one) => one.name), ["f2", "f3", "f4"]);
    assert.equal(marked.text, "", "the server's block does not fit any more");
    const full = applyMarks(now, larger, { pinned: new Set(["a.py::f4"]), banned: new Set() });
    assert.deepEqual(full.symbols.map((one) => one.name), ["f1", "f2", "f4"]);
    assert.ok(full.budget.used <= 300);
  });
});

describe("the block for a chat", () => {
  const texts = { title: "More context", summary: (n: number, tokens: string, left: number) => `${n}/${tokens}/${left}`, alsoRelevant: "Also" };

  it("has each file once, the best first, in the order of lines", () => {
    const text = compose("t", [symbol(2, { path: "b.go", text: "B" }), symbol(1), symbol(3, { line: 1 }), symbol(4, { detail: "name", text: "" })], 7, texts);
    assert.match(text, /^# More context: t\n\n> 4\/400\/7/);
    assert.ok(text.indexOf("## a.py") < text.indexOf("## b.go"));
    assert.ok(text.indexOf("def f3") < text.indexOf("def f1"));
    assert.match(text, /```go\nB\n```/);
    assert.match(text, /## Also\n\n- f4 \(a\.py:40\)/);
  });

  it("has fences longer than any within", () => {
    assert.equal(fenceFor("x ```` y"), "`````");
  });

  it("knows what a chat was given: new, in more detail, or changed", () => {
    const given = new Given();
    given.add([symbol(1), symbol(2, { detail: "signature" }), symbol(3)]);
    const now = answer(900, [symbol(1), symbol(2), symbol(3, { text: "def f3(): changed" }), symbol(4)]);
    assert.deepEqual(given.fresh(now).map((one) => one.name), ["f2", "f3", "f4"]);
    given.add([symbol(4, { detail: "signature" })]);
    given.add(now.symbols);
    assert.equal(given.fresh(now).length, 0);
    assert.equal(given.fresh(answer(100, [symbol(1, { detail: "name", text: "" })])).length, 0, "less detail is nothing new");
    given.clear();
    assert.equal(given.fresh(now).length, 4);
  });
});

describe("history", () => {
  it("keeps each task once, the last first, and no rubbish", () => {
    const history = remember(remember(remember([], "a", 1), "b", 2), " a ", 3);
    assert.deepEqual(history, [{ task: "a", at: 3 }, { task: "b", at: 2 }]);
    assert.deepEqual(remember(history, "  ", 4), history);
    assert.deepEqual(restored([{ task: "a", at: 1 }, { task: 5 }, null, "x"]), [{ task: "a", at: 1 }]);
    assert.deepEqual(restored({}), []);
  });
});

describe("impact", () => {
  const test = affected("test_x", 2, { path: "tests/test_a.py", line: 9 });
  const guess = affected("maybe", 1, { origin: "heuristic", confidence: 0.3 });
  const found = blast({
    direct: [affected("one", 1), guess, affected("Guide", 1, { via: { edge: "documents", path: "a.md", line: 1 } })],
    transitive: [affected("two", 2, { path: "b.py" }), test],
    tests: [test],
    possible: [affected("named", 1, { origin: "heuristic" })],
    possible_count: 1,
  });

  it("groups by depth, with tests, documents and guesses apart", () => {
    const shape = tree(found, DEFAULT_FILTER).map((group) => [group.kind, group.depth, group.size]);
    assert.deepEqual(shape, [["depth", 1, 1], ["depth", 2, 1], ["tests", 0, 1], ["documents", 0, 1]]);
    const guesses = tree(found, { ...DEFAULT_FILTER, guess: true }).map((group) => [group.kind, group.size]);
    assert.deepEqual(guesses, [["depth", 2], ["depth", 1], ["tests", 1], ["documents", 1], ["possible", 1]]);
  });

  it("groups by file and filters by origin", () => {
    const files = tree(found, { ...DEFAULT_FILTER, by: "file" });
    assert.deepEqual(files.map((group) => group.path || group.kind), ["tests", "a.py", "b.py", "documents"]);
    assert.deepEqual(tree(found, { ...DEFAULT_FILTER, syntax: false }), []);
    const ids = files.flatMap((group) => [group.id, ...group.children.map((child) => child.id)]);
    assert.equal(new Set(ids).size, ids.length, "ids are unique");
  });

  it("counts what is sure; guesses apart", () => {
    assert.deepEqual(counts(found), { direct: 1, symbols: 2, tests: 1, files: 1, guesses: 2 });
  });

  it("takes reasons apart", () => {
    assert.deepEqual(reason("unresolved: 2 places"), { code: "unresolved", detail: "2 places" });
    assert.deepEqual(reason("Plain text: with colon"), { code: "", detail: "Plain text: with colon" });
    assert.deepEqual(placeIn("at src/flask/app.py:840, and more"), { path: "src/flask/app.py", line: 840 });
    assert.equal(placeIn("no place"), undefined);
  });
});

describe("tests to run", () => {
  const files: Record<string, string> = { "web/package.json": '{"devDependencies": {"vitest": "1"}}', "go/go.mod": "module x" };
  const read = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);

  it("are commands whose arguments no shell has to read", async () => {
    const plan = await testPlan(
      [
        affected("TestCart.test_add", 1, { path: "tests/test_cart.py" }),
        affected("test_one", 1, { path: "tests/test_cart.py" }),
        affected("TestRun", 1, { path: "go/pkg/run_test.go" }),
        affected("adds $1", 1, { path: "web/src/a.test.ts" }),
        affected("x", 1, { path: "odd.tcl" }),
      ],
      read,
    );
    assert.deepEqual(plan.unknown, ["odd.tcl"]);
    assert.deepEqual(plan.commands.map(({ program, args, folder }) => [folder, program, ...args]), [
      ["", "python", "-m", "pytest", "tests/test_cart.py::TestCart::test_add", "tests/test_cart.py::test_one"],
      ["go", "go", "test", "./pkg", "-run", "^(TestRun)$"],
      ["web", "npx", "vitest", "run", "src/a.test.ts", "-t", "adds \\$1"],
    ]);
  });

  it("run a file as a whole when many of it are meant", async () => {
    const many = Array.from({ length: 30 }, (_, at) => affected(`test_${at}`, 1, { path: "tests/test_a.py" }));
    assert.deepEqual((await testPlan(many, read)).commands[0]?.args, ["-m", "pytest", "tests/test_a.py"]);
  });
});

describe("explain", () => {
  const part = (name: string, value: number) => ({ name, value, detail: "" });

  it("puts bars end to end, up to the score", () => {
    const fall = waterfall([part("text", 0.5), part("walk", 0.75), part("variety", -0.25), part("session", 0.1)], 1.1);
    assert.deepEqual(fall.bars.map((bar) => bar.tone), ["plus", "plus", "minus", "learned"]);
    assert.equal(fall.exact, true);
    assert.ok(Math.abs((fall.bars[3]?.to ?? 0) - fall.total.to) < 1e-9);
    fall.bars.slice(1).forEach((bar, at) => {
      const before = fall.bars[at];
      assert.ok([before?.from, before?.to].some((end) => [bar.from, bar.to].some((own) => Math.abs((end ?? 9) - own) < 1e-9)));
    });
    assert.equal(waterfall([part("text", 0.5)], 0.6).exact, false);
  });

  it("stands with nothing, and with less than nothing", () => {
    assert.deepEqual(waterfall([], 0).bars, []);
    const below = waterfall([part("least", -0.4)], -0.4);
    assert.ok(below.total.from >= 0 && below.total.to <= 1);
    assert.deepEqual(niceTicks(0, 1.2), [0, 0.5, 1, 1.5]);
  });

  it("reads what would lift a symbol", () => {
    assert.deepEqual(liftsIn("not returned: low; it would rise if the task names it, or tests use it"), ["the task names it", "tests use it"]);
    assert.deepEqual(liftsIn("rank 1 of 5"), []);
    assert.equal(shortName("a/b.py::C.m"), "C.m");
    assert.equal(isLearned(part("useful_here", 1)), true);
  });
});

describe("what is indexed", () => {
  it("is by language and by reason, the most first", () => {
    assert.deepEqual(shares({ go: 1, python: 4 }).map((one) => [one.name, one.share]), [["python", 1], ["go", 0.25]]);
    const skipped = [{ path: "b", reason: "large" }, { path: ".git", reason: "version control data" }, { path: "a", reason: "large" }, { path: "c", reason: "read in part: x" }];
    assert.deepEqual(skipGroups(skipped)[0], { reason: "large", paths: ["a", "b"] });
    assert.equal(leftOut({ skipped } as unknown as StatusAnswer).length, 2);
  });
});
