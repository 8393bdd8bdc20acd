import assert from "node:assert/strict";
import { symbolsAt, touched, type Named } from "../../src/commands/hunks";

const DIFF = `diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,4 +1,5 @@
 one
+two
+three
-old
 four
@@ -20,2 +21,0 @@ def f():
-gone
-gone
`;

describe("a diff", () => {
  it("touches what was added, and where something was taken away", () => {
    assert.deepEqual(touched(DIFF), [
      { first: 1, last: 3 },
      { first: 21, last: 21 },
    ]);
  });

  it("of nothing touches nothing", () => {
    assert.deepEqual(touched(""), []);
  });
});

const symbol = (name: string, first: number, last: number, children: Named[] = []): Named => ({
  name,
  kind: 6,
  range: { start: { line: first }, end: { line: last } },
  selectionRange: { start: { line: first, character: 4 } },
  children,
});

describe("symbols at touched lines", () => {
  const outline = [symbol("A", 0, 20, [symbol("f", 1, 5), symbol("g", 6, 10)]), symbol("h", 30, 40)];

  it("are the innermost ones", () => {
    assert.deepEqual(symbolsAt(outline, [{ first: 4, last: 7 }]).map(({ name }) => name), ["A.f", "A.g"]);
  });

  it("are the type itself where no member is", () => {
    assert.deepEqual(symbolsAt(outline, [{ first: 15, last: 15 }]), [{ name: "A", line: 0, character: 4 }]);
    assert.deepEqual(symbolsAt(outline, [{ first: 25, last: 25 }]), []);
  });
});
