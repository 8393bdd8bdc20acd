// Pictures of each view for the documentation, in three themes and two widths.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { TASK } from "./workspace.mjs";

export const THEMES = [
  { name: "dark", id: "Default Dark Modern" },
  { name: "light", id: "Default Light Modern" },
  { name: "high-contrast", id: "Default High Contrast" },
];
export const WIDTHS = [1000, 1600];

export async function picture(bench, theme, width, folder) {
  const { page } = bench;
  mkdirSync(folder, { recursive: true });
  await page.setViewportSize({ width, height: 900 });
  bench.configure({ "workbench.colorTheme": theme.id });
  await page.waitForTimeout(800);
  const shoot = (view) => page.screenshot({ path: path.join(folder, `${view}-${theme.name}-${width}.png`) });

  await bench.command("View: Close All Editors");
  await bench.command("Notifications: Clear All Notifications");
  await bench.openFile("tiny/scaffold.py", 17, 12);
  await page.locator(".codelens-decoration", { hasText: /caller/ }).first().waitFor();
  await bench.command("Knowing: Get Context for a Task");
  await bench.ask(TASK);
  await bench.choose("Knowing: Set Token Budget", "1,000");
  await page.waitForTimeout(400);
  await shoot("context");

  await bench.openFile("tiny/scaffold.py", 17, 12);
  await bench.command("Knowing: Show Blast Radius");
  await page.locator(".pane", { hasText: "Affected Code" }).locator(".monaco-list-row", { hasText: "protect" }).first().waitFor();
  await page.waitForTimeout(400);
  // The summary above the tree is longer than its share of the side bar.
  await page.locator(".pane-header", { hasText: "Context" }).first().click();
  await page.waitForTimeout(400);
  await shoot("impact");
  await page.locator(".pane-header", { hasText: "Context" }).first().click();

  await bench.command("Knowing: Show Graph Around Symbol");
  await bench.frame("svg [role=button], svg .node");
  await page.waitForTimeout(400);
  await shoot("graph");

  await bench.choose("Knowing: Explain the Score of a Symbol", "before_request");
  await bench.frame("main.explain, .waterfall, .explain");
  await page.waitForTimeout(400);
  await shoot("explain");

  await bench.command("Knowing: Show What Is Indexed");
  await bench.frame("main.indexed, .indexed");
  await page.waitForTimeout(400);
  await shoot("indexed");
}
