// Packs the extension for one platform; bundle.py has made what it carries.
//   node scripts/package.mjs [--target linux-x64] [--out FILE]
import { existsSync, readFileSync, statSync, mkdirSync } from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";

const LARGEST_VSIX = 110e6;
const LARGEST_BUNDLE = 1e6;

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const target = option("target", `${process.platform}-${process.arch}`);
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const out = path.resolve(option("out", `build/knowing-${target}-${version}.vsix`));

if (!existsSync("bundled/packages/common.zip")) fail("bundled/packages is missing: run make vsix");
run(process.execPath, ["esbuild.mjs"]);
limit("dist/extension.js", LARGEST_BUNDLE);
mkdirSync(path.dirname(out), { recursive: true });
run(process.execPath, [
  "node_modules/@vscode/vsce/vsce",
  "package",
  "--target",
  target,
  "--no-dependencies",
  "--no-rewrite-relative-links",
  "--allow-missing-repository",
  "--out",
  out,
]);
limit(out, LARGEST_VSIX);
console.log(out);

function limit(file, most) {
  const { size } = statSync(file);
  console.log(`${path.basename(file)}: ${(size / 1e6).toFixed(2)} MB of at most ${most / 1e6} MB`);
  if (size > most) fail(`${file} is too large`);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}
