// Unit tests: bundles test/unit and test/views with a stand-in for `vscode`, and runs them in mocha.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const folders = ["test/unit", "test/views"].filter((folder) => existsSync(folder));
const entryPoints = folders.flatMap((folder) => walk(folder)).filter((file) => file.endsWith(".test.ts")).sort();

rmSync("build/test", { recursive: true, force: true });
await build({
  entryPoints,
  outdir: "build/test",
  outbase: "test",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
  logOverride: { "import-is-undefined": "silent" },
  alias: { vscode: path.resolve("test/stub/vscode.ts") },
  external: ["mocha"],
});
const mocha = path.resolve("node_modules/mocha/bin/mocha.js");
const args = ["--enable-source-maps", mocha, "--reporter", "dot", "build/test/**/*.test.js", ...process.argv.slice(2)];
process.exit(spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1);

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}
