"""Many modules as one file: what it exports is what the modules by themselves export."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.client.node import HERE, run_node
from ui.charts import CHARTS
from ui.platform.assets import bundle, client_file, modules, provide

BESIDE = {
    "entry.js": """import {
  one, two as second, later,
} from "./core/numbers.js";
import { shape } from "./shape.js";
/** @import { Kind } from "./types.js" */
/** A text that says: import { x } from "./nothing.js" */
export const sum = one + second();
export async function by(name) { return (await import(`./${name}`)).one; }
export { two, later as soon, here } from "./core/numbers.js";
export { own as mine };
export function self() { return shape + hoisted(); }
function hoisted() { return `${one}`; }
const own = "own; export const text = 1";
""",
    "shape.js": 'import { one } from "./core/numbers.js";\nexport const shape = one;\n',
    "core/numbers.js": """export const one = 1; // of these
export function two() { return new Two().value; }
export class Two { value = 2; }
export const [first, last] = ["a", "z"];
export const { later, soon: never } = { later: 3, soon: 4 };
export const here = import.meta.url.split("/").slice(-2).join("/");
""",
}
ASKED = """
const client = await import(process.argv[1]), kept = {};
for (const [name, value] of Object.entries(client)) {
  kept[name] = typeof value === "function" ? String(await value("core/numbers.js")) : value;
}
console.log(JSON.stringify(kept));
"""


def written(folder, texts):
    """Modules in a folder, by their names."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return {name: folder / name for name in texts}


def exports(script):
    """The values that a module exports, and what its functions return."""
    return json.loads(run_node("--input-type=module", "-e", ASKED, script))


def test_one_file_exports_what_the_modules_do(tmp_path):
    texts = BESIDE | {"core/numbers.js": BESIDE["core/numbers.js"].replace("soon: never", "soon")}
    files = written(tmp_path / "modules", texts)
    alone = tmp_path / "alone.mjs"
    alone.write_text(bundle(files, "entry.js"))
    (tmp_path / "modules" / "package.json").write_text('{"type": "module"}')
    there = exports(files["entry.js"])
    own = {"mine": "own; export const text = 1", "self": "11"}
    assert exports(alone) == there == {"sum": 3, "by": "1", "two": "2", "soon": 3, "here": "core/numbers.js"} | own


def test_an_entry_may_import_by_name_while_it_is_run(tmp_path):
    entry = 'import { one } from "./one.js";\nimport(`./${"one.js"}`).then((found) => console.log(one + found.one));'
    files = written(tmp_path, {"entry.js": entry, "one.js": "export const one = 1;"})
    (tmp_path / "alone.mjs").write_text(bundle(files, "entry.js"))
    assert run_node(tmp_path / "alone.mjs") == "2\n"


WORKS = """
globalThis.Worker = class {
  constructor(address, { type }) {
    fetch(address).then((answer) => answer.text()).then((text) => import(`data:text/javascript,${encodeURIComponent(text)}`));
    console.log(type);
  }
};
await import(process.argv[1]);
"""


def test_the_modules_of_a_worker_stand_in_the_file_as_a_text(tmp_path):
    entry = 'export const started = new Worker(new URL("./beside/it.js", import.meta.url), { type: "module" });'
    beside = 'import { one } from "../one.js";\nconsole.log(`"works" on ${one}`);'
    files = written(tmp_path, {"entry.js": entry, "beside/it.js": beside, "one.js": "export const one = 1;"})
    (tmp_path / "alone.mjs").write_text(bundle(files, "entry.js"))
    assert run_node("--input-type=module", "-e", WORKS, tmp_path / "alone.mjs") == 'module\n"works" on 1\n'


def test_the_client_is_one_file_with_each_module_at_most_once(tmp_path):
    text = bundle(modules(), "client.js")
    assert all(text.count(f'"{name}": $') <= 1 for name in modules())
    imported_by_name = {chart.declaration["module"] for chart in CHARTS.values()}
    assert all(f'"{name}": $' in text for name in imported_by_name)
    (tmp_path / "client.mjs").write_text(text)
    page = f"import {json.dumps(str(HERE / 'page.js'))};"
    print_names = f"{page} console.log(Object.keys(await import(process.argv[1])).join());"
    assert run_node("--input-type=module", "-e", print_names, tmp_path / "client.mjs") == "load,mount,onKeys,receive,watch\n"


@pytest.mark.parametrize(
    "text",
    [
        "export let count = 0;", "export default 1;", 'import all from "./shape.js";', 'import * as all from "./shape.js";',
        'import "./shape.js";', 'const all = import("./shape.js");', "export { a\n", 'import { a } from "outside";',
    ],
)  # fmt: skip
def test_what_it_does_not_understand_is_an_error(tmp_path, text):
    with pytest.raises(ValueError, match="entry.js cannot be bundled"):
        bundle(written(tmp_path, BESIDE | {"entry.js": text}), "entry.js")


def test_the_copy_of_another_version_stays_for_a_server_that_still_runs(tmp_path):
    other = tmp_path / "client-0123456789ab/client.js"
    other.parent.mkdir()
    other.touch()
    provide(tmp_path)
    assert other.is_file() and (tmp_path / client_file()).is_file()
    for file in (other, tmp_path / client_file()):
        os.utime(file, (0, 0))  # nobody has started either for decades
    provide(tmp_path)
    assert not other.parent.exists() and (tmp_path / client_file()).is_file()


def test_an_installed_app_need_not_write_into_its_folder(tmp_path, monkeypatch):
    provide(tmp_path)

    def refuse(*args, **named):
        raise PermissionError

    for module, name in ((os, "utime"), (Path, "write_bytes"), (Path, "replace"), (shutil, "copyfile")):
        monkeypatch.setattr(module, name, refuse)
    provide(tmp_path)
