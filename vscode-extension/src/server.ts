/** The server as a process: started, watched, started again, given up on. */

import * as vscode from "vscode";
import { CloseAction, CodeLensRequest, ErrorAction, LanguageClient, RevealOutputChannelOn, State, Trace, type LanguageClientOptions } from "vscode-languageclient/node";
import { KnowingError, type ServerReport } from "./api";
import { log, messageOf } from "./log";
import { middlewareOf, type Hooks } from "./middleware";
import { SECTION } from "./protocol";
import { findPython } from "./python/find";
import type { Interpreter } from "./python/probe";
import { Coalesced, CrashLimit } from "./restarts";
import { programOf, type Paths } from "./runtime";
import { settingsFor } from "./settings";

const MOST_CRASHES = 4;
const WITHIN_MS = 3 * 60_000;
const STOPPING_MS = 3000;

export class Server implements vscode.Disposable {
  readonly #reports = new vscode.EventEmitter<ServerReport>();
  readonly onReport = this.#reports.event;
  readonly #clients = new vscode.EventEmitter<LanguageClient>();
  /** A client that is about to start: time to register for notifications. */
  readonly onClient = this.#clients.event;

  #report: ServerReport = { state: "stopped" };
  #client: LanguageClient | undefined;
  #interpreter: Interpreter | undefined;
  #timer: NodeJS.Timeout | undefined;
  #complaint = "";
  #disposed = false;
  readonly #crashes = new CrashLimit(MOST_CRASHES, WITHIN_MS);
  readonly #starts = new Coalesced(() => this.#startAnew());

  constructor(
    private readonly paths: Paths,
    private readonly hooks: Hooks,
  ) {}

  get report(): ServerReport {
    return this.#report;
  }

  /** The Python that the server runs with, once one was found. */
  get interpreter(): Interpreter | undefined {
    return this.#interpreter;
  }

  /** Starts the server, or stops the one that runs and starts another. */
  restart(): Promise<void> {
    this.#crashes.forget();
    return this.#starts.request();
  }

  /** Has VS Code ask for code lenses again. */
  refreshCodeLenses(): void {
    const feature = this.#client?.getFeature(CodeLensRequest.method);
    for (const { document } of vscode.window.visibleTextEditors) {
      feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
  }

  /** Stops the server until `restart`. */
  stop(): Promise<void> {
    return this.#stop();
  }

  /** Resolves once there is a server to ask; rejects if there will be none. */
  async ready(token?: vscode.CancellationToken): Promise<LanguageClient> {
    while (this.#report.state === "starting") await this.#next(token);
    if (this.#report.state === "running" && this.#client) return this.#client;
    const { state, detail } = this.#report;
    const why = detail ?? vscode.l10n.t("The language server is not running.");
    const hint = state === "noPython" ? vscode.l10n.t("Select an interpreter.") : vscode.l10n.t("Restart the server.");
    throw new KnowingError(why, hint, "ServerDown");
  }

  dispose(): void {
    this.#disposed = true;
    void this.#stop();
    this.#reports.dispose();
    this.#clients.dispose();
  }

  #next(token?: vscode.CancellationToken): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = vscode.Disposable.from(
        this.onReport(() => {
          done.dispose();
          resolve();
        }),
        token?.onCancellationRequested(() => {
          done.dispose();
          reject(new vscode.CancellationError());
        }) ?? { dispose: () => undefined },
      );
    });
  }

  #say(report: ServerReport): void {
    if (this.#disposed) return;
    this.#report = report;
    log.info(`server: ${report.state}${report.detail ? `: ${report.detail}` : ""}`);
    this.#reports.fire(report);
  }

  async #startAnew(): Promise<void> {
    await this.#stop();
    if (this.#disposed) return;
    this.#say({ state: "starting" });
    const found = await findPython(this.paths.packages);
    this.#interpreter = found.interpreter;
    if (!found.interpreter) {
      this.#say({ state: "noPython", detail: withoutPython(found.unusable, found.reason) });
      return;
    }
    const client = this.#clientOf(found.interpreter);
    this.#client = client;
    this.#clients.fire(client);
    try {
      await client.start();
      await client.setTrace(traceLevel());
      if (this.#client === client) this.#say({ state: "running" });
    } catch (error) {
      log.error(`the server does not start: ${messageOf(error)}`);
      if (this.#client === client) this.#ended(client);
    }
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    this.#say({ state: "stopped" });
    try {
      if (client.state === State.Running) await client.stop(STOPPING_MS);
      await client.dispose(STOPPING_MS);
    } catch (error) {
      log.debug(`while stopping: ${messageOf(error)}`);
    }
  }

  #clientOf(interpreter: Interpreter): LanguageClient {
    const program = programOf(interpreter, this.paths, ["server", "--stdio"]);
    log.info(`starting ${program.command} ${program.args.join(" ")}`);
    this.#complaint = "";
    const { command, args, cwd } = program;
    const client: LanguageClient = new LanguageClient(
      SECTION,
      "Knowing",
      { command, args, options: { cwd } },
      this.#options(() => this.#ended(client)),
    );
    return client;
  }

  #options(ended: () => void): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: "file" }],
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: {
        [SECTION]: settingsFor(this.hooks.manifest, undefined),
        trusted: vscode.workspace.isTrusted,
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          // Restarting is ours: it looks for Python again, and knows when to give up.
          setTimeout(ended, 0);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      stdioOptions: {
        // Carries the protocol: nobody else may read it.
        stdout: () => undefined,
        stderr: (input) => {
          input.setEncoding("utf8").on("data", (text: string) => this.#heard(text));
        },
      },
      middleware: middlewareOf(this.hooks),
    };
  }

  /** What the server writes to its log; the last of it is the best reason for a crash. */
  #heard(text: string): void {
    for (const line of text.split(/\r?\n/).filter(Boolean)) {
      this.#complaint = line;
      if (/ (ERROR|CRITICAL) /.test(line)) log.error(line);
      else if (line.includes(" WARNING ")) log.warn(line);
      else log.info(line);
    }
  }

  #ended(client: LanguageClient): void {
    if (this.#client !== client || this.#disposed) return;
    this.#client = undefined;
    client.dispose(STOPPING_MS).catch(() => undefined);
    const wait = this.#crashes.crashed();
    if (wait === undefined) {
      const times = this.#crashes.count;
      const last = this.#complaint || vscode.l10n.t("no message");
      this.#say({
        state: "failed",
        detail: vscode.l10n.t(
          "The language server stopped {0} times in a row, last with “{1}”. Your index is safe.",
          times,
          last,
        ),
      });
      return;
    }
    this.#say({ state: "starting", detail: vscode.l10n.t("The language server stopped and is started again.") });
    this.#timer = setTimeout(() => void this.#starts.request(), wait);
  }
}

function withoutPython(unusable: string | undefined, reason: string | undefined): string {
  if (!unusable) {
    const why = reason ? ` (${reason})` : "";
    return vscode.l10n.t("Knowing needs Python 3.11 or newer; none was found{0}.", why);
  }
  return reason === "too old"
    ? vscode.l10n.t("Knowing needs Python 3.11 or newer; found Python {0}.", unusable)
    : vscode.l10n.t("Knowing cannot use Python {0}: {1}.", unusable, reason ?? "");
}

function traceLevel(): Trace {
  return Trace.fromString(vscode.workspace.getConfiguration(SECTION).get("trace.server", "off"));
}
