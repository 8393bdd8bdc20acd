/** The page around a webview: a strict policy, the bundled script and styles, the texts. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { strings } from "./strings";

export type PageName = "context" | "impact" | "graph" | "explain" | "indexed";

export function webviewRoot(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, "dist", "webview");
}

export function options(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [webviewRoot(extension)] };
}

function escaped(text: string): string {
  const marks: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (mark) => marks[mark] ?? mark);
}

/** Nothing inline runs, nothing is loaded but our own files, nothing is sent anywhere. */
export function html(webview: vscode.Webview, extension: vscode.Uri, name: PageName, title: string): string {
  const nonce = randomBytes(18).toString("base64url");
  const root = webviewRoot(extension);
  const file = (path: string): string => webview.asWebviewUri(vscode.Uri.joinPath(root, path)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const texts = JSON.stringify(strings()).replace(/</g, "\\u003c");
  const place = name === "context" || name === "impact" ? "in-side-bar" : "in-editor";
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${file("codicon.css")}">
<link rel="stylesheet" href="${file(`${name}.css`)}">
<script type="application/json" id="strings">${texts}</script>
</head>
<body class="${place}">
<script nonce="${nonce}" src="${file(`${name}.js`)}"></script>
</body>
</html>`;
}
