// What ESLint checks in ui/client, in ui/notebook and in their tests: its recommended rules, and those below. Types are checked by TypeScript, see jsconfig.json.

import js from "@eslint/js";
import globals from "globals";
import { dirname, relative, resolve, sep } from "node:path";

// The folders of ui/client, the lowest first: a module imports from its own folder and from lower lines. The files beside the folders
// are the entries; they import from everywhere.
const CLIENT = resolve(import.meta.dirname, "ui/client");
const LAYERS = [["core"], ["model"], ["charts"], ["plane", "rules", "row"], ["compare", "paint", "sweep", "tuning", "learn", "stage", "rail"]];

/** The folder of ui/client that a file is in, and the number of its layer. */
function placeOf(file) {
  const [folder, ...rest] = relative(CLIENT, file).split(sep);
  return rest.length ? { folder, layer: LAYERS.findIndex((layer) => layer.includes(folder)) } : { folder: "", layer: LAYERS.length };
}

/** Reports imports from a higher folder, or from another one of the same layer. */
const downward = {
  create(context) {
    const here = placeOf(context.filename);
    const check = (node) => {
      if (!node.source || typeof node.source.value !== "string") return;
      const there = placeOf(resolve(dirname(context.filename), node.source.value));
      if (there.folder === here.folder || (there.layer >= 0 && there.layer < here.layer)) return;
      context.report({ node, message: `${here.folder} may not import from ${there.folder || "an entry"}: see LAYERS in eslint.config.js.` });
    };
    return {
      Program(node) {
        if (here.layer < 0) context.report({ node, message: `The folder ${here.folder} has no place in LAYERS of eslint.config.js.` });
      },
      ImportDeclaration: check, ImportExpression: check, ExportNamedDeclaration: check, ExportAllDeclaration: check,
    };
  },
};

const rules = {
  ...js.configs.recommended.rules,
  "complexity": ["error", 15],
  "eqeqeq": ["error", "always", { null: "ignore" }],
  "max-len": ["error", { code: 140, ignoreTemplateLiterals: true, ignoreStrings: true }],
  "max-lines": ["error", 450],
  "max-lines-per-function": ["error", 40],
  "no-eval": "error",
  "no-implicit-globals": "error",
  "no-implied-eval": "error",
  "no-param-reassign": "error",
  "no-shadow": ["error", { allow: ["_"] }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
};

const markup = ["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => (
  { property, message: "Names from people's tables are text: use textContent." }));

const modules = { ecmaVersion: 2023, sourceType: "module" };

export default [
  {
    files: ["ui/client/**/*.js"],
    languageOptions: { ...modules, globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { layers: { rules: { downward } } },
    rules: { ...rules, "layers/downward": "error", "no-restricted-properties": ["error", ...markup] },
  },
  {
    files: ["ui/notebook/*.js"],
    languageOptions: { ...modules, globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules,
  },
  {
    files: ["tests/client/*.js"],
    languageOptions: { ...modules, globals: { ...globals.nodeBuiltin, requestAnimationFrame: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules,
  },
];
