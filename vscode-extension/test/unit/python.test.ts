import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { candidates } from "../../src/python/candidates";
import { isNewEnough, judge, probe } from "../../src/python/probe";

const NONE = { setting: "", offered: [], platform: "linux" as const, forbidden: [] };
const python = (text: string): string => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "knowing-")), "python");
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
};

describe("finding Python", () => {
  it("tries nothing but the setting if it is set", () => {
    const found = candidates({ ...NONE, setting: "/opt/python", offered: [{ command: "/x", source: "x" }] });
    assert.deepEqual(found, [{ command: "/opt/python", source: "knowing.python.path" }]);
  });

  it("prefers what other extensions offer, and tries each place once", () => {
    const found = candidates({ ...NONE, offered: [{ command: "/env/python", source: "envs" }, { command: "/env/python", source: "python" }] });
    assert.deepEqual(found.slice(0, 3).map(({ command }) => command), ["/env/python", "python3", "python"]);
  });

  it("runs nothing that lies in a folder that is not trusted", () => {
    const found = candidates({ ...NONE, offered: [{ command: "/w/.venv/bin/python", source: "x" }], forbidden: ["/w"] });
    assert.ok(found.every(({ command }) => !command.startsWith("/w/")));
  });

  it("knows the launcher of Windows", () => {
    const found = candidates({ ...NONE, platform: "win32" });
    assert.ok(found.some(({ command, args }) => command === "py" && args?.[0] === "-3"));
  });
});

describe("judging a Python", () => {
  const answer = (version: string, tag: string): string => `noise\n${JSON.stringify(["/p", version, tag])}\n`;

  it("takes one that packages are carried for", () => {
    const verdict = judge({ command: "python3", source: "PATH" }, answer("3.12.4", "cp312"), new Set(["cp312"]));
    assert.ok(verdict.good);
    assert.equal(verdict.interpreter.executable, "/p");
    assert.equal(verdict.interpreter.tag, "cp312");
  });

  it("says which version is too old", () => {
    const verdict = judge({ command: "python3", source: "PATH" }, answer("3.9.18", "cp39"), new Set(["cp312"]));
    assert.deepEqual(verdict, { good: false, reason: "too old", version: "3.9.18" });
  });

  it("refuses a version without packages, also a build without the lock", () => {
    for (const tag of ["cp315", "cp313t", "pypy311"]) {
      const verdict = judge({ command: "python3", source: "PATH" }, answer("3.15.0", tag), new Set(["cp313"]));
      assert.deepEqual(verdict, { good: false, reason: `no packages for ${tag}`, version: "3.15.0" });
    }
  });

  it("compares versions as numbers", () => {
    assert.deepEqual(["3.9.1", "3.10.0", "3.11.0", "3.14.2", "4.0.0"].map(isNewEnough), [false, false, true, true, true]);
  });

  it("asks a real interpreter", async function () {
    const verdict = await probe({ command: "python3", source: "PATH" }, new Set());
    if (!verdict.good) this.skip();
    assert.match(verdict.interpreter.version, /^3\.\d+\.\d+$/);
  });

  it("survives one that fails, and one that talks nonsense", async () => {
    const broken = await probe({ command: python("echo cannot run >&2; exit 1"), source: "x" }, new Set());
    assert.deepEqual(broken, { good: false, reason: "cannot run" });
    const odd = await probe({ command: python("echo hello"), source: "x" }, new Set());
    assert.ok(!odd.good && odd.reason.includes("hello"));
    const absent = await probe({ command: "/no/such/python", source: "x" }, new Set());
    assert.ok(!absent.good);
  });
});
