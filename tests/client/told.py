"""Runs as the server tells them, and the figures that the browser's modules make of them."""

import json

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS, Epoch
from tsk_core.jobs import Status
from tsk_core.runs import Result
from ui.live.message import told
from ui.runs import Shown

FILES = {
    "loss": "lines.js", "accuracy": "lines.js", "gradients": "lines.js", "firing": "firing.js", "heat": "firing.js",
    "entropy": "entropy.js", "confusion": "mistakes.js", "reliability": "mistakes.js",
}  # fmt: skip

# What the store makes of a message, and the figure of that. A number that is none, or an undefined one, has no JSON: it fails.
DRAW = """async ([names, files, message, index, how]) => {
  const store = await import("/client/store.js");
  store.receive({ dark: false, shown: null, ghost: null });
  store.receive(JSON.parse(message));
  store.choose(how);
  store.look(index);
  const check = (key, part) => {
    if (typeof part === "number" && !Number.isFinite(part)) throw new Error(`${key} is ${part}`);
    if (Array.isArray(part) && part.includes(undefined)) throw new Error(`${key} has gaps`);
    return part;
  };
  const figures = {};
  for (const name of names) figures[name] = (await import(`/client/${files[name]}`))[name](store.state());
  return JSON.stringify(figures, check);
}"""


def make_epoch(epoch=1, firing=(0.4, 0.3, 0.295, 0.005), entropy=None, **changes):
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


def make_shown(history, run="now", *, epochs=200, metrics=None):
    """A run as the page has it; with the metrics of its end, or still training."""
    state = "running" if metrics is None else "finished"
    shown = Shown(run, TrainConfig(max_epochs=epochs), {"name": "pets"}, 0.3, Status(run, state, 0, len(history), epochs, ""))
    shown.history = list(history)
    if metrics is not None:
        shown.result = Result(run, state, "", None, metrics, shown.config, shown.history, None)
    return shown


def figures(client, shown=None, ghost=None, *, names=tuple(FILES), index=None, dark=False, lists=None, **how):
    """``{name: figure}`` with the epoch at ``index`` looked at (None: the newest); how: order, future. Fails on NaN."""
    how = {"order": "active", "future": True} | how
    message = json.dumps(message_of(shown, ghost, dark, lists), allow_nan=False)
    return json.loads(client.page.evaluate(DRAW, [list(names), FILES, message, index, how]))


def figure(client, name, shown=None, ghost=None, **options):
    """One of ``figures``, with its traces that have points."""
    drawn = figures(client, shown, ghost, names=[name], **options)[name]
    return drawn | {"data": [trace for trace in drawn["data"] if len(trace["x"])]}


def message_of(shown=None, ghost=None, dark=False, lists=None):
    """All of a run and of the one before it, as one message. lists: of ``ui/live/lists.py``, what an open tab is told."""
    return {"dark": dark, "shown": shown and told(shown, 0) | (lists or {}), "ghost": ghost and told(ghost, 0)}
