"""Rule bases as snapshots, and what ``ui/client`` makes of them."""

import itertools

import numpy as np

from tests.client.messages import made_message, show_views
from tests.explain.examples import base, category, number, rule
from tsk_core.explain import RuleBaseSummary
from tsk_core.live import as_rules, as_snapshot, rules_as_texts

DATA = (f"data {k}" for k in itertools.count())  # at each opening another: the page keeps the row selected as long as the data


def sentences(snapshot, rules, Z, y=None):
    """The rules of a snapshot in words, as the server sends them. Z: their training rows, y: the positions of their classes."""
    summary = RuleBaseSummary.build(as_rules(rules, snapshot), Z, y, max_antecedents=4)
    return rules_as_texts(snapshot["epoch"], summary.rules, summary.measured_text)


def show_rules(client, rules, rows, *, beside=(), change=None, dark=False):
    """Open the tab Rules of a run that ended with these rules, and views beside it.

    rows: see make_rows. change: changes the rules in words before they are sent.
    """
    snapshot = as_snapshot(rules, 1)
    written = sentences(snapshot, rules, rows["x"], rows["y"]) | {"end": True}
    if change:
        change(written)
    message = message_of_rules([snapshot], rules, [written], dark=dark)
    page = show_views(client, message, "ruleBar", "rules", "pictures", *beside, data=next(DATA), run="now", rows=rows)
    page.locator(".tsk-card").first.wait_for()
    return page


def show_samples(client, snapshots, rules, *, rows=None, note="", ended=True, firing=None, written=None):
    """Open plane, reasons and response curves of a run with these snapshots.

    rules: exported; rows: see make_rows. firing: of each rule, else equal shares. written: rules in words, else those of each
    snapshot on these rows.
    """
    Z = rows["x"] if rows else np.nan_to_num([rule["centers"] for rule in rules["rules"]])
    written = [sentences(one, rules, Z) for one in snapshots] if written is None else written
    message = message_of_rules(snapshots, rules, written, ended=ended, firing=firing)
    return show_views(client, message, "plane", "reasons", "curves", data=next(DATA), rows=rows, note=note)


def message_of_rules(snapshots, rules, written, *, ended=True, dark=False, firing=None):
    """What the server sends of a run with these snapshots, exported rules, and rules in words."""
    even = [1 / len(rules["rules"])] * len(rules["rules"])
    epochs = [{"epoch": one["epoch"], "firing": firing or even} for one in snapshots]
    shared = {name: value for name, value in rules.items() if name != "rules"}
    run = {
        "run": "now", "epochs": epochs, "about": {"ended": ended},
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


# Cats and dogs.

COLUMNS = [number("size"), category("colour", "red"), category("colour", "blue")]
PETS = make_rows(
    [[1.0, 1, 0], [1.5, 1, 0], [2.0, 0, 1], [4.0, 0, 1], [4.5, 0, 1], [1.2, 1, 0]], [0, 0, 0, 1, 1, 1], [0, 1, 1, 0, 1, 1]
)


def pets(classes=("cat", "dog"), columns=COLUMNS):
    """Two rules: the first for small ones that are cats, the second for large ones that are dogs."""
    small = rule([1.0, 0.9, 0.1], [1.0, 0.5, None], [[1.0, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0]])
    large = rule([4.0, 0.1, 0.9], [1.0, None, 0.5], [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.5]])
    return base(columns, [small, large], classes)


def show_pets(client, rules=None, **how):
    """The views of the tab Samples, of these rules and six rows."""
    rules = rules or pets()
    return show_samples(client, [as_snapshot(rules, 1)], rules, **{"rows": PETS} | how)


def choose_row(page, row):
    page.get_by_role("spinbutton", name="Row", exact=True).fill(str(row))
    page.keyboard.press("Enter")


def said(page, part):
    return page.locator(f".tsk-{part}")
