/** What chats and agents in VS Code can use. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import { registerParticipant } from "./participant";
import { registerTools } from "./tools";

export function registerChat(api: KnowingApi): vscode.Disposable {
  return vscode.Disposable.from(registerTools(api), registerParticipant(api));
}
