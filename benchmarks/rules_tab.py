"""The tab Rules with a large rule base: ``python -m benchmarks.rules_tab [--rules 200] [--columns 300] [--rows 1000] [--json]``.

Makes random rules, writes them in words as a run keeps them, and draws them with the page's own JavaScript in Chromium, without
the app. Prints milliseconds: of the server, to write the message; of the browser, from the message to the first cards on the
screen, to all cards unfolded, to take a rule out, and to unfold each picture. The least of ``--times`` repetitions.
"""

import argparse
import json
import os
import time

import numpy as np
from playwright.sync_api import Page, Route, sync_playwright

from tsk_core.explain import RuleBaseSummary
from tsk_core.live import as_snapshot, rules_as_texts
from ui.platform.assets import CLIENT, PLOTLY

HOST = "http://rules.test"  # of no machine: every request is answered here
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
BLANK = "<!doctype html><link rel=stylesheet href=/client/client.css><main id=place></main>"
DRAW = """async ([message, options]) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const ms = {}, timed = async (name, act) => {
    const began = performance.now();
    act();
    await painted();
    await painted();
    ms[name] = Math.round(performance.now() - began);
  };
  const client = await import("/client/client.js"), place = document.querySelector("#place");
  const without = (kind) => message.filter((part) => part.kind !== kind);
  await timed("first cards", () => {
    client.receive(without("snapshots"));
    client.mount(place, { views: ["ruleBar", "rules"] });
  });
  await timed("models and rows", () => {
    client.receive(without("ruleBases"));
    client.mount(place.appendChild(document.createElement("div")), { views: ["pictures"], ...options });
  });
  await new Promise((done) => setTimeout(done, 4000)); // a visitor reads
  await timed("take a rule out", () => document.querySelector(".tsk-eye-place button").click());
  await timed("take another out", () => document.querySelectorAll(".tsk-eye-place button")[1].click());
  await timed("all cards", () => document.querySelector(".tsk-more > summary").click());
  for (const kind of ["grid", "terms", "network", "classes"]) await timed(kind, () => document.querySelector(`.tsk-picture-${kind} > summary`).click());
  return ms;
}"""  # noqa: E501 (a line of JavaScript)


def random_rules(n_rules: int, n_columns: int, seed: int = 0) -> tuple[dict, np.ndarray]:
    """Exported rules of three classes, and rows for them."""
    rng = np.random.default_rng(seed)
    columns = [{"feature": f"measurement {d}", "kind": "number", "category": None, "impute": 0.0} for d in range(n_columns)]
    rules = [
        {
            "log_weight": 0.0,
            "centers": rng.normal(size=n_columns).tolist(),
            "sigmas": (rng.uniform(0.5, 2, n_columns) * n_columns**0.5).tolist(),
            "consequents": rng.normal(size=(3, n_columns + 1)).tolist(),
        }
        for _ in range(n_rules)
    ]
    names = {"classes": ["one", "two", "three"], "columns": columns, "normalisation": {"kind": "softmax"}}
    return {"format": "tsk-rules", "version": 1, **names, "rules": rules}, rng.normal(size=(1000, n_columns))


def message_of(rules: dict, Z: np.ndarray, y: np.ndarray, n_rows: int) -> tuple[list[dict], dict, float]:
    """The message to the browser, the options of the pictures, and the seconds that the words take once they are summarised."""
    summary = RuleBaseSummary.build(rules, Z, y, max_antecedents=4)
    began = time.perf_counter()
    texts = rules_as_texts(1, summary.rules, summary.measured_text) | {"end": True}
    seconds = time.perf_counter() - began
    base = {name: value for name, value in rules.items() if name != "rules"}
    even = [1 / len(rules["rules"])] * len(rules["rules"])
    payloads = {
        "about": {"ended": True}, "epochs": {"fields": ["stage", "epoch", "firing"], "list": [["training", 1, even]]},
        "snapshots": {"base": base, "list": [as_snapshot(rules, 1)]}, "ruleBases": {"list": [texts]},
    }  # fmt: skip
    parts = [{"kind": "runs", "since": 0, "payload": {"shown": "now", "comparison": None, "dark": False}}]
    parts += [{"kind": kind, "of": "now", "since": 0, "payload": payload} for kind, payload in payloads.items()]
    x, zeros = np.round(Z[:n_rows], 4), [0.0] * Z.shape[1]
    view = {"center": zeros, "scale": [1.0] * Z.shape[1], "axes": [zeros, zeros], "share": [0, 0]}
    ranges = [{"low": low, "high": high} for low, high in zip(x.min(0).tolist(), x.max(0).tolist(), strict=True)]
    rows = {"row": list(range(len(x))), "part": [n % 2 for n in range(len(x))], "y": y[:n_rows].tolist(), "x": x.tolist()}
    options = {"run": "now", "data": "random", "rows": {**rows, "columns": ranges, "view": view}}
    return parts, options, seconds


def answer(route: Route) -> None:
    """A file of the client, or the blank page."""
    path = route.request.url.removeprefix(HOST)
    if path == "/":
        return route.fulfill(body=BLANK, content_type="text/html")
    file = PLOTLY.get(path[1:], CLIENT / path.removeprefix("/client/"))
    if not file.is_file():
        return route.fulfill(status=204)
    return route.fulfill(path=file, content_type={".css": "text/css"}.get(file.suffix, "text/javascript"))


def drawn(page: Page, message: list[dict], options: dict) -> dict[str, int]:
    """Milliseconds of each step on a new page."""
    page.goto(HOST + "/")
    return page.evaluate(DRAW, [message, options])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("rules", 200), ("columns", 300), ("rows", 1000), ("times", 3)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rules, Z = random_rules(options.rules, options.columns)
    message, given, seconds = message_of(rules, Z, np.arange(len(Z)) % 3, options.rows)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.route("**/*", answer)
        found = [drawn(context.new_page(), message, given) for _ in range(options.times)]
        browser.close()
    least = {"words on the server": round(1000 * seconds), **{name: min(one[name] for one in found) for name in found[0]}}
    print(json.dumps(least) if options.json else "\n".join(f"{name:20} {ms:6} ms" for name, ms in least.items()))


if __name__ == "__main__":
    main()
