// The modules of ui/client: each loads by itself, and none imports another that imports it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const CLIENT = fileURLToPath(new URL("../../ui/client/", import.meta.url));
const PAGE = fileURLToPath(new URL("page.js", import.meta.url));
const DOCUMENTS = ["report.js", "watch.js"]; // scripts of exported reports and of watchers, which draw when loaded
const MODULES = readdirSync(CLIENT, { recursive: true }).filter((name) => name.endsWith(".js"));

/** The modules that one imports; with its types, those too. */
function importsOf(name, text = readFileSync(join(CLIENT, name), "utf-8")) {
  return [...text.matchAll(/^(?:import|export)\b[^;"]*?from "(\..+?)"/gm)].map(([, path]) => normalize(join(dirname(name), path)));
}

/** The first circle of imports as a path; null where there is none. */
function circle(graph) {
  const done = new Set();
  const search = (name, path) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of graph[name] ?? []) {
      const found = search(next, [...path, name]);
      if (found) return found;
    }
    done.add(name);
    return null;
  };
  return Object.keys(graph).map((name) => search(name, [])).find(Boolean) ?? null;
}

test("every module loads by itself", () => {
  const names = MODULES.filter((name) => !DOCUMENTS.includes(name));
  assert.ok(names.length > 50);
  const load = names.map((name) => `await import(${JSON.stringify(`${pathToFileURL(join(CLIENT, name))}`)} + "?alone=" + ${JSON.stringify(name)});`);
  execFileSync(process.execPath, ["--input-type=module", "-e", `import ${JSON.stringify(pathToFileURL(PAGE))};\n${load.join("\n")}`]);
});

test("no module imports another that imports it", () => {
  assert.equal(circle(Object.fromEntries(MODULES.map((name) => [name, importsOf(name)]))), null);
});

test("a circle is found", () => {
  assert.deepEqual(circle({ a: ["b"], b: ["c"], c: ["b"] }), ["b", "c", "b"]);
  assert.deepEqual(importsOf("row/x.js", 'import { a } from "../core/a.js";\nimport {\n  b,\n} from "./b.js";\nexport { c } from "./c.js";\n'),
    ["core/a.js", "row/b.js", "row/c.js"]);
});
