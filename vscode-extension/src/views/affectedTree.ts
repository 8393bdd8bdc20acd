/** The affected code as a tree of VS Code's own, with confidence as a badge. */

import * as vscode from "vscode";
import type { KnowingApi } from "../api";
import type { TargetParams } from "../protocol";
import type { ImpactController } from "./impactController";
import { baseName, folderName, score } from "./model/format";
import type { Group, Leaf, TreeEntry } from "./model/impact";
import { confidenceBadge, originGroup, originWord } from "./model/origin";

/** Commands are not named after the view: VS Code makes `knowing.affected.open` and others itself. */
export const AFFECTED_VIEW = "knowing.affected";
/** Rows are no files, so that badges of other extensions do not mix with ours. */
const SCHEME = "knowing-item";

const ICONS: Readonly<Record<string, string>> = {
  module: "symbol-module", namespace: "symbol-namespace", class: "symbol-class", struct: "symbol-struct",
  interface: "symbol-interface", trait: "symbol-interface", enum: "symbol-enum", type: "symbol-class",
  function: "symbol-method", method: "symbol-method", constructor: "symbol-constructor",
  property: "symbol-property", field: "symbol-field", variable: "symbol-variable",
  constant: "symbol-constant", macro: "symbol-method", enum_member: "symbol-enum-member",
  doc_section: "book", route: "link",
}; // prettier-ignore

export class AffectedTree implements vscode.TreeDataProvider<TreeEntry>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<TreeEntry>;
  private readonly subscriptions: vscode.Disposable[];
  private readonly parents = new Map<string, Group>();

  constructor(
    private readonly controller: ImpactController,
    private readonly api: KnowingApi,
    actions: { blast(target: TargetParams): Promise<void>; runTests(): Promise<void> },
  ) {
    this.view = vscode.window.createTreeView(AFFECTED_VIEW, { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = [
      this.view,
      controller.onState(() => this.refresh()),
      vscode.window.registerFileDecorationProvider({ provideFileDecoration: decoration }),
      vscode.commands.registerCommand("knowing.affectedItem.blast", (entry: TreeEntry) => {
        if (entry.type === "leaf") void actions.blast({ symbol: `${entry.item.path}::${entry.item.name}`, root: controller.root });
      }),
      vscode.commands.registerCommand("knowing.affectedItem.open", (entry: TreeEntry) => {
        if (entry.type === "leaf") void this.openSite(entry);
      }),
      vscode.commands.registerCommand("knowing.affectedItem.runTests", () => actions.runTests()),
      vscode.commands.registerCommand("knowing.affectedItem.refresh", () => controller.refresh()),
      vscode.commands.registerCommand("knowing.affectedItem.toggleGuesses", () => {
        const { filter } = controller.state();
        void controller.setFilter({ ...filter, guess: !filter.guess });
      }),
    ];
  }

  private refresh(): void {
    this.parents.clear();
    const groups = this.controller.groups();
    const { phase, counts } = this.controller.state();
    const empty = phase === "ready" && groups.length === 0;
    this.view.message = empty ? vscode.l10n.t("No callers are known. That is not the same as none: see the reasons above.") : undefined;
    this.view.badge = undefined;
    this.view.description = counts && phase === "ready" ? vscode.l10n.t("{0} symbols, {1} tests", counts.symbols, counts.tests) : undefined;
    this.changed.fire(undefined);
  }

  getChildren(entry?: TreeEntry): TreeEntry[] {
    if (!entry) return this.controller.groups();
    if (entry.type === "leaf") return [];
    for (const child of entry.children) this.parents.set(child.id, entry);
    return entry.children;
  }

  getParent(entry: TreeEntry): TreeEntry | undefined {
    return this.parents.get(entry.id);
  }

  getTreeItem(entry: TreeEntry): vscode.TreeItem {
    return entry.type === "leaf" ? this.leafItem(entry) : groupItem(entry);
  }

  private leafItem(leaf: Leaf): vscode.TreeItem {
    const { item } = leaf;
    const row = new vscode.TreeItem(item.name || baseName(item.path));
    row.id = leaf.id;
    const inFile = this.parents.get(leaf.id)?.kind === "file";
    const place = inFile ? vscode.l10n.t("line {0}", item.via.line) : `${baseName(item.via.path)}:${item.via.line}`;
    const edge = item.via.edge === "calls" ? "" : ` · ${item.via.edge.replace(/_/g, " ")}`;
    row.description = `${originWord(item.origin)} · ${place}${edge}`;
    row.tooltip = tooltip(leaf);
    row.iconPath = new vscode.ThemeIcon(leaf.test ? "beaker" : (ICONS[item.kind] ?? "symbol-misc"), iconColour(leaf));
    row.resourceUri = vscode.Uri.from({ scheme: SCHEME, path: `/${item.path}`, query: `${item.confidence}`, fragment: originGroup(item.origin) });
    row.contextValue = leaf.test ? "knowing.test" : "knowing.symbol";
    row.command = { command: "knowing.affectedItem.open", title: vscode.l10n.t("Open"), arguments: [leaf] };
    row.accessibilityInformation = {
      label: `${item.name}, ${item.kind.replace(/_/g, " ")}, ${item.via.edge.replace(/_/g, " ")}, ${originWord(item.origin)}, ${vscode.l10n.t("confidence {0}", score(item.confidence))}, ${item.via.path}:${item.via.line}`,
    };
    return row;
  }

  /** At the call site, where the dependence is. */
  private async openSite(leaf: Leaf): Promise<void> {
    const { via } = leaf.item;
    const at = new vscode.Position(Math.max(0, via.line - 1), 0);
    await vscode.window.showTextDocument(this.api.uriOf(this.controller.root, via.path), { selection: new vscode.Range(at, at), preview: true });
  }

  async reveal(): Promise<void> {
    const [first] = this.controller.groups();
    if (first) await this.view.reveal(first, { select: false, focus: false, expand: true });
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.changed).dispose();
  }
}

