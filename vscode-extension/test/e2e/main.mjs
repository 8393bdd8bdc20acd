// What a user does in a trusted folder: ask, copy, look at impact, graph and reasons, survive a crash.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { picture, THEMES, WIDTHS } from "./pictures.mjs";
import { Workbench } from "./workbench.mjs";
import { makeWorkspace, SYMBOL, TASK } from "./workspace.mjs";

const FIRST_ANSWER_MS = 30_000;

export async function mainPart({ dir, temporary, step, opened, images }) {
  const folder = makeWorkspace(path.join(temporary, "tiny"));
  const bench = opened(await Workbench.open(dir, { folder, args: ["--disable-workspace-trust"] }));
  const { page } = bench;

  await step("a task is answered soon after the window opens", async () => {
    await page.locator(".activitybar").getByRole("tab", { name: "Knowing" }).click();
    const names = await bench.ask(TASK, FIRST_ANSWER_MS);
    assert.ok(names.slice(0, 3).some((name) => name.includes("before_request")), names.slice(0, 5).join(", "));
    const took = Date.now() - bench.opened;
    return `${names[0].trim()}, ${(took / 1000).toFixed(1)} s after the window opened`;
  });

  await step("the status bar says that the index is fresh", () => bench.ready());

  await step("the budget packs anew at once", async () => {
    const view = await bench.frame(".budget input[type=range]");
    const before = await view.locator(".sum").textContent();
    await view.locator(".budget input[type=range]").focus();
    await view.locator(".budget input[type=range]").press("Home");
    await waitUntil(async () => (await view.locator(".sum").textContent()) !== before);
    const small = await view.locator(".sum").textContent();
    assert.match(small, /of 500/);
    await view.locator(".budget input[type=range]").press("End");
    await waitUntil(async () => /of 50,000/.test(await view.locator(".sum").textContent()));
    return small.trim();
  });

  await step("copying puts the context on the clipboard", async () => {
    await bench.command("Knowing: Copy Context");
    await bench.status("Copied").waitFor();
    const text = await bench.clipboard();
    assert.ok(text.includes("def before_request"), text.slice(0, 300));
    return `${text.length} characters`;
  });

  await step("a result opens at its symbol", async () => {
    const view = await bench.frame(".res .name");
    await view.locator(".res").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".tab", { hasText: "scaffold.py" }).waitFor();
  });

  await step("code lenses count callers", async () => {
    await bench.openFile("tiny/scaffold.py", 17, 12);
    await page.locator(".codelens-decoration", { hasText: /caller/ }).first().waitFor();
    return (await page.locator(".codelens-decoration").allTextContents()).slice(0, 3).join(" | ");
  });

  await step("hovering says who uses a symbol", async () => {
    await page.locator(".view-line span span", { hasText: "before_request" }).first().hover();
    const hover = page.locator(".monaco-hover:visible", { hasText: SYMBOL });
    await hover.first().waitFor();
    assert.match(await hover.first().textContent(), /App\.protect/);
    await page.keyboard.press("Escape");
  });

  await step("blast radius shows callers, tests and risk", async () => {
    await bench.openFile("tiny/scaffold.py", 17, 12);
    await bench.command("Knowing: Show Blast Radius");
    const view = await bench.frame(".impact, main");
    await page.locator(".pane", { hasText: "Affected Code" }).locator(".monaco-list-row", { hasText: "protect" }).first().waitFor();
    const rows = await page.locator(".pane", { hasText: "Affected Code" }).locator(".monaco-list-row").allTextContents();
    assert.ok(rows.some((row) => /Tests/i.test(row)), rows.join(" | "));
    assert.ok(view);
    return rows.slice(0, 4).join(" | ");
  });

  await step("a code lens leads to the blast radius", async () => {
    await bench.openFile("tiny/sessions.py");
    await page.locator(".codelens-decoration a", { hasText: /caller/ }).first().click();
    // Which lens comes first in the document is not said: one is about open_session, one about the other.
    await page.locator(".pane", { hasText: "Affected Code" }).locator(".monaco-list-row", { hasText: /wsgi_app|require_login/ }).first().waitFor();
  });

  await step("the graph draws the neighbourhood", async () => {
    await bench.openFile("tiny/scaffold.py", 17, 12);
    await bench.command("Knowing: Show Graph Around Symbol");
    await page.locator(".tab", { hasText: /graph/i }).first().waitFor();
    const view = await bench.frame("svg [role=button], svg .node");
    const nodes = await view.locator("svg [role=button], svg .node").count();
    assert.ok(nodes >= 3, `${nodes} nodes`);
    return `${nodes} nodes`;
  });

  await step("a score is explained by parts that add up", async () => {
    await bench.choose("Knowing: Explain the Score of a Symbol", "before_request");
    const view = await bench.frame("main.explain, .waterfall, .explain");
    await view.getByText("The parts add up").first().waitFor();
  });

  await step("what is indexed is shown", async () => {
    await bench.command("Knowing: Show What Is Indexed");
    const view = await bench.frame("main.indexed, .indexed");
    await view.getByText("Python", { exact: false }).first().waitFor();
    return (await view.locator("body").innerText()).slice(0, 120).replace(/\s+/g, " ");
  });

  await step("context for a selection, for changes and since a revision", async () => {
    for (const [title, wanted] of [
      ["Knowing: Get Context for Changes", "check_api_key"],
      ["Knowing: Get Context for Selection", "open_session"],
    ]) {
      await bench.openFile("tiny/sessions.py", 9, 6);
      await bench.command(title);
      const view = await bench.frame(".res .name");
      await waitUntil(async () => (await view.locator(".res .name").allTextContents()).some((name) => name.includes(wanted)), title);
    }
    await bench.choose("Knowing: Get Context Since a Branch or Commit", "main");
    const view = await bench.frame(".res .name");
    await waitUntil(async () => (await view.locator(".res .name").allTextContents()).some((name) => name.includes("check_api_key")), "since main");
  });

  await step("blast radius of changes names what has changed", async () => {
    await bench.command("Knowing: Show Blast Radius of Changes");
    await waitUntil(async () => {
      const view = await bench.frame("main");
      return (await Promise.all(page.frames().map((frame) => frame.locator("body").innerText().catch(() => "")))).join("\n").includes("check_api_key") && view;
    }, "check_api_key");
  });

  await step("search, related symbols and the map", async () => {
    await bench.command("Knowing: Search Symbols, Files and Docs");
    await page.locator(".quick-input-widget input.input").fill("dispatch");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "dispatch_request" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".tab", { hasText: "app.py" }).first().waitFor();
    await bench.openFile("tiny/scaffold.py", 17, 12);
    await bench.command("Knowing: Show Related Symbols");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "protect" }).first().waitFor();
    await page.keyboard.press("Escape");
    await bench.command("Knowing: Show Map of Modules");
    await page.locator(".tab", { hasText: "Map of modules" }).first().waitFor();
  });

  await step("the doctor finds nothing wrong", async () => {
    await bench.command("Knowing: Doctor");
    await page.locator(".tab", { hasText: "Doctor" }).first().waitFor({ timeout: 60_000 });
    const view = await bench.frame("table td");
    const rows = await view.locator("tr").allInnerTexts();
    assert.ok(rows.length > 5 && !rows.some((row) => row.startsWith("✗")), rows.join("\n"));
  });

  await step("settings act while the server runs", async () => {
    await bench.openFile("tiny/scaffold.py", 17, 12);
    await page.locator(".codelens-decoration").first().waitFor();
    bench.configure({ "knowing.codeLens.enabled": false });
    await page.locator(".codelens-decoration").first().waitFor({ state: "detached" });
    bench.configure({ "knowing.codeLens.enabled": true });
    await page.locator(".codelens-decoration").first().waitFor();
  });

  await step("an edit that is not saved is in the next answer", async () => {
    await bench.openFile("tiny/auth.py");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\ndef revoke_every_key():\nAPI_KEYS.clear()\n");
    await bench.command("Knowing: Search Symbols, Files and Docs");
    await page.locator(".quick-input-widget input.input").fill("revoke_every_key");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "revoke_every_key" }).first().waitFor();
    await page.keyboard.press("Escape");
    await bench.command("File: Revert File");
  });

  await step("a server that is killed comes back", async () => {
    const [before] = bench.languageServers();
    assert.ok(before, "no server runs");
    process.kill(before, "SIGKILL");
    await waitUntil(() => bench.languageServers().some((id) => id !== before), "another server");
    await bench.ready();
  });

  await step("one that keeps dying is given up on, with a way out", async () => {
    for (let times = 0; times < 6 && !(await bench.status("Knowing: stopped").count()); times += 1) {
      await waitUntil(async () => bench.languageServers().length > 0 || (await bench.status("Knowing: stopped").count()) > 0, "a server");
      for (const id of bench.languageServers()) process.kill(id, "SIGKILL");
      await page.waitForTimeout(300);
    }
    await bench.status("Knowing: stopped").waitFor();
    const message = page.locator(".notification-toast", { hasText: "times in a row" });
    await message.getByRole("button", { name: "Restart Server" }).click();
    await bench.ready();
  });

  await step("nothing was written into the workspace", async () => {
    const { execFileSync } = await import("node:child_process");
    const status = execFileSync("git", ["status", "--short", "--ignored"], { cwd: folder, encoding: "utf8" });
    const lines = status.split("\n").filter((line) => line && !line.endsWith(" .vscode/"));
    assert.deepEqual(lines, [" M tiny/auth.py"]);
    assert.ok(!readFileSync(path.join(folder, "tiny/auth.py"), "utf8").includes("revoke"));
  });

  await step("no webview has a serious accessibility problem", async () => accessible(bench));

  if (images) {
    for (const theme of THEMES) {
      for (const width of WIDTHS) {
        await step(`pictures, ${theme.name}, ${width} px`, () => picture(bench, theme, width, images));
      }
    }
  }

  await step("clearing the index removes it", async () => {
    await bench.command("Knowing: Clear Index");
    await page.locator(".monaco-dialog-box").getByRole("button", { name: "Clear and Rebuild" }).click();
    await bench.ready();
  });
}

/** axe-core in every webview that is open. */
async function accessible(bench) {
  const source = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
  let looked = 0;
  for (const frame of bench.page.frames()) {
    if (!(await frame.locator("main").count().catch(() => 0)) || !frame.parentFrame()) continue;
    // The policy of a webview lets no script in but its own; the debugger is not bound by it.
    await frame.evaluate(source);
    const found = await frame.evaluate("axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })");
    const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
    looked += 1;
  }
  assert.ok(looked > 0, "no webview was open");
  return `${looked} webviews`;
}

export async function waitUntil(condition, what = "it", timeout = 20_000) {
  const end = Date.now() + timeout;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
