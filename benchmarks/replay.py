"""How smoothly a replay draws planes, in a real browser: ``python -m benchmarks.replay [--seconds 8] [--json FILE]``.

Two runs of 20 rules on the breast cancer data stand side by side, each with 200 epochs and 40 recorded rule bases, on a page of
``ui/client`` alone. The replay runs at 20 epochs/s. Prints, for the plane alone, for all views of the tab Samples, and for the
stage with its plane or its grid:

- frames: a second; on a machine that others use, too, fewer than alone;
- longest: milliseconds of processor time of the longest task of the page, and "waited" its milliseconds by the clock;
- busy: share of a processor that the page takes; nodes: its elements.
"""

import argparse
import json
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from tests.chromium import running
from tests.client.conftest import Client, Files
from tests.client.messages import made_message
from tests.client.rulebases import sentences
from tsk_core import TSKClassifier, load_dataset
from tsk_core.explain import rows_to_show
from tsk_core.live import as_snapshot

_EPOCHS, _RECORDED, _RULES = 200, 40, 20
_VIEWS = {
    "plane": ("epochs", "plane"), "Samples": ("epochs", "plane", "reasons", "curves"),
    "stage": ("epochs", "stage"), "stage, grid": ("epochs", "stage"),
}  # fmt: skip
_SHOW = """
const { mount, receive } = await import("/client/client.js"), { setOptions } = await import("/client/core/store.js");
const [message, options] = JSON.parse(given[0]);
receive(message);
mount(document.getElementById("place"), options);
setOptions({ beside: true, speed: 20 });
if (options.grid) (await import("/client/model/selection.js")).selectGrid(true);
"""
_COUNT = """
let frames = 0;
const end = performance.now() + given[0], next = () => new Promise((done) => requestAnimationFrame(done));
while (performance.now() < end) await next().then(() => { frames += 1; });
return frames;
"""


def run_of(name: str, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A run as the page is sent it, whose rules move to their places; and its rows."""
    data = load_dataset("breast_cancer")
    split = data.split(0.3, 0)
    model = TSKClassifier(n_rules=_RULES, max_epochs=20, random_state=seed).fit(data.X.iloc[split.train], data.y[split.train])
    rules, rows = model.to_dict(), rows_to_show(model.encoder_, model.classes_, data.X, data.y, split)
    away = np.random.default_rng(seed).normal(size=np.shape([rule["centers"] for rule in rules["rules"]]))
    recorded = []
    for k in range(_RECORDED):
        moved, left = [], 1 - k / _RECORDED
        for rule, by in zip(rules["rules"], away, strict=True):
            centers = [m + left * a * (s or 0) for m, s, a in zip(rule["centers"], rule["sigmas"], by, strict=True)]
            moved.append(rule | {"centers": centers})
        recorded.append(as_snapshot(rules | {"rules": moved}, 1 + k * _EPOCHS // _RECORDED))
    firing = np.random.default_rng(seed).dirichlet(np.ones(_RULES), _EPOCHS).round(4).tolist()
    run = {
        "run": name, "about": {"ended": True, "label": name},
        "epochs": [{"epoch": epoch + 1, "firing": firing[epoch]} for epoch in range(_EPOCHS)],
        "snapshots": {"base": {part: value for part, value in rules.items() if part != "rules"}, "list": recorded},
        "ruleBases": {"list": [sentences(recorded[-1], rules, rows["x"])]},
    }  # fmt: skip
    return run, rows


def replayed(browser: Browser, page: Page, message: str, seconds: float) -> dict[str, float]:
    """Each figure of one page. message: and the options of the views, as JSON."""
    client = Client(page, page.url)
    client.run(_SHOW, message)
    page.wait_for_timeout(3000)
    page.get_by_role("button", name="Replay training").click()
    page.wait_for_timeout(500)  # the press itself
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"])
    frames = client.run(_COUNT, 1000 * seconds)
    events = [event for event in json.loads(browser.stop_tracing())["traceEvents"] if event.get("ph") == "X"]
    thread = next(event["tid"] for event in events if event["name"] == "FireAnimationFrame")
    tasks = [event for event in events if event["name"] == "RunTask" and event["tid"] == thread]
    return {
        "frames": frames / seconds, "longest": max(task.get("tdur", 0) for task in tasks) / 1000,
        "waited": max(task["dur"] for task in tasks) / 1000, "busy": sum(task.get("tdur", 0) for task in tasks) / 1e6 / seconds,
        "nodes": client.run("return document.querySelectorAll('*').length;"),
    }  # fmt: skip


def main() -> None:
    """Read the arguments and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8, help="of the replay (default 8, of 10)")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    given = parser.parse_args()
    (shown, rows), (beside, _) = run_of("now", 0), run_of("before", 1)
    found = {}
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server, running() as browser:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, views in _VIEWS.items():
            options = {"views": views, "data": "breast cancer", "rows": rows, "run": "now", "grid": "grid" in name}
            with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
                message = json.dumps([made_message(shown, beside), options])
                page = context.new_page()
                page.goto(f"http://127.0.0.1:{server.server_port}/")
                found[name] = replayed(browser, page, message, given.seconds)
            print(name, *(f"{part} {value:.4g}" for part, value in found[name].items()), sep="  ", flush=True)
        server.shutdown()
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
