// States of the views, from real answers about flask.
import { readFileSync } from "node:fs";

const read = (name) => JSON.parse(readFileSync(`test/views/fixtures/${name}.json`, "utf8"));
export const TASK = "Add a before_request hook that validates API keys";
const { rows, packs } = read("context");
const blast = { ...read("blast"), root: "/src/flask", index: {}, markdown: "" };

const FRESH = { state: "fresh", files: 83, symbols: 1478, skipped: 0, folder: "flask" };
const HOUR = 3_600_000;

export function context(change = {}) {
  const now = Date.now();
  return {
    mode: "task", task: TASK, source: "", base: "origin/main", bases: ["origin/main", "main"],
    history: [{ task: TASK, at: now }, { task: "Make session cookies expire on logout", at: now - 2 * HOUR }, { task: "Support async error handlers", at: now - 30 * HOUR }],
    examples: ["Where is the configuration read?", "What validates user input?"],
    phase: { kind: "ready" }, busy: false, index: FRESH, trusted: true, budget: 1500, rows, packs,
    marks: { [rows[0].id]: { pinned: true, thumb: 1 } }, banned: 0, notes: [], given: 0, answer: 1, ...change,
  };
}

const blank = (phase, change = {}) => context({ phase, rows: [], packs: {}, history: [], ...change });

const few = (change) => context({ rows: rows.slice(0, 14), ...change });

export const CONTEXT = {
  ready: context(),
  wideBudget: context({ budget: 4000, given: 12, banned: 2, index: { ...FRESH, skipped: 12 } }),
  empty: blank({ kind: "empty" }, { task: "" }),
  loading: blank({ kind: "loading" }, { busy: true }),
  nothing: blank({ kind: "nothing", because: ["No symbol, file, doc or commit holds webhook, stripe, or a known synonym.", "4 TypeScript files were skipped: larger than 1 MB."] }, { task: "Verify Stripe webhook signatures" }),
  error: blank({ kind: "error", message: "The language server stopped three times in a row, last with “index is locked by another process”.", hint: "Your index is safe. Search again after a restart.", server: true }),
  noPython: blank({ kind: "noPython", detail: "Found Python 3.9.18." }, { index: { state: "unknown" } }),
  indexing: few({ index: { state: "indexing", done: 340, total: 2788, folder: "flask" } }),
  stale: few({ index: { state: "stale", pending: 3, folder: "flask", notes: [] } }),
  cancelled: few({ index: { state: "cancelled", files: 340, folder: "flask" }, trusted: false }),
  selection: few({ mode: "selection", source: "app.py:1271–1298" }),
  pr: few({ mode: "pr", source: "Changes against" }),
};

const filter = { by: "depth", depth: 3, lsp: true, syntax: true, guess: false };
const { symbol, risk, complete, reasons, index, possible_count } = blast;
const answer = { symbol, risk, complete, reasons, index, possible_count };
const impact = (change = {}) => ({ phase: "ready", error: "", hint: "", candidates: [], subject: symbol.name, answer, counts: { direct: 19, symbols: 89, tests: 53, files: 23, guesses: 2 }, filter, trusted: true, ...change });

export const IMPACT = {
  ready: impact(),
  complete: impact({ answer: { ...answer, complete: true, reasons: [], risk: { ...risk, level: "high", score: 0.77 } } }),
  zero: impact({ answer: { ...answer, symbol: { ...symbol, name: "_split_blueprint_path" }, reasons: ["string: called through a string at src/flask/helpers.py:212", "skipped: 12 files were skipped (8 larger than 1 MB, 4 not UTF-8)"], risk: { level: "medium", score: 0.4, parts: [{ name: "visibility", value: 0.04, detail: "private" }, { name: "users", value: 0, detail: "direct users: 0" }, { name: "unknown", value: 0.36, detail: "there may be users that are not known" }] } }, counts: { direct: 0, symbols: 0, tests: 0, files: 0, guesses: 0 } }),
  empty: impact({ phase: "empty", answer: undefined, counts: undefined }),
  error: impact({ phase: "error", answer: undefined, error: "several symbols are called handle", hint: "Choose one.", candidates: ["src/flask/app.py::Flask.handle", "src/flask/blueprints.py::Blueprint.handle"] }),
};

const explanation = (name) => ({ ...read(name), root: "/src/flask", markdown: "" });
const explain = (change) => ({ phase: "ready", error: "", hint: "", task: TASK, symbol: "", place: { path: "src/flask/app.py", line: 1271 }, trials: [], marks: { pinned: false, thumb: 0 }, ...change });
const ranked = explanation("explain");
const learned = { ...ranked, parts: [...ranked.parts, { name: "variety", value: -0.12, detail: "like others that come before it" }, { name: "session", value: 0.06, detail: "opened three minutes ago" }] };
learned.score += 0.12 * -1 + 0.06;

export const EXPLAIN = {
  ranked: explain({ answer: learned, symbol: learned.symbol, trials: [{ task: `${TASK} preprocess_request`, word: "preprocess_request", rank: 2, score: 2.31 }] }),
  unranked: explain({ answer: explanation("unranked"), symbol: explanation("unranked").symbol, trials: [{ task: `${TASK} from_object`, word: "from_object", rank: 3, score: 1.9 }] }),
  error: explain({ phase: "error", error: "no symbol is called Nope", hint: "Name it as Owner.name.", symbol: "Nope" }),
};

const status = { ...read("status"), uri: "file:///src/flask", name: "flask", indexing: false, index: { state: "fresh", generation: 1, files: 186, symbols: 3121, edges: 14716, pending: 0, notes: [] }, folders: [], markdown: "" };
const indexed = (change = {}) => ({ phase: "ready", error: "", status, line: { ...FRESH, files: 186, symbols: 3121 }, trusted: true, versions: { extension: "0.1.0", server: "running" }, ...change });

export const INDEXED = {
  fresh: indexed(),
  indexing: indexed({ line: { state: "indexing", done: 340, total: 2788, folder: "flask" } }),
  untrusted: indexed({ trusted: false }),
  folders: indexed({ status: { ...status, folders: [{ uri: "file:///src/flask", name: "flask", root: "", index: status.index }, { uri: "file:///src/django", name: "django", root: "", index: status.index }] } }),
};
export { blast };
