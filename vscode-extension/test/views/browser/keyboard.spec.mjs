// What people do with keys and pointer in the webviews, and what the host is asked for.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { bundle, graphState, openBrowser, openView } from "./harness.mjs";
import { CONTEXT, EXPLAIN, IMPACT, INDEXED, TASK, context } from "./states.mjs";

let browser;
before(async () => {
  await bundle();
  browser = await openBrowser();
});
after(() => browser?.close());

async function using(name, state, options, run) {
  const view = await openView(browser, name, options);
  try {
    await view.tell({ type: "state", state });
    await run(view);
    assert.deepEqual(view.problems, []);
  } finally {
    await view.close();
  }
}

const focused = (page) => page.evaluate(() => document.activeElement?.dataset?.key ?? document.activeElement?.getAttribute("data-id") ?? document.activeElement?.tagName);
const last = async (view, type) => (await view.sent(type)).at(-1);
const { rows } = CONTEXT.ready;

describe("context", () => {
  it("asks with Enter, not with Shift+Enter, and goes to the first result when it comes", () =>
    using("context", CONTEXT.empty, {}, async (view) => {
      const box = view.page.getByRole("textbox", { name: "Task" });
      await box.fill("find it");
      await box.press("Shift+Enter");
      assert.equal((await view.sent("ask")).length, 0);
      await box.fill("find it");
      await box.press("Enter");
      assert.deepEqual(await last(view, "ask"), { type: "ask", task: "find it" });
      await view.tell({ type: "state", state: context({ busy: true, answer: 0, phase: { kind: "loading" }, rows: [], packs: {} }) });
      await view.tell({ type: "focus", part: "list" });
      await view.tell({ type: "state", state: context({ answer: 7 }) });
      assert.equal(await focused(view.page), rows[0].id);
    }));

  it("chooses from the history with the keyboard", () =>
    using("context", CONTEXT.ready, {}, async ({ page, sent }) => {
      await page.getByRole("textbox", { name: "Task" }).press("Alt+ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      assert.equal((await sent("ask")).at(-1).task, "Make session cookies expire on logout");
      assert.equal(await page.getByRole("menu").count(), 0);
    }));

  it("has one tab stop, moves with arrows, and runs the keys of a row", () =>
    using("context", CONTEXT.ready, {}, async (view) => {
      const { page } = view;
      assert.equal(await page.locator(".res[tabindex='0']").count(), 1);
      await page.locator(".res").first().focus();
      await page.keyboard.press("ArrowDown");
      assert.equal(await focused(page), rows[1].id);
      await page.keyboard.press("Enter");
      assert.equal((await last(view, "open")).place.path, rows[1].path);
      await page.keyboard.press("Space");
      assert.equal((await last(view, "peek")).place.line, rows[1].line);
      for (const [key, mark] of [["p", "pin"], ["u", "useful"], ["d", "notUseful"]]) {
        await page.keyboard.press(key);
        assert.deepEqual(await last(view, "mark"), { type: "mark", symbol: rows[1].id, mark });
      }
      await page.keyboard.press("e");
      assert.equal((await last(view, "explain")).symbol, rows[1].id);
      await page.keyboard.press("r");
      assert.equal((await last(view, "blast")).symbol, rows[1].id);
      await page.keyboard.press("End");
      assert.equal(await focused(page), rows.at(-1).id);
      await page.keyboard.press("b");
      assert.equal((await last(view, "mark")).mark, "ban");
      assert.equal(await focused(page), rows.at(-2).id, "the focus stays in the list");
    }));

  it("reaches the buttons of a row with Right, and leaves them with Escape", () =>
    using("context", CONTEXT.ready, {}, async (view) => {
      await view.page.locator(".res").nth(1).focus();
      await view.page.keyboard.press("ArrowRight");
      await view.page.keyboard.press("ArrowRight");
      await view.page.keyboard.press("Enter");
      assert.deepEqual(await last(view, "mark"), { type: "mark", symbol: rows[1].id, mark: "ban" });
      await view.page.keyboard.press("Escape");
      assert.equal(await focused(view.page), rows[1].id);
    }));

  it("shows at once what enters and leaves, and forgets it when the budget rests", () =>
    using("context", CONTEXT.ready, {}, async (view) => {
      const { page } = view;
      await page.locator(".res").first().focus();
      await page.keyboard.press("[");
      assert.deepEqual(await last(view, "budget"), { type: "budget", tokens: 1000 });
      const leaving = Object.keys(CONTEXT.ready.packs[1500].entries).filter((id) => !CONTEXT.ready.packs[1000].entries[id]);
      assert.equal(await page.locator(".res.leaves").count(), leaving.length);
      assert.match(await page.locator(".delta").innerText(), new RegExp(`− ${leaving.length} out`));
      assert.match(await page.locator(".sum").innerText(), /of 1,000 tokens/);
      // What the host tells of a moment ago does not move the slider back.
      await view.tell({ type: "state", state: context({ budget: 1500 }) });
      assert.match(await page.locator(".sum").innerText(), /of 1,000 tokens/);
      await page.locator(".delta").waitFor({ state: "hidden", timeout: 5000 });
      assert.equal(await page.locator(".res.leaves").count(), 0);
      assert.match(await page.getByRole("status").innerText(), /1,000 tokens: \d+ in, \d+ left out/);
    }));

  it("waits for a pack it does not have, and draws it when it comes", () =>
    using("context", CONTEXT.ready, {}, async (view) => {
      const slider = view.page.getByRole("slider", { name: "Token budget" });
      await slider.press("ArrowRight");
      assert.deepEqual(await last(view, "budget"), { type: "budget", tokens: 2000 });
      assert.equal((await view.sent("prefetch")).length > 0, true);
      const pack = { ...CONTEXT.ready.packs[4000], budget: 2000 };
      await view.tell({ type: "pack", pack, rows });
      assert.match(await slider.getAttribute("aria-valuetext"), /2,000 tokens: 40 in/);
      assert.ok((await view.page.locator(".res.enters").count()) > 0);
    }));

  it("says where the budget ends, and how much is below the fold", () =>
    using("context", CONTEXT.ready, { height: 500 }, async ({ page }) => {
      assert.match(await page.locator(".edge").innerText(), /\d+ more in below · 25 left out/);
      await page.locator(".list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
      await page.waitForFunction(() => /1,500 tokens end here/.test(document.querySelector(".edge").textContent));
    }));

  it("hands on: copy, only what is new, chat, save", () =>
    using("context", CONTEXT.wideBudget, {}, async (view) => {
      await view.page.getByRole("button", { name: "Copy Context" }).click();
      assert.deepEqual(await last(view, "copy"), { type: "copy", onlyNew: false });
      await view.page.getByRole("button", { name: "Copy only 28 new" }).click();
      assert.deepEqual(await last(view, "copy"), { type: "copy", onlyNew: true });
      await view.page.getByRole("button", { name: "Open in Chat" }).click();
      await view.page.getByRole("button", { name: "Save as file" }).click();
      assert.equal((await view.sent("chat")).length + (await view.sent("save")).length, 2);
    }));

  it("keeps what somebody types while an answer comes", () =>
    using("context", CONTEXT.ready, {}, async (view) => {
      const box = view.page.getByRole("textbox", { name: "Task" });
      await box.fill("something new");
      await view.tell({ type: "state", state: context({ index: { state: "indexing", done: 1, total: 9, folder: "" } }) });
      assert.equal(await box.inputValue(), "something new");
      await view.page.getByRole("button", { name: "Cancel" }).click();
      assert.equal((await last(view, "command")).command, "knowing.cancelIndexing");
    }));

  it("offers a way out of every state without a list", () =>
    using("context", CONTEXT.error, {}, async (view) => {
      await view.page.getByRole("button", { name: "Restart Server" }).click();
      assert.equal((await last(view, "command")).command, "knowing.restartServer");
      await view.tell({ type: "state", state: CONTEXT.noPython });
      await view.page.getByRole("button", { name: "Select Interpreter" }).click();
      assert.equal((await last(view, "command")).command, "knowing.selectInterpreter");
      await view.tell({ type: "state", state: CONTEXT.nothing });
      await view.page.getByRole("button", { name: "Search text in the workspace" }).click();
      assert.deepEqual(await last(view, "command"), { type: "command", command: "workbench.action.findInFiles", argument: "Verify Stripe webhook signatures" });
      await view.tell({ type: "state", state: CONTEXT.pr });
      await view.page.getByRole("combobox", { name: "Compare with" }).selectOption("main");
      assert.deepEqual(await last(view, "base"), { type: "base", base: "main" });
    }));
});

describe("impact", () => {
  it("filters, runs tests, shows guesses and never a bare zero", () =>
    using("impact", IMPACT.ready, {}, async (view) => {
      const { page } = view;
      assert.equal(await page.getByRole("checkbox", { name: "guesses" }).isChecked(), false);
      await page.getByRole("button", { name: "Show as guesses" }).click();
      assert.equal((await last(view, "filter")).filter.guess, true);
      await page.getByRole("radio", { name: "By file" }).check();
      assert.equal((await last(view, "filter")).filter.by, "file");
      await page.getByRole("combobox", { name: "Depth" }).selectOption("2");
      assert.equal((await last(view, "filter")).filter.depth, 2);
      await page.getByRole("button", { name: "Run 53 Tests" }).click();
      assert.equal((await view.sent("runTests")).length, 1);
      const parts = await page.locator(".parts .digits").allInnerTexts();
      assert.ok(Math.abs(parts.reduce((sum, text) => sum + Number(text), 0) - 0.692) < 0.02, "parts add up to the risk");
      await view.tell({ type: "state", state: IMPACT.zero });
      assert.match(await page.locator("main").innerText(), /No callers found, but this may be incomplete/);
      await page.getByRole("button", { name: "Search the text for “_split_blueprint_path”" }).click();
      assert.equal((await last(view, "searchText")).text, "_split_blueprint_path");
    }));
});

describe("graph", () => {
  it("follows links with arrows, opens, centres, and switches to the list", async () =>
    using("graph", await graphState(), { width: 1200, height: 760 }, async (view) => {
      const { page } = view;
      const centre = "src/flask/app.py::Flask.ensure_sync";
      await page.locator(".node[tabindex='0']").focus();
      assert.equal(await focused(page), centre);
      await page.keyboard.press("ArrowLeft");
      const user = await focused(page);
      assert.notEqual(user, centre);
      assert.equal(await page.locator(".node[tabindex='0']").count(), 1);
      assert.ok((await page.locator(".links path.on").count()) > 0);
      assert.equal(await page.locator(".card.docked").isVisible(), true);
      await page.keyboard.press("Space");
      assert.deepEqual(await last(view, "centre"), { type: "centre", symbol: user });
      await page.keyboard.press("Enter");
      assert.equal((await last(view, "open")).aside, true);
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".card").isVisible(), false);
      await page.keyboard.press("3");
      assert.deepEqual(await last(view, "depth"), { type: "depth", depth: 3 });
      await page.keyboard.press("Home");
      assert.equal(await focused(page), centre);
      await page.keyboard.press("l");
      assert.ok((await page.getByRole("row").count()) > 20);
      await page.getByRole("button", { name: "Copy as list" }).click();
      assert.match((await last(view, "copyList")).text, /1\tFlask\.update_template_context\tmethod/);
    }));

  it("draws no node over another, and no label smaller than can be read", async () =>
    using("graph", await graphState({ depth: 3 }), { width: 900, height: 600 }, async ({ page }) => {
      const overlaps = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll(".node rect")].map((node) => node.getBoundingClientRect());
        return boxes.filter((a, i) => boxes.some((b, j) => i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
      });
      assert.equal(overlaps, 0);
      const scale = await page.locator("svg.graph").evaluate((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width);
      assert.ok(scale >= 0.799, `zoom ${scale}`);
    }));

  it("hides kinds of links that are switched off", async () =>
    using("graph", await graphState(), { width: 1000 }, async ({ page }) => {
      const before = await page.locator(".node").count();
      await page.getByRole("checkbox", { name: "references" }).uncheck();
      assert.ok((await page.locator(".node").count()) < before);
      assert.equal(await page.locator(".links .link-references").count(), 0);
    }));
});

