// Bundles the extension to dist/extension.js and each webview/<name>/main.ts to dist/webview/.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { context } from "esbuild";

const watch = process.argv.includes("--watch");
const minify = !process.argv.includes("--no-minify");

const webviews = existsSync("webview")
  ? readdirSync("webview", { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(`webview/${entry.name}/main.ts`))
      .map((entry) => entry.name)
      .sort()
  : [];

const shared = { bundle: true, minify, sourcemap: watch, legalComments: "none", logLevel: "info" };

const builds = [
  {
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    mainFields: ["module", "main"],
  },
  ...(webviews.length
    ? [
        {
          ...shared,
          // A main.css beside a main.ts that does not import it is an entry point of its own.
          entryPoints: webviews.flatMap((name) => [
            { in: `webview/${name}/main.ts`, out: name },
            ...(existsSync(`webview/${name}/main.css`)
              ? [{ in: `webview/${name}/main.css`, out: name }]
              : []),
          ]),
          outdir: "dist/webview",
          platform: "browser",
          format: "iife",
          target: "es2022",
          loader: { ".ttf": "file", ".woff": "file", ".svg": "dataurl" },
          external: ["*.ttf"],
        },
      ]
    : []),
];

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/webview", { recursive: true });
for (const file of ["codicon.css", "codicon.ttf"]) {
  copyFileSync(`node_modules/@vscode/codicons/dist/${file}`, `dist/webview/${file}`);
}
for (const options of builds) {
  const build = await context(options);
  if (watch) await build.watch();
  else {
    await build.rebuild();
    await build.dispose();
  }
}
