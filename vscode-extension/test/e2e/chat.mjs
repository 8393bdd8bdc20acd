// Chat: tools, participant with a model that answers offline, input filled, MCP server.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { waitUntil } from "./main.mjs";
import { Workbench } from "./workbench.mjs";
import { makeWorkspace, TASK } from "./workspace.mjs";

export async function chatPart({ dir, temporary, step, opened }) {
  const folder = makeWorkspace(path.join(temporary, "tiny"));
  const bench = opened(await Workbench.open(dir, { folder, args: ["--disable-workspace-trust"] }));
  const { page } = bench;
  await step("starts", () => bench.ready());

  await step("a model can call every tool", async () => {
    const file = path.join(dir, "home", "tools.json");
    await bench.command("E2E: Call Every Tool");
    await waitUntil(() => existsSync(file), "answers of the tools");
    const answers = JSON.parse(readFileSync(file, "utf8"));
    const by = Object.fromEntries(answers.map((answer) => [answer.name + (answer.error ? "!" : ""), answer]));
    assert.match(by.knowing_get_task_context.text, /def before_request/);
    assert.match(by.knowing_get_change_context.text, /check_api_key/);
    assert.match(by.knowing_get_blast_radius.text, /App\.protect/);
    assert.match(by.knowing_explain_score.text, /before_request/);
    assert.match(by.knowing_find_symbol.text, /tiny\/scaffold\.py/);
    assert.match(by.knowing_get_index_status.text, /files/);
    assert.match(by["knowing_get_blast_radius!"].error, /no_such_symbol/);
  });

  const input = page.locator(".interactive-session .monaco-editor").last();
  const say = async (text) => {
    await bench.command("Chat: Open Chat");
    await input.waitFor();
    await input.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.type(text, { delay: 15 });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
  };

  await step("@knowing /context lists the code that matters", async () => {
    await say(`@knowing /context ${TASK}`);
    await page.locator(".interactive-response", { hasText: "before_request" }).last().waitFor();
  });

  await step("@knowing /blast names the callers", async () => {
    await say("@knowing /blast Scaffold.before_request");
    await page.locator(".interactive-response", { hasText: "App.protect" }).last().waitFor();
  });

  await step("@knowing /why takes the score apart", async () => {
    await say("@knowing /why validate API keys before a request `Scaffold.before_request`");
    await page.locator(".interactive-response", { hasText: "score" }).last().waitFor();
  });

  await step("@knowing lets the model answer with context", async () => {
    await say("@knowing how does before_request work?");
    await page.locator(".interactive-response", { hasText: "ECHO with context" }).last().waitFor();
  });

  await step("the context fills the input of the chat", async () => {
    await bench.command("Knowing: Get Context for a Task");
    await bench.ask(TASK);
    await bench.command("Knowing: Open Context in Chat");
    await waitUntil(async () => (await input.textContent()).replaceAll("\u00a0", " ").includes("before_request"), "the input");
  });

  await step("the MCP server is listed and starts", async () => {
    await bench.choose("MCP: List Servers", "Knowing");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Start Server" }).first().click();
    await bench.command("MCP: List Servers");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: /Knowing.*Running/ }).first().waitFor();
    await page.keyboard.press("Escape");
  });
}
