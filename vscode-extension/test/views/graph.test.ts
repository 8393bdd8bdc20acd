import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { BlastAnswer } from "../../src/protocol";
import { LINK_GROUPS, kindsIn, linkGroup, neighbourhood, type GraphData } from "../../src/views/model/graph";
import { upward, withCallees } from "../../src/views/model/graphFromBlast";
import { layout, neighbour, spread } from "../../webview/graph/layout";

const ALL = new Set<string>(LINK_GROUPS);
const node = (id: string, test = false, path = "a.py") => ({ id, name: id, kind: "function", path, line: 1, test });
const link = (from: string, to: string, kind = "calls") => ({ from, to, kind, origin: "ast_resolved", confidence: 0.85 });
const real = JSON.parse(readFileSync("test/views/fixtures/blast.json", "utf8")) as BlastAnswer;

function small(): GraphData {
  return {
    centre: "c",
    nodes: ["c", "up", "upup", "down"].map((id) => node(id)).concat(node("t1", true, "t.py"), node("t2", true, "t.py")),
    links: [link("up", "c"), link("upup", "up"), link("c", "down", "extends"), link("t1", "c", "tests"), link("t2", "c", "tests")],
    notes: [],
  };
}

describe("graph", () => {
  it("has users on the left, what is used on the right, and tests folded by file", () => {
    const around = neighbourhood(small(), { depth: 2, kinds: ALL });
    const levels = Object.fromEntries(around.nodes.map((one) => [one.id, one.level]));
    assert.deepEqual(levels, { c: 0, up: -1, upup: -2, down: 1, "tests:t.py": -1 });
    assert.equal(around.nodes.find((one) => one.test)?.folded, 2);
    assert.equal(around.symbols, 6);
    assert.equal(around.links.length, 4, "two links of folded tests are one");
  });

  it("goes as deep as asked, and only along the kinds asked for", () => {
    assert.equal(neighbourhood(small(), { depth: 1, kinds: ALL }).nodes.length, 4);
    const calls = neighbourhood(small(), { depth: 3, kinds: new Set(["calls"]) });
    assert.deepEqual(calls.nodes.map((one) => one.id), ["c", "up", "upup"]);
    assert.deepEqual(kindsIn(small()), ["calls", "inherits", "tests"]);
    assert.equal(linkGroup("type_hint_of"), "references");
  });

  it("does not go through hubs, and says what is beyond the cap", () => {
    const data = small();
    for (let at = 0; at < 40; at += 1) {
      data.nodes.push(node(`n${at}`));
      data.links.push(link(`n${at}`, "up"));
    }
    const around = neighbourhood(data, { depth: 3, kinds: ALL });
    assert.equal(around.nodes.find((one) => one.id === "up")?.hub, true);
    assert.equal(around.nodes.some((one) => one.id === "n0"), false);
    const capped = neighbourhood(data, { depth: 3, kinds: ALL, cap: 10, hub: 100 });
    assert.equal(capped.nodes.length, 10);
    assert.deepEqual(capped.more, { count: 35, distance: 2 });
  });

  it("links each user of a real answer to what it uses, and every node is reached", () => {
    const data = upward(real);
    const around = neighbourhood(data, { depth: 3, kinds: ALL, cap: 1000, hub: 1000 });
    assert.equal(around.symbols, data.nodes.length);
    const handled = data.links.find((one) => one.from.endsWith("::Flask.wsgi_app"));
    assert.equal(handled?.to, "src/flask/app.py::Flask.handle_exception");
  });

  it("adds what is called, and does not make a node twice", () => {
    const data = upward(real);
    const known = data.nodes[1];
    assert.ok(known);
    const more = withCallees(data, [
      { from: data.centre, name: "helper", kind: "function", path: "h.py", line: 3 },
      { from: data.centre, name: "other name", kind: "method", path: known.path, line: known.line },
    ]);
    assert.equal(more.nodes.length, data.nodes.length + 1);
    assert.ok(more.links.some((one) => one.from === data.centre && one.to === known.id));
  });
});

describe("layout", () => {
  it("keeps order and pitch, as close as it can to where nodes want to be", () => {
    assert.deepEqual(spread([0, 100], 10), [0, 100]);
    assert.deepEqual(spread([50, 50, 50], 10), [40, 50, 60]);
    assert.deepEqual(spread([100, 0], 10), [45, 55]);
  });

  it("has columns from left to right and no box over another", () => {
    const around = neighbourhood(upward(real), { depth: 3, kinds: ALL });
    const placed = layout(around, (one) => 40 + one.name.length * 7);
    const boxes = [...placed.boxes.values()];
    assert.equal(boxes.length, around.nodes.length);
    for (const a of boxes) {
      assert.ok(a.x >= 0 && a.x + a.width <= placed.width && a.y + 21 <= placed.height);
      for (const b of boxes) {
        if (a === b) continue;
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || Math.abs(a.y - b.y) >= 21;
        assert.ok(apart, `${a.node.id} over ${b.node.id}`);
        if (a.node.level < b.node.level) assert.ok(a.x + a.width < b.x);
      }
    }
    assert.equal(placed.links.length, around.links.length);
  });

  it("leads with arrow keys along links, and up and down a column", () => {
    const around = neighbourhood(small(), { depth: 2, kinds: ALL });
    const placed = layout(around, () => 80);
    assert.equal(neighbour(placed, around.links, "c", "ArrowRight"), "down");
    assert.equal(neighbour(placed, around.links, "upup", "ArrowRight"), "up");
    assert.equal(neighbour(placed, around.links, "down", "ArrowRight"), undefined);
    const column = [...placed.boxes.values()].filter((box) => box.node.level === -1).sort((a, b) => a.y - b.y).map((box) => box.node.id);
    assert.equal(neighbour(placed, around.links, column[0] ?? "", "ArrowDown"), column[1]);
    assert.equal(neighbour(placed, around.links, column[0] ?? "", "ArrowUp"), undefined);
  });
});
