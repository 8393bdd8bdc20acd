// Renders the webviews in a real browser as VS Code would: their own bundle, the host's policy, a theme.
/* global MutationObserver */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";

export const NAMES = ["context", "impact", "graph", "explain", "indexed"];
export const THEMES = JSON.parse(readFileSync("test/views/browser/themes.json", "utf8"));
const OUT = path.resolve("build/webviews");
const ORIGIN = "http://webview.test";
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };

export async function bundle() {
  mkdirSync(OUT, { recursive: true });
  const shared = { bundle: true, outdir: OUT, logLevel: "warning", target: "es2022" };
  await build({
    ...shared,
    entryPoints: NAMES.flatMap((name) => [
      { in: `webview/${name}/main.ts`, out: name },
      { in: `webview/${name}/main.css`, out: name },
    ]),
    platform: "browser",
    format: "iife",
    external: ["*.ttf"],
  });
  await build({
    ...shared,
    entryPoints: [
      { in: "src/views/shell.ts", out: "shell" },
      { in: "test/views/browser/graphs.ts", out: "graphs" },
    ],
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    alias: { vscode: path.resolve("test/views/browser/vscode.ts") },
  });
  for (const file of ["codicon.css", "codicon.ttf"]) copyFileSync(`node_modules/@vscode/codicons/dist/${file}`, `${OUT}/${file}`);
}

/** Real answers as the graph that the host makes of them. */
export async function graphState(change = {}) {
  const { graphFixture } = await import(path.join(OUT, "graphs.mjs"));
  return { phase: "ready", error: "", data: graphFixture(), depth: 2, ...change };
}

export async function openBrowser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
}

/** A page that shows one webview; `sent` is what it asked of the host. */
export async function openView(browser, name, { theme = "dark", width = 340, height = 700, reducedMotion = "no-preference" } = {}) {
  const { html } = await import(path.join(OUT, "shell.mjs"));
  const webview = { cspSource: ORIGIN, asWebviewUri: (uri) => `${ORIGIN}${uri.path.slice(uri.path.lastIndexOf("/"))}` };
  const { class: kind, values } = THEMES[theme];
  const source = html(webview, { path: "/extension" }, name, name).replace('<body class="', `<body class="${kind} `);
  const page = await (await browser.newContext({ viewport: { width, height }, reducedMotion })).newPage();
  const problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/") return route.fulfill({ contentType: "text/html", body: source });
    const file = path.join(OUT, pathname);
    return route.fulfill({ contentType: TYPES[path.extname(file)] ?? "text/plain", body: readFileSync(file) });
  });
  await page.addInitScript((variables) => {
    const sent = (window.sent = []);
    let state;
    window.acquireVsCodeApi = () => ({ postMessage: (message) => sent.push(message), getState: () => state, setState: (value) => (state = value) });
    const paint = () => Object.entries(variables).forEach(([key, value]) => document.documentElement.style.setProperty(`--${key}`, value));
    if (document.documentElement) paint();
    else new MutationObserver((_, self) => { if (document.documentElement) { paint(); self.disconnect(); } }).observe(document, { childList: true });
  }, values);
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => window.sent.some((message) => message.type === "ready"));
  return {
    page,
    problems,
    tell: (message) => page.evaluate((told) => window.postMessage(told, "*"), message).then(() => page.waitForTimeout(0)),
    sent: (type) => page.evaluate((wanted) => window.sent.filter((message) => message.type === wanted), type),
    close: () => page.context().close(),
  };
}

/** Violations of WCAG 2.2 A and AA and of good practice, in words. */
export async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync("node_modules/axe-core/axe.min.js", "utf8"));
  const { violations: found } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], rules: { region: { enabled: true } } }),
  );
  return found.map((one) => `${one.impact} ${one.id}: ${one.nodes.slice(0, 4).map((node) => `${node.target.join(" ")} ${(node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? "").slice(0, 140)}`).join(" | ")}`);
}

/** Elements that stick out sideways: nothing may be cut off. */
export async function overflowing(page) {
  return page.evaluate(() => {
    const found = [];
    if (document.documentElement.scrollWidth > window.innerWidth) found.push(`page ${document.documentElement.scrollWidth} > ${window.innerWidth}`);
    for (const element of document.querySelectorAll("button, .note, .btn, h1, h2, .seg label, .edge, .foot, .actions, .sum, table, .chip")) {
      if (element.closest(".stage, svg, [hidden], .popup, .res .why")) continue;
      const box = element.getBoundingClientRect();
      if (box.width && (box.right > window.innerWidth + 1 || box.left < -1)) found.push(`${element.className || element.tagName} ${Math.round(box.left)}-${Math.round(box.right)}: ${element.textContent.slice(0, 30)}`);
    }
    return found;
  });
}
