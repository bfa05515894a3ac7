// What ESLint checks in ui/client: its recommended rules, and those below. Types are checked by TypeScript, see jsconfig.json.

import js from "@eslint/js";
import globals from "globals";

export default [
  {
    files: ["ui/client/**/*.js"],
    ...js.configs.recommended,
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      "complexity": ["error", 15],
      "eqeqeq": ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: 140, ignoreTemplateLiterals: true, ignoreStrings: true }],
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", 40],
      "no-eval": "error",
      "no-implicit-globals": "error",
      "no-implied-eval": "error",
      "no-param-reassign": "error",
      "no-shadow": ["error", { allow: ["_"] }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Names from people's tables are text: use textContent." },
        { property: "outerHTML", message: "Names from people's tables are text: use textContent." },
        { property: "insertAdjacentHTML", message: "Names from people's tables are text: use textContent." },
      ],
    },
  },
];
