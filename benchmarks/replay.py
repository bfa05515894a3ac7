"""How smoothly a replay draws planes, in a real browser: ``python -m benchmarks.replay [--seconds 8] [--json FILE]``.

Two runs of 20 rules on the breast cancer data stand side by side, each with 200 epochs and 40 recorded rule bases, on a page of
``ui/client`` alone. The replay runs at 20 epochs/s. Prints, for the plane alone and for all views of the tab Samples:

- first: milliseconds of the longest task of the page while both planes are drawn for the first time;
- frames: a second, while the replay runs; longest: milliseconds of its longest task; busy: share of the time in tasks over 50 ms;
- nodes: elements of the page.
"""

import argparse
import json
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page

from tests.chromium import running
from tests.client.conftest import Client, Files
from tests.client.messages import made_message
from tests.client.rulebases import sentences
from tsk_core import TSKClassifier, load_dataset
from tsk_core.explain import rows_to_show
from tsk_core.live import as_snapshot

_EPOCHS, _RECORDED, _RULES = 200, 40, 20
_VIEWS = {"plane": ("epochs", "plane"), "Samples": ("epochs", "plane", "reasons", "curves")}
_WATCH = """
globalThis.tasks = [];
globalThis.frames = 0;
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
const count = () => { frames += 1; requestAnimationFrame(count); };
requestAnimationFrame(count);
"""
_SHOW = """
const { mount, receive } = await import("/client/client.js"), { setOptions } = await import("/client/core/store.js");
const [message, options] = JSON.parse(given[0]);
receive(message);
mount(document.getElementById("place"), options);
setOptions({ beside: true, speed: 20 });
"""
_TAKE = "const found = { tasks: [...tasks], frames }; tasks.length = 0; frames = 0; return found;"


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
        "run": name, "fields": ["stage", "epoch", "firing"], "about": {"ended": True, "label": name},
        "epochs": [["training", epoch + 1, firing[epoch]] for epoch in range(_EPOCHS)],
        "snapshots": {"base": {part: value for part, value in rules.items() if part != "rules"}, "list": recorded},
        "ruleBases": {"list": [sentences(recorded[-1], rules, rows["x"])]},
    }  # fmt: skip
    return run, rows


def replayed(page: Page, address: str, message: str, seconds: float) -> dict[str, float]:
    """Each figure of one page. message: and the options of the views, as JSON."""
    page.goto(address)
    client = Client(page, address)
    client.run(_WATCH)
    client.run(_SHOW, message)
    page.wait_for_timeout(6000)
    first = client.run(_TAKE)
    page.get_by_role("button", name="Replay training").click()
    page.wait_for_timeout(500)  # the press itself
    client.run(_TAKE)
    page.wait_for_timeout(1000 * seconds)
    found, nodes = client.run(_TAKE), client.run("return document.querySelectorAll('*').length;")
    return {
        "first": max(first["tasks"], default=0), "frames": found["frames"] / seconds, "longest": max(found["tasks"], default=0),
        "busy": sum(found["tasks"]) / 1000 / seconds, "nodes": nodes,
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
            options = {"views": views, "data": "breast cancer", "rows": rows}
            with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
                message = json.dumps([made_message(shown, beside), options])
                found[name] = replayed(context.new_page(), f"http://127.0.0.1:{server.server_port}/", message, given.seconds)
            print(name, *(f"{part} {value:.4g}" for part, value in found[name].items()), sep="  ", flush=True)
        server.shutdown()
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
