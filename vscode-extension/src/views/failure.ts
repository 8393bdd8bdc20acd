/** A question that was not answered, as the Context view shows it. */

import * as vscode from "vscode";
import { KnowingError, type KnowingApi } from "../api";
import type { Phase } from "./model/messages";

export function failureOf(api: KnowingApi, error: unknown): Phase {
  const report = api.serverReport;
  if (report.state === "noPython") return { kind: "noPython", detail: report.detail ?? "" };
  if (error instanceof vscode.CancellationError) return { kind: "empty" };
  const message = error instanceof Error ? error.message : String(error);
  const server = report.state === "failed" || report.state === "stopped";
  if (server) {
    return { kind: "error", message: report.detail ?? message, hint: vscode.l10n.t("Your index is safe. Search again after a restart."), server };
  }
  return { kind: "error", message, hint: error instanceof KnowingError ? error.hint : "", server };
}
