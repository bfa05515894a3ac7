"""Runs as messages of the server."""

import json

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS, Epoch
from tsk_core.jobs import Status
from tsk_core.runs import Result
from ui.charts import CHARTS
from ui.live.run_subjects import run_parts
from ui.runs.run_view import RunView

DECLARED = [chart.declaration for chart in CHARTS.values()]
COMPARISON = "same settings"  # what the legends call the comparisons of these tests


def make_epoch(epoch=1, firing=(0.4, 0.3, 0.2995, 0.0005), entropy=None, **changes):
    """An epoch of four rules, of which the last never fires."""
    values = {
        "loss_ce": 1 / epoch, "loss_l2": 0.01, "loss_ur": 0.5 + 0.1 / epoch, "ur_floor": 0.5,
        "rca_train": 0.9, "bca_train": 0.8, "rca_validation": None, "bca_validation": None, "rca_test": 0.7, "bca_test": 0.6,
        "grad_antecedents": 0.1, "grad_consequents": 0.2, "seconds": float(epoch),
    }  # fmt: skip
    counts = np.arange(ENTROPY_BINS) if entropy is None else np.asarray(entropy)
    return Epoch(epoch=epoch, firing=np.asarray(firing, float), entropy=counts, **(values | changes))


def make_history(epochs=5, **changes):
    return [make_epoch(number, **changes) for number in range(1, epochs + 1)]


def make_shown(history, run="now", *, epochs=200, metrics=None, **settings):
    """A run as the page has it; with the metrics of its end, or still training."""
    state = "running" if metrics is None else "finished"
    shown = RunView(
        run, TrainConfig(max_epochs=epochs, **settings), {"name": "pets"}, 0.3, Status(run, state, 0, len(history), epochs, "")
    )
    shown.history = list(history)
    if metrics is not None:
        shown.result = Result(run, state, "", None, metrics, shown.config, shown.history, None)
    return shown


def message_of(shown=None, comparison=None, dark=False, lists=None):
    """All of a run and of the comparison, as one message. lists: what an open tab is sent, see ``ui/live/run_subjects.py``."""
    if shown is None:
        return [value_part("runs", {"shown": None, "comparison": None, "dark": dark})]
    parts = run_parts(shown, comparison, dark=dark)
    return parts + [list_part(kind, shown.id, **payload) for kind, payload in (lists or {}).items()]


def value_part(kind, payload, of=""):
    """A value of the moment 0: the last one that comes counts."""
    return {"kind": kind, "of": of, "since": 0, "payload": payload}


def made_message(shown, comparison=None, dark=False):
    """A message of two runs made by hand: each has its "run", "about", "epochs", and lists by their kinds."""
    runs = [run for run in (shown, comparison) if run]
    ids = {"shown": shown["run"], "comparison": comparison and comparison["run"], "dark": dark}
    return [value_part("runs", ids), *(part for run in runs for part in _parts(**run))]


def _parts(run, about, epochs, **lists):
    yield value_part("about", about, run)
    yield list_part("epochs", run, [{"stage": "training", "entropy": [1_000_000], **epoch} for epoch in epochs])
    for kind, payload in lists.items():
        yield list_part(kind, run, **payload)


def list_part(kind, of, list, since=0, version=None, **shared):  # noqa: A002 - as in the message
    """A part of a list; by default another list than any with other entries."""
    version = json.dumps(list) if version is None else version
    return {"kind": kind, "of": of, "version": version, "since": since, "payload": {"list": list, **shared}}


SHOW = """
const { load, mount, receive } = await import("/client/client.js");
const [message, charts, options, letters] = JSON.parse(given[0]);
document.documentElement.style.fontSize = letters;
await load(charts);
receive(message);
mount(document.getElementById("place"), options);
"""


def show_views(client, message, *views, letters="", **options):
    """Mount views on the empty page, with this size of letters, after this message; wait for the charts among them."""
    client.open().run(SHOW, json.dumps([message, DECLARED, {"views": list(views), **options}, letters], allow_nan=False))
    for name in {"plane", *CHARTS}.intersection(views):
        client.page.locator(f".tsk-view-{name} :is(.main-svg, canvas)").first.wait_for()
    return client.page
