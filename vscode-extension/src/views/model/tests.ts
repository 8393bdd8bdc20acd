/** Commands that run chosen tests, as a program and its arguments, so that no shell misreads them. */

import type { Affected } from "../../protocol";
import { folderName } from "./format";

export interface TestCommand {
  runner: string;
  program: string;
  args: string[];
  /** Where to run it, relative to the root. */
  folder: string;
  tests: number;
}

/** From so many tests of one file on, the file is run as a whole. */
const MANY = 25;

/** Text of a file relative to the root; undefined if there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

export interface TestPlan {
  commands: TestCommand[];
  /** Files of tests for which no runner is known. */
  unknown: string[];
}

export async function testPlan(tests: readonly Affected[], read: ReadFile): Promise<TestPlan> {
  const groups = new Map<string, { runner: string; folder: string; tests: Affected[] }>();
  for (const test of tests) {
    const { runner, folder } = await runnerOf(test.path, read);
    const key = `${runner}\n${folder}`;
    const found = groups.get(key) ?? { runner, folder, tests: [] };
    found.tests.push(test);
    groups.set(key, found);
  }
  const plan: TestPlan = { commands: [], unknown: [] };
  for (const { runner, folder, tests: chosen } of groups.values()) {
    const make = RUNNERS[runner];
    if (make) plan.commands.push(...make(folder, chosen));
    else plan.unknown.push(...new Set(chosen.map((test) => test.path)));
  }
  return plan;
}

async function runnerOf(path: string, read: ReadFile): Promise<{ runner: string; folder: string }> {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  if (extension === "py") return { runner: "pytest", folder: "" };
  if (extension === "go") return { runner: "go", folder: await above(path, "go.mod", read) };
  if (extension === "rs") return { runner: "cargo", folder: await above(path, "Cargo.toml", read) };
  if (/^[cm]?[jt]sx?$/.test(extension)) return ecmascript(path, read);
  if (extension === "rb") return { runner: path.endsWith("_spec.rb") ? "rspec" : "", folder: "" };
  return { runner: "", folder: "" };
}

function* upwards(path: string): Generator<string> {
  for (let folder = folderName(path); folder; folder = folderName(folder)) yield folder;
  yield "";
}

const joined = (folder: string, name: string): string => (folder ? `${folder}/${name}` : name);
const within = (path: string, folder: string): string =>
  folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

async function above(path: string, name: string, read: ReadFile): Promise<string> {
  for (const folder of upwards(path)) {
    if ((await read(joined(folder, name))) !== undefined) return folder;
  }
  return "";
}

async function ecmascript(path: string, read: ReadFile): Promise<{ runner: string; folder: string }> {
  for (const folder of upwards(path)) {
    const text = await read(joined(folder, "package.json"));
    if (text === undefined) continue;
    const runner = ["vitest", "jest", "mocha"].find((name) => text.includes(`"${name}`) || text.includes(`${name} `));
    return { runner: runner ?? "", folder };
  }
  return { runner: "", folder: "" };
}

function perFile(tests: readonly Affected[]): Map<string, Affected[]> {
  const files = new Map<string, Affected[]>();
  for (const test of tests) files.set(test.path, [...(files.get(test.path) ?? []), test]);
  return files;
}

const lastName = (test: Affected): string => test.name.slice(test.name.lastIndexOf(".") + 1);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

type Make = (folder: string, tests: readonly Affected[]) => TestCommand[];

function pytest(folder: string, tests: readonly Affected[]): TestCommand[] {
  const args = ["-m", "pytest"];
  for (const [path, here] of perFile(tests)) {
    if (here.length >= MANY) args.push(path);
    else args.push(...distinct(here.map((test) => `${path}::${test.name.split(".").join("::")}`)));
  }
  return [{ runner: "pytest", program: "python", args, folder, tests: tests.length }];
}

function go(folder: string, tests: readonly Affected[]): TestCommand[] {
  const packages = distinct(tests.map((test) => `./${within(folderName(test.path), folder)}`.replace(/\/$/, "")));
  const names = distinct(tests.map((test) => escaped(lastName(test))));
  const args = ["test", ...packages, "-run", `^(${names.join("|")})$`];
  return [{ runner: "go test", program: "go", args, folder, tests: tests.length }];
}

function cargo(folder: string, tests: readonly Affected[]): TestCommand[] {
  const args = ["test", "--", ...distinct(tests.map(lastName))];
  return [{ runner: "cargo test", program: "cargo", args, folder, tests: tests.length }];
}

function titled(runner: string, words: readonly string[], flag: string): Make {
  return (folder, tests) => {
    const names = distinct(tests.map((test) => escaped(lastName(test))));
    const chosen = names.length < MANY ? [flag, names.join("|")] : [];
    const files = distinct(tests.map((test) => within(test.path, folder)));
    return [{ runner, program: "npx", args: [...words, ...files, ...chosen], folder, tests: tests.length }];
  };
}

function rspec(folder: string, tests: readonly Affected[]): TestCommand[] {
  const places = [...perFile(tests)].flatMap(([path, here]) =>
    here.length >= MANY ? [path] : distinct(here.map((test) => `${path}:${test.line}`)),
  );
  const args = ["exec", "rspec", ...places];
  return [{ runner: "rspec", program: "bundle", args, folder, tests: tests.length }];
}

const RUNNERS: Readonly<Record<string, Make>> = {
  pytest,
  go,
  cargo,
  vitest: titled("vitest", ["vitest", "run"], "-t"),
  jest: titled("jest", ["jest"], "-t"),
  mocha: titled("mocha", ["mocha"], "--grep"),
  rspec,
};
