// Helps the tests from inside the extension host: a model that answers offline, and calls of tools.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");

const MODEL = {
  id: "echo",
  name: "Echo",
  family: "echo",
  version: "1",
  maxInputTokens: 100_000,
  maxOutputTokens: 4096,
  capabilities: { toolCalling: true },
  isUserSelectable: true,
  isDefault: true,
};

const CALLS = [
  ["knowing_get_task_context", { task: "validate API keys before every request", budget: 2000 }],
  ["knowing_get_change_context", {}],
  ["knowing_get_blast_radius", { symbol: "Scaffold.before_request" }],
  ["knowing_explain_score", { task: "validate API keys before every request", symbol: "Scaffold.before_request" }],
  ["knowing_find_symbol", { query: "before_request" }],
  ["knowing_get_index_status", {}],
  ["knowing_get_blast_radius", { symbol: "no_such_symbol" }],
];

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("e2e", {
      provideLanguageModelChatInformation: async () => [MODEL],
      provideLanguageModelChatResponse: async (_model, messages, _options, progress) => {
        const text = messages.map((message) => JSON.stringify(message.content)).join("\n");
        const told = text.includes("def before_request") ? "with context" : "without context";
        progress.report(new vscode.LanguageModelTextPart(`ECHO ${told}`));
      },
      provideTokenCount: async (_model, text) => String(text.content ?? text).length,
    }),
    vscode.commands.registerCommand("e2e.tools", callTools),
  );
  // The chat picks a model only after somebody has asked for one.
  await vscode.lm.selectChatModels({ vendor: "e2e" });
};

/** Calls every tool and writes what it answered to a file, where the tests find it. */
async function callTools() {
  const results = [];
  for (const [name, input] of CALLS) {
    try {
      const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      results.push({ name, text: result.content.map((part) => part.value).join("") });
    } catch (error) {
      results.push({ name, error: String(error.message ?? error) });
    }
  }
  fs.writeFileSync(path.join(os.homedir(), "tools.json"), JSON.stringify(results));
}
