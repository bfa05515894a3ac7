"""Rule bases as snapshots, and what ``ui/client`` makes of them."""

import json

import numpy as np

from tests.client.messages import made_message, show_views
from tsk_core.explain import RuleBaseSummary
from tsk_core.live import as_rules, as_snapshot, rules_as_texts

EXPLAIN = """
const { modelOf, explain } = await import("/client/model/inference.js");
const [snapshot, normalisation, rows] = JSON.parse(given[0]);
const model = modelOf(snapshot, normalisation);
return rows.map((x) => { const why = explain(model, x); return { ...why, firing: [...why.firing], scores: [...why.scores] }; });
"""


def explained(client, rules, Z):
    """``explain`` of each row, as the browser computes it."""
    return client.run(EXPLAIN, json.dumps([as_snapshot(rules, 1), rules["normalisation"], [list(map(float, x)) for x in Z]]))


def sentences(snapshot, base, Z, most=4, y=None):
    """The rules of a snapshot in words, as the server sends them. Z: their training rows, y: the positions of their classes."""
    summary = RuleBaseSummary.build(as_rules(base, snapshot), Z, y, max_antecedents=most)
    return rules_as_texts(snapshot["epoch"], summary.rules, summary.measured_text)


def show_rules(client, rules, rows, *, beside=(), change=None, dark=False, **options):
    """Open the tab Rules of a run that ended with these rules, and views beside it, on a blank page.

    rows: see make_rows. change: changes the rules in words before they are sent.
    """
    snapshot = as_snapshot(rules, 1)
    written = sentences(snapshot, rules, rows["x"], 4, rows["y"]) | {"end": True}
    if change:
        change(written)
    show_views(client.open(), _message([snapshot], rules, [written], dark=dark), "ruleBar", "rules", "pictures", *beside,
               data="pets", run="now", rows=rows, **options)  # fmt: skip
    client.page.locator(".tsk-card").first.wait_for()
    return client.page


def show_samples(client, snapshots, base, *, rows=None, note="", ended=True, dark=False, firing=None, written=None):
    """Open plane, reasons and response curves of a run with these snapshots on a blank page.

    base: exported rules; rows: see make_rows. firing: of each rule, else equal shares. written: rules in words, else
    those of each snapshot on these rows.
    """
    Z = rows["x"] if rows else np.nan_to_num([rule["centers"] for rule in base["rules"]])
    written = [sentences(one, base, Z) for one in snapshots] if written is None else written
    message = _message(snapshots, base, written, ended=ended, dark=dark, firing=firing)
    show_views(client.open(), message, "plane", "reasons", "curves", data="pets", rows=rows, note=note)
    client.page.locator(".tsk-view-plane .main-svg").first.wait_for()
    return client.page


def _message(snapshots, base, written, *, ended=True, dark=False, firing=None):
    even = [1 / len(base["rules"])] * len(base["rules"])
    epochs = [["training", one["epoch"], firing or even] for one in snapshots]
    shared = {name: value for name, value in base.items() if name != "rules"}
    run = {
        "run": "now", "fields": ["stage", "epoch", "firing"], "epochs": epochs, "about": {"ended": ended},
        "snapshots": {"base": shared, "list": snapshots},
        "ruleBases": {"list": written},
    }  # fmt: skip
    return made_message(run, dark=dark)


def make_rows(x, y, parts=None):
    """Rows as ``rows_to_show`` gives them, without a view of two components."""
    columns = [{"low": min(v), "high": max(v)} for v in zip(*x, strict=True)]
    D = len(columns)
    view = {"center": [c["low"] for c in columns], "scale": [1.0] * D, "axes": [[0.0] * D] * 2, "share": [0, 0]}
    return {"row": list(range(len(x))), "part": parts or [1] * len(x), "y": y, "x": x, "columns": columns, "view": view}