describe("explain and what is indexed", () => {
  it("bars stand end to end and reach the score; a word can be tried", () =>
    using("explain", EXPLAIN.ranked, { width: 900 }, async (view) => {
      assert.match(await view.page.locator("main").innerText(), /The parts add up exactly/);
      const ends = await view.page.evaluate(() => {
        const bars = [...document.querySelectorAll(".fall tbody tr:not(.sum) .rail i")].map((bar) => bar.getBoundingClientRect());
        const total = document.querySelector(".fall .total").getBoundingClientRect();
        return [bars.at(-1).right, total.right];
      });
      assert.ok(Math.abs(ends[0] - ends[1]) < 1.5, ends.join());
      await view.page.getByRole("button", { name: "Try" }).click();
      assert.equal((await last(view, "try")).task, `${TASK} preprocess_request`);
      await view.page.getByRole("button", { name: "Pin", exact: true }).click();
      assert.equal((await last(view, "mark")).mark, "pin");
    }));

  it("an unranked symbol says why, and what would lift it", () =>
    using("explain", EXPLAIN.unranked, { width: 900 }, async ({ page }) => {
      const text = await page.locator("main").innerText();
      assert.match(text, /Not returned: its score/);
      assert.match(text, /It would rise if the task names it\./);
      assert.match(text, /Config\.from_prefixed_env/);
    }));

  it("lists what was skipped, by reason, and leads to commands", () =>
    using("indexed", INDEXED.folders, { width: 700 }, async (view) => {
      await view.page.getByText("Read in part: nothing in it looks like documentation").click();
      await view.page.getByRole("button", { name: "LICENSE.txt", exact: true }).click();
      assert.equal((await last(view, "open")).place.path, "LICENSE.txt");
      await view.page.getByRole("button", { name: "Show 5 more" }).click();
      assert.equal(await view.page.locator(".skip[open] li").count(), 17);
      await view.page.getByRole("combobox", { name: "Folder" }).selectOption("file:///src/django");
      assert.equal((await last(view, "folder")).uri, "file:///src/django");
      await view.page.getByRole("button", { name: "Clear Index…" }).click();
      assert.equal((await last(view, "command")).command, "knowing.clearIndex");
    }));
});

it("runs nothing inline and loads nothing from elsewhere", () =>
  using("context", CONTEXT.ready, {}, async ({ page, problems }) => {
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.bad = true";
      document.body.append(script);
      document.body.setAttribute("onclick", "window.bad = true");
      document.body.click();
    });
    assert.equal(await page.evaluate(() => window.bad), undefined);
    assert.ok(problems.splice(0).every((text) => /Content Security Policy|Content-Security-Policy/.test(text)));
  }));
