// Collects the texts of the extension into l10n/bundle.l10n.json; --check says whether it is current.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import ts from "typescript";

const BUNDLE = "l10n/bundle.l10n.json";
const problems = [];
const texts = new Set();

for (const file of walk("src").filter((name) => name.endsWith(".ts")).sort()) {
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true), file);
}
const sorted = [...texts].sort((a, b) => (a < b ? -1 : 1));
const bundle = JSON.stringify(Object.fromEntries(sorted.map((text) => [text, text])), null, 2) + "\n";

// Every %key% of the manifest has a text, and every text is used.
const manifest = readFileSync("package.json", "utf8");
const keys = new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]));
const nls = Object.keys(JSON.parse(readFileSync("package.nls.json", "utf8")));
for (const key of keys) if (!nls.includes(key)) problems.push(`package.nls.json lacks ${key}`);
for (const key of nls) if (!keys.has(key)) problems.push(`package.nls.json has ${key}, which nobody uses`);

if (process.argv.includes("--check")) {
  if (readFileSync(BUNDLE, "utf8") !== bundle) problems.push(`${BUNDLE} is not current: run npm run l10n`);
} else writeFileSync(BUNDLE, bundle);
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

function visit(node, file) {
  if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText())) {
    const [first] = node.arguments;
    if (first && ts.isStringLiteralLike(first)) texts.add(first.text);
    else problems.push(`${file}: the text of l10n.t has to be a literal: ${node.getText().slice(0, 80)}`);
  }
  ts.forEachChild(node, (child) => visit(child, file));
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}