function iconColour(leaf: Leaf): vscode.ThemeColor | undefined {
  if (leaf.test) return new vscode.ThemeColor("charts.green");
  const kind = /^(class|struct|type|enum)$/.test(leaf.item.kind) ? "class" : /^(function|method|constructor|macro)$/.test(leaf.item.kind) ? "method" : "field";
  return new vscode.ThemeColor(`symbolIcon.${kind}Foreground`);
}

function tooltip({ item }: Leaf): vscode.MarkdownString {
  const lines = [
    `**${item.name}** (${item.kind.replace(/_/g, " ")})`,
    `\`${item.path}:${item.line}\``,
    vscode.l10n.t("{0} {1} at {2}:{3}", item.via.edge.replace(/_/g, " "), item.target ?? "", item.via.path, item.via.line),
    vscode.l10n.t("{0}, confidence {1}", originWord(item.origin), score(item.confidence)),
  ];
  const text = new vscode.MarkdownString(lines.join("\n\n"));
  if (item.text) text.appendCodeblock(item.text);
  return text;
}

function groupItem(group: Group): vscode.TreeItem {
  const open = group.kind === "possible" || group.kind === "documents" || group.kind === "file" || group.depth > 2 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
  const row = new vscode.TreeItem(groupLabel(group), open);
  row.id = group.id;
  row.description = group.kind === "file" ? [folderName(group.path), group.size].filter(Boolean).join(" · ") : String(group.size);
  row.contextValue = group.kind === "tests" ? "knowing.tests" : `knowing.group.${group.kind}`;
  const icons = { depth: group.depth > 1 ? "type-hierarchy" : "references", tests: "beaker", documents: "book", possible: "question", file: "file-code" };
  row.iconPath = new vscode.ThemeIcon(icons[group.kind]);
  return row;
}

function groupLabel(group: Group): string {
  switch (group.kind) {
    case "depth":
      return group.depth === 1 ? vscode.l10n.t("Direct") : vscode.l10n.t("Depth {0}", group.depth);
    case "tests":
      return vscode.l10n.t("Tests to run");
    case "documents":
      return vscode.l10n.t("Documentation");
    case "possible":
      return vscode.l10n.t("Possible, by name only");
    case "file":
      return baseName(group.path);
  }
}

function decoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== SCHEME) return undefined;
  const confidence = Number(uri.query);
  const guess = uri.fragment === "guess";
  const colour = guess ? new vscode.ThemeColor("list.warningForeground") : undefined;
  return new vscode.FileDecoration(confidenceBadge(confidence), vscode.l10n.t("confidence {0}", score(confidence)), colour);
}
