// Every state of every view, in three themes: no violation that axe knows, nothing that sticks out, no error.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { bundle, graphState, openBrowser, openView, overflowing, violations } from "./harness.mjs";
import { CONTEXT, EXPLAIN, IMPACT, INDEXED } from "./states.mjs";

const THEMES = ["dark", "light", "contrast"];
const WIDTHS = [300, 560, 1000, 1600];
let browser;
const views = { context: CONTEXT, impact: IMPACT, explain: EXPLAIN, indexed: INDEXED };

before(async () => {
  await bundle();
  browser = await openBrowser();
  views.graph = { two: await graphState(), three: await graphState({ depth: 3 }), error: await graphState({ phase: "error", error: "no such symbol", data: undefined }) };
});
after(() => browser?.close());

/** What is wrong with a view in some states, each thing in words. */
async function faults(name, theme, width, states, widths = [width]) {
  const view = await openView(browser, name, { theme, width });
  const found = [];
  try {
    for (const [key, state] of Object.entries(states)) {
      await view.tell({ type: "state", state });
      for (const wide of widths) {
        await view.page.setViewportSize({ width: wide, height: 700 });
        await view.page.waitForTimeout(30);
        const here = [...(await violations(view.page)), ...(await overflowing(view.page)), ...view.problems.splice(0)];
        found.push(...here.map((fault) => `${name} ${key} ${theme} ${wide}: ${fault}`));
      }
    }
  } finally {
    await view.close();
  }
  return found;
}

describe("accessibility", () => {
  for (const name of ["context", "impact", "graph", "explain", "indexed"]) {
    it(`${name}: all states in all themes, and all widths`, async () => {
      const width = name === "context" || name === "impact" ? 340 : 900;
      const found = [];
      for (const theme of THEMES) found.push(...(await faults(name, theme, width, views[name])));
      const [key, state] = Object.entries(views[name])[0];
      found.push(...(await faults(name, "dark", width, { [key]: state }, WIDTHS)));
      assert.deepEqual(found, []);
    });
  }

  it("follows a wish for less motion", async () => {
    const view = await openView(browser, "context", { reducedMotion: "reduce" });
    await view.tell({ type: "state", state: CONTEXT.loading });
    await view.page.waitForTimeout(200);
    assert.equal(await view.page.locator(".progress i").evaluate((line) => getComputedStyle(line).animationName), "none");
    await view.close();
  });
});
