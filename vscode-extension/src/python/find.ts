/** Finds a Python that can run the server. */

import { existsSync, readdirSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { SECTION } from "../protocol";
import { log } from "../log";
import { candidates } from "./candidates";
import { offered } from "./offered";
import { probe, type Interpreter } from "./probe";

export interface Found {
  interpreter?: Interpreter;
  /** The newest that was found and cannot be used, for the message. */
  unusable?: string;
  reason?: string;
}

/** The versions of Python that the extension carries packages for, as `cp311`. */
export function carried(packages: string): Set<string> {
  if (!existsSync(packages)) return new Set();
  const names = readdirSync(packages).filter((name) => /^cp\d+\.zip$/.test(name));
  return new Set(names.map((name) => path.parse(name).name));
}

export async function findPython(packages: string): Promise<Found> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const trusted = vscode.workspace.isTrusted;
  const places = {
    setting: vscode.workspace.getConfiguration(SECTION).get("python.path", ""),
    // What another extension has chosen may be an environment inside the workspace.
    offered: trusted ? await offered(folders[0]?.uri) : [],
    platform: process.platform,
    forbidden: trusted ? [] : folders.map((folder) => folder.uri.fsPath),
  };
  const tags = carried(packages);
  const found: Found = {};
  for (const candidate of candidates(places)) {
    const verdict = await probe(candidate, tags);
    if (verdict.good) {
      const { executable, version } = verdict.interpreter;
      log.info(`Python ${version} at ${executable} (${candidate.source})`);
      return { interpreter: verdict.interpreter };
    }
    log.debug(`${candidate.command} (${candidate.source}): ${verdict.reason}`);
    if (verdict.version && !found.unusable) {
      found.unusable = verdict.version;
      found.reason = verdict.reason;
    } else if (places.setting) found.reason = verdict.reason;
  }
  return found;
}
