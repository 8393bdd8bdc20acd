// Folders that are not trusted, and workspaces of several folders.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync, existsSync } from "node:fs";
import path from "node:path";
import { waitUntil } from "./main.mjs";
import { Workbench } from "./workbench.mjs";
import { makeSecond, makeWorkspace, TASK } from "./workspace.mjs";

async function ask(bench, task, wanted) {
  await bench.command("Knowing: Get Context for a Task");
  const names = await bench.ask(task);
  assert.ok(names.slice(0, 3).some((name) => name.includes(wanted)), names.slice(0, 5).join(", "));
}

export async function restrictedPart({ dir, temporary, step, opened }) {
  const folder = makeWorkspace(path.join(temporary, "tiny"));
  // A workspace that would like to choose what is run.
  const trap = path.join(folder, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\ntouch "${temporary}/sprung"\nexec python3 "$@"\n`, { mode: 0o755 });
  mkdirSync(path.join(folder, ".vscode"));
  writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "knowing.python.path": trap }));
  const bench = opened(await Workbench.open(dir, { folder }));

  await step("works in Restricted Mode", async () => {
    await bench.status("Restricted Mode").waitFor();
    await bench.ready();
    await ask(bench, TASK, "before_request");
  });

  await step("runs nothing that the workspace names", async () => {
    assert.ok(!existsSync(path.join(temporary, "sprung")), "the interpreter of the workspace was run");
  });

  await step("starts again when the folder is trusted", async () => {
    const before = bench.languageServers();
    await bench.trust();
    await waitUntil(() => bench.languageServers().some((id) => !before.includes(id)), "another server");
    await bench.ready();
    // What another place may set, a trusted workspace may set.
    await waitUntil(() => existsSync(path.join(temporary, "sprung")), "the interpreter of the workspace");
  });
}

export async function foldersPart({ dir, temporary, step, opened }) {
  const first = makeWorkspace(path.join(temporary, "tiny"));
  const second = makeSecond(path.join(temporary, "billing"));
  const workspace = path.join(temporary, "both.code-workspace");
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: first }, { path: second }] }));
  const bench = opened(await Workbench.open(dir, { workspace, args: ["--disable-workspace-trust"] }));

  await step("indexes all folders", async () => {
    await bench.ready();
    await bench.status("Knowing").first().hover();
    const tip = bench.page.locator(".monaco-hover:visible, .workbench-hover:visible", { hasText: "billing" });
    await tip.first().waitFor();
    assert.match(await tip.first().textContent(), /tiny/);
  });

  await step("asks the folder of the active editor", async () => {
    await bench.openFile("billing.go");
    await ask(bench, "charge an account", "Charge");
  });
}
