/** What is indexed, arranged for a page. */

import type { Skipped, StatusAnswer } from "../../protocol";

export interface SkipGroup {
  reason: string;
  paths: string[];
}

/** Skipped files by reason, the most frequent first; what is read in part is a group like others. */
export function skipGroups(skipped: readonly Skipped[]): SkipGroup[] {
  const groups = new Map<string, string[]>();
  for (const { path, reason } of skipped) groups.set(reason, [...(groups.get(reason) ?? []), path]);
  return [...groups]
    .map(([reason, paths]) => ({ reason, paths: [...paths].sort() }))
    .sort((a, b) => b.paths.length - a.paths.length || a.reason.localeCompare(b.reason));
}

export interface Share {
  name: string;
  files: number;
  /** Of the language with the most files. */
  share: number;
}

export function shares(counts: Readonly<Record<string, number>>): Share[] {
  const most = Math.max(1, ...Object.values(counts));
  return Object.entries(counts)
    .map(([name, files]) => ({ name, files, share: files / most }))
    .sort((a, b) => b.files - a.files || a.name.localeCompare(b.name));
}

/** Files that are really left out, not merely read in part. */
export function leftOut(status: StatusAnswer): Skipped[] {
  return status.skipped.filter(({ reason }) => !reason.startsWith("read in part") && reason !== "version control data");
}
