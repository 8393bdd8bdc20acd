/** What the shell of the webviews needs of `vscode`, in English. */

export const env = { language: "en" };

export const l10n = { t: (message: string): string => message };

export class Uri {
  constructor(readonly path: string) {}

  static joinPath(base: { path: string }, ...parts: string[]): Uri {
    return new Uri([base.path, ...parts].join("/"));
  }
}
