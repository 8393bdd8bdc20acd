/** What the editor sets: only what somebody has set, so that defaults never hide a project file. */

import * as vscode from "vscode";
import { SECTION } from "./protocol";

/** The parts of what VS Code says about a setting that are used. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

interface Manifest {
  contributes: { configuration: { properties?: Record<string, unknown> }[] };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

/** Settings of the server, without the name of the section; the extension's own come first. */
export function serverKeys(manifest: Manifest): string[] {
  const declared = manifest.contributes.configuration[1]?.properties ?? {};
  return Object.keys(declared).map((key) => key.slice(SECTION.length + 1));
}

export function restrictedKeys(manifest: Manifest): Set<string> {
  const listed = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  return new Set(listed.map((key) => key.slice(SECTION.length + 1)));
}

/** The values that somebody has set, by dotted key; the innermost place wins. */
export function setValues(
  keys: readonly string[],
  inspect: (key: string) => Inspected | undefined,
  ignoresWorkspace: (key: string) => boolean,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const key of keys) {
    const found = inspect(key);
    const inner = ignoresWorkspace(key) ? undefined : (found?.workspaceFolderValue ?? found?.workspaceValue);
    const value = inner ?? found?.globalValue;
    if (value !== undefined) values[key] = value;
  }
  return values;
}

/** Settings as the server asks for them, for one folder. */
export function settingsFor(manifest: Manifest, scope: vscode.Uri | undefined): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope ?? null);
  const restricted = restrictedKeys(manifest);
  return setValues(
    serverKeys(manifest),
    (key) => configuration.inspect(key),
    (key) => !vscode.workspace.isTrusted && restricted.has(key),
  );
}

/** Whether one of our features is on. */
export function isOn(feature: string, scope?: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration(SECTION, scope ?? null).get(`${feature}.enabled`, true);
}
