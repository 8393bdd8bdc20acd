/** How programs of the server's package are started: with our packages, away from the workspace. */

import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import * as vscode from "vscode";
import type { Interpreter } from "./python/probe";

export interface Program {
  command: string;
  args: string[];
  cwd: string;
}

/** Where things are. */
export interface Paths {
  start: string;
  packages: string;
  /** Where packages are unpacked. */
  home: string;
  /** A folder that is nobody's workspace. */
  neutral: string;
}

const LARGEST_OUTPUT = 64 * 1024 * 1024;

export function pathsOf(context: vscode.ExtensionContext): Paths {
  const storage = context.globalStorageUri.fsPath;
  mkdirSync(storage, { recursive: true });
  return {
    start: context.asAbsolutePath("bundled/start.py"),
    packages: context.asAbsolutePath("bundled/packages"),
    home: vscode.Uri.joinPath(context.globalStorageUri, "packages").fsPath,
    neutral: storage,
  };
}

/** `-I`: neither the folder it is started in nor the environment can put modules before ours. */
export function programOf(interpreter: Interpreter, paths: Paths, rest: readonly string[]): Program {
  const { command, args } = interpreter;
  const own = ["-I", paths.start, "--packages", paths.packages, "--home", paths.home];
  return { command, args: [...args, ...own, ...rest], cwd: paths.neutral };
}

/** Runs a command to its end; its output, or an error with the last line it complained with. */
export function run(program: Program, token?: vscode.CancellationToken): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program.command,
      program.args,
      { cwd: program.cwd, maxBuffer: LARGEST_OUTPUT, windowsHide: true },
      (error, stdout, stderr) => {
        stopped?.dispose();
        if (!error) resolve(stdout);
        else if (token?.isCancellationRequested) reject(new vscode.CancellationError());
        else reject(new Error(lastLine(stderr) ?? error.message));
      },
    );
    const stopped = token?.onCancellationRequested(() => child.kill());
  });
}

function lastLine(text: string): string | undefined {
  return text.split("\n").filter((line) => line.trim()).pop();
}
