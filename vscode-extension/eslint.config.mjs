import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", ".vscode-test/", "build/"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: ["tsconfig.json", "webview/tsconfig.json"], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      complexity: ["error", 12],
      "max-lines": ["error", { max: 400 }],
      "max-lines-per-function": ["error", { max: 80 }],
      // Numbers and counts stand in texts all the time.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "max-lines-per-function": "off", "@typescript-eslint/no-unsafe-assignment": "off" },
  },
  {
    files: ["**/*.mjs", "test/e2e/helper/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["process", "console", "URL", "Buffer", "fetch", "setTimeout", "clearTimeout", "window", "document", "getComputedStyle", "require", "exports"].map((name) => [name, "readonly"]),
      ),
    },
  },
);
