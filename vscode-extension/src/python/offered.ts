/** Interpreters that other extensions have chosen; both are optional, neither is waited for long. */

import * as vscode from "vscode";
import { log, messageOf } from "../log";
import type { Candidate } from "./probe";

const ENVIRONMENTS = "ms-python.vscode-python-envs";
const PYTHON = "ms-python.python";
const PATIENCE_MS = 3000;

/** The parts of their interfaces that are used. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<
    { execInfo?: { run?: { executable?: string; args?: string[] } } } | undefined
  >;
}

interface PythonApi {
  environments: {
    getActiveEnvironmentPath(scope?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<
      { executable: { uri?: vscode.Uri } } | undefined
    >;
  };
}

export async function offered(scope: vscode.Uri | undefined): Promise<Candidate[]> {
  const found = await Promise.all([
    ask<EnvironmentsApi>(ENVIRONMENTS, async (api) => {
      const run = (await api.getEnvironment(scope))?.execInfo?.run;
      return run?.executable ? { command: run.executable, args: run.args ?? [], source: ENVIRONMENTS } : undefined;
    }),
    ask<PythonApi>(PYTHON, async ({ environments }) => {
      const chosen = environments.getActiveEnvironmentPath(scope);
      const file = (await environments.resolveEnvironment(chosen))?.executable.uri;
      return file ? { command: file.fsPath, source: PYTHON } : undefined;
    }),
  ]);
  return found.filter((candidate) => candidate !== undefined);
}

type Answer = Promise<Candidate | undefined>;

// The type is what the other extension promises to export.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
async function ask<T>(id: string, question: (api: T) => Answer): Answer {
  const extension = vscode.extensions.getExtension<T>(id);
  if (!extension) return undefined;
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));
  const answer = async (): Answer => question(await extension.activate());
  try {
    return await Promise.race([answer(), late]);
  } catch (error) {
    log.warn(`${id} does not say which Python to use: ${messageOf(error)}`);
    return undefined;
  }
}
