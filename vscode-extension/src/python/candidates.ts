/** Ways to start Python, best first. */

import * as path from "node:path";
import type { Candidate } from "./probe";

export interface Places {
  /** The setting; if it is set, nothing else is tried. */
  setting: string;
  /** What other extensions offer for the workspace. */
  offered: readonly Candidate[];
  platform: NodeJS.Platform;
  /** Folders of a workspace that is not trusted: nothing in them is run. */
  forbidden: readonly string[];
}

const NEWER = ["3.14", "3.13", "3.12", "3.11"];

export function candidates(places: Places): Candidate[] {
  const { setting, offered, platform, forbidden } = places;
  if (setting) return [{ command: setting, source: "knowing.python.path" }];
  const onPath = platform === "win32" ? windows() : unix(platform);
  const all = [...offered, ...onPath].filter((found) => !isInside(found.command, forbidden));
  const seen = new Set<string>();
  return all.filter(({ command, args = [] }) => {
    const key = [command, ...args].join("\0");
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
}

function unix(platform: NodeJS.Platform): Candidate[] {
  const names = ["python3", "python", ...NEWER.map((version) => `python${version}`)];
  // A VS Code that is started from the Dock does not have the PATH of a shell.
  const folders = platform === "darwin" ? ["/opt/homebrew/bin", "/usr/local/bin"] : ["/usr/local/bin", "/usr/bin"];
  return [
    ...names.map((command) => ({ command, source: "PATH" })),
    ...folders.flatMap((folder) =>
      ["python3", ...NEWER.map((version) => `python${version}`)].map((name) => ({
        command: path.posix.join(folder, name),
        source: folder,
      })),
    ),
  ];
}

function windows(): Candidate[] {
  return [
    { command: "python3", source: "PATH" },
    { command: "python", source: "PATH" },
    { command: "py", args: ["-3"], source: "py launcher" },
    ...NEWER.map((version) => ({ command: "py", args: [`-${version}`], source: "py launcher" })),
  ];
}

function isInside(command: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, command);
    return path.isAbsolute(command) && !relative.startsWith("..") && !path.isAbsolute(relative);
  });
}
