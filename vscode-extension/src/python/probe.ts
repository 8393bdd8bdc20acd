/** Looks at a Python interpreter: what it is, and whether it can run the server. */

import { execFile } from "node:child_process";

export const OLDEST = { major: 3, minor: 11 } as const;

/** An interpreter that answered. */
export interface Interpreter {
  /** What to run, with arguments that come first (`py -3`). */
  command: string;
  args: readonly string[];
  /** The file that runs in the end. */
  executable: string;
  version: string;
  /** `cp311`, as `bundled/start.py` names the packages. */
  tag: string;
}

/** A way to start Python, and where it was found. */
export interface Candidate {
  command: string;
  args?: readonly string[];
  source: string;
}

export type Verdict =
  | { good: true; interpreter: Interpreter }
  | { good: false; reason: string; version?: string };

// Runs in any Python, also one that is far too old; the `t` is for builds without the global lock.
const QUESTION = [
  "import sys, json, sysconfig",
  "v = sys.version_info",
  "free = sysconfig.get_config_var('Py_GIL_DISABLED')",
  "name = getattr(getattr(sys, 'implementation', None), 'name', 'cpython')",
  "tag = ('cp' if name == 'cpython' else name) + str(v[0]) + str(v[1]) + ('t' if free else '')",
  "print(json.dumps([sys.executable, '%d.%d.%d' % v[:3], tag]))",
].join("; ");

const PATIENCE_MS = 10_000;

/** Asks an interpreter what it is; never rejects. */
export async function probe(candidate: Candidate, tags: ReadonlySet<string>): Promise<Verdict> {
  const args = [...(candidate.args ?? []), "-I", "-c", QUESTION];
  try {
    return judge(candidate, await output(candidate.command, args), tags);
  } catch (error) {
    return { good: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What an answer means; `tags` are those that packages are carried for, all if empty. */
export function judge(candidate: Candidate, answer: string, tags: ReadonlySet<string>): Verdict {
  const parsed = parse(answer);
  if (!parsed) return { good: false, reason: `unexpected answer: ${answer.trim().slice(0, 200)}` };
  const [executable, version, tag] = parsed;
  if (!isNewEnough(version)) return { good: false, reason: "too old", version };
  if (tags.size > 0 && !tags.has(tag)) {
    return { good: false, reason: `no packages for ${tag}`, version };
  }
  const { command, args = [] } = candidate;
  return { good: true, interpreter: { command, args, executable, version, tag } };
}

function parse(answer: string): [string, string, string] | undefined {
  try {
    // A start-up hook may print before us.
    const found: unknown = JSON.parse(answer.trim().split("\n").pop() ?? "");
    if (Array.isArray(found) && found.length === 3 && found.every((part) => typeof part === "string")) {
      return found as [string, string, string];
    }
  } catch {
    // Said by the caller.
  }
  return undefined;
}

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      [...args],
      { timeout: PATIENCE_MS, windowsHide: true },
      (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else reject(new Error(stderr.trim().split("\n").pop() ?? error.message));
      },
    );
  });
}
