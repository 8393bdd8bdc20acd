// Tries the packed extension in a real workbench.
//   WORKBENCH=DIR node test/e2e/run.mjs [--only PART] [--vsix FILE] [--images]
// Parts: main, chat, restricted, folders. With --images the pictures under docs/images are made anew.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { chatPart } from "./chat.mjs";
import { foldersPart, restrictedPart } from "./places.mjs";
import { mainPart } from "./main.mjs";
import { install } from "./workbench.mjs";

const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const vsix = path.resolve(option("vsix") ?? `build/knowing-linux-x64-${version}.vsix`);
const failures = path.resolve("build/e2e");
const images = process.argv.includes("--images") ? path.resolve("../docs/images") : undefined;

if (!process.env.WORKBENCH) fail("WORKBENCH is to name the folder that test/e2e/setup.sh has filled");
if (!existsSync(vsix)) fail(`${vsix} is missing: run make vsix`);
rmSync(failures, { recursive: true, force: true });
mkdirSync(failures, { recursive: true });

const started = Date.now();
const seconds = () => ((Date.now() - started) / 1000).toFixed(1).padStart(6);
const ENOUGH = 5;
let failed = 0;

/** One thing that a user would notice; what goes wrong is shown, and the next one is tried. */
async function step(bench, name, work) {
  if (failed >= ENOUGH) return;
  try {
    const said = await work();
    console.log(`${seconds()} ok    ${name}${said ? `: ${said}` : ""}`);
  } catch (error) {
    failed += 1;
    const file = path.join(failures, `${name.replace(/\W+/g, "-")}.png`);
    await bench.page?.screenshot({ path: file }).catch(() => undefined);
    console.log(`${seconds()} FAIL  ${name}\n${error instanceof Error ? error.stack : error}\n  ${file}`);
    // Whatever is open would be in the way of the next step.
    for (let times = 0; times < 3; times += 1) await bench.page?.keyboard.press("Escape").catch(() => undefined);
  }
}

const helper = path.resolve("build/e2e-helper.vsix");
execFileSync(process.execPath, [path.resolve("node_modules/@vscode/vsce/vsce"), "package", "--no-dependencies", "--skip-license", "--out", helper], { cwd: "test/e2e/helper", stdio: "pipe" });

const parts = { main: mainPart, chat: chatPart, restricted: restrictedPart, folders: foldersPart };
const only = option("only");
for (const [name, part] of Object.entries(parts)) {
  if (only && only !== name) continue;
  console.log(`${seconds()} ${name}`);
  const temporary = mkdtempSync(path.join(os.tmpdir(), "knowing-work-"));
  const dir = install(name === "chat" ? [vsix, helper] : [vsix]);
  let bench;
  try {
    await part({
      dir,
      temporary,
      images,
      step: (title, work) => step(bench ?? {}, `${name}: ${title}`, work),
      opened: (found) => (bench = found),
    });
  } catch (error) {
    failed += 1;
    console.log(`${seconds()} FAIL  ${name}: ${error instanceof Error ? error.stack : error}`);
  } finally {
    if (bench && failed) console.log(`the log of the extension:\n${bench.log().slice(-4000)}`);
    await bench?.close();
    rmSync(temporary, { recursive: true, force: true });
    if (!failed) rmSync(dir, { recursive: true, force: true });
  }
}
console.log(`${seconds()} ${failed ? `${failed} failed; pictures in ${failures}` : "all passed"}`);
process.exit(failed ? 1 : 0);

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}
