// Pictures of every view for people to look at: node test/views/browser/pictures.mjs DIR
import { mkdirSync } from "node:fs";
import { bundle, graphState, openBrowser, openView } from "./harness.mjs";
import { CONTEXT, EXPLAIN, IMPACT, INDEXED } from "./states.mjs";

const target = process.argv[2] ?? "build/pictures";
const only = process.argv[3] ?? "";
mkdirSync(target, { recursive: true });
await bundle();
const browser = await openBrowser();
const GRAPH = { two: await graphState(), three: await graphState({ depth: 3 }) };

async function picture(name, states, key, options) {
  const label = `${name}-${key}-${options.theme}-${options.width}`;
  if (only && !label.includes(only)) return;
  const view = await openView(browser, name, options);
  await view.tell({ type: "state", state: states[key] });
  await options.act?.(view);
  await view.page.waitForTimeout(250);
  await view.page.screenshot({ path: `${target}/${label}.png`, fullPage: Boolean(options.full) });
  await view.close();
}

const themes = ["dark", "light", "contrast"];
for (const theme of themes) {
  for (const width of [300, 560, 1000, 1600]) {
    await picture("context", CONTEXT, "ready", { theme, width, height: 620 });
    await picture("impact", IMPACT, "ready", { theme, width, height: 560 });
    await picture("explain", EXPLAIN, "ranked", { theme, width, height: 900, full: true });
    await picture("indexed", INDEXED, "fresh", { theme, width, height: 900, full: true });
    await picture("graph", GRAPH, "two", { theme, width, height: 800 });
  }
}
for (const [index, key] of Object.keys(CONTEXT).entries()) await picture("context", CONTEXT, key, { theme: themes[index % 3], width: 340, height: 560 });
for (const [index, key] of Object.keys(IMPACT).entries()) await picture("impact", IMPACT, key, { theme: themes[index % 3], width: 340, height: 560 });
await picture("explain", EXPLAIN, "unranked", { theme: "contrast", width: 700, height: 700, full: true });
await picture("graph", GRAPH, "three", { theme: "dark", width: 1280, height: 860 });
await picture("graph", GRAPH, "two", { theme: "light", width: 900, height: 700, act: async ({ page }) => page.getByRole("radio", { name: "List" }).check() });
await picture("graph", GRAPH, "two", { theme: "light", width: 1100, height: 700, act: async ({ page }) => { await page.locator(".node[tabindex='0']").focus(); await page.keyboard.press("ArrowLeft"); } });
await picture("context", CONTEXT, "ready", { theme: "light", width: 341, height: 560, act: async ({ page }) => { await page.locator(".res").nth(2).focus(); await page.keyboard.press("["); } });
await picture("context", CONTEXT, "ready", { theme: "dark", width: 342, height: 560, act: async ({ page }) => { await page.locator(".task button").first().click(); } });
await picture("context", CONTEXT, "ready", { theme: "dark", width: 343, height: 560, act: async ({ page }) => { await page.locator(".res").nth(2).focus(); await page.keyboard.press("?"); } });
await browser.close();
