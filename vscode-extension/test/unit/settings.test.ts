import assert from "node:assert/strict";
import manifest from "../../package.json";
import { restrictedKeys, serverKeys, setValues, type Inspected } from "../../src/settings";

describe("settings for the server", () => {
  it("are those that somebody has set, the innermost place first", () => {
    const values: Record<string, Inspected> = {
      a: { globalValue: 1 },
      b: { globalValue: 1, workspaceValue: 2 },
      c: { globalValue: 1, workspaceValue: 2, workspaceFolderValue: 3 },
      d: {},
      e: { globalValue: false },
    };
    const found = setValues(["a", "b", "c", "d", "e", "f"], (key) => values[key], () => false);
    assert.deepEqual(found, { a: 1, b: 2, c: 3, e: false });
  });

  it("do not come from a workspace that is not trusted where that matters", () => {
    const found = setValues(["x"], () => ({ globalValue: 1, workspaceValue: 2 }), () => true);
    assert.deepEqual(found, { x: 1 });
  });

  it("are those of the manifest without the extension's own", () => {
    const keys = serverKeys(manifest);
    assert.ok(keys.includes("context.budget"));
    assert.ok(!keys.includes("python.path") && !keys.includes("codeLens.enabled"));
    assert.ok(restrictedKeys(manifest).has("python.path"));
  });
});
