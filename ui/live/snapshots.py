"""Snapshots for the browser: the rules at some epochs, sent while the tab that draws them is open.

    {"since": number of snapshots the browser has, "list": new ones, as ``RunStore.snapshots``, "base": …}

``base``, which all of a run's snapshots share, comes with the first ones.
"""

from typing import Any

import streamlit as st

from tsk_core.jobs.snapshots import as_snapshot
from ui.engine import the_engine
from ui.runs import Shown

__all__ = ["SAMPLES", "are_looked_at", "snapshots_since"]

SAMPLES = "Samples"  # the tab's name
MOST_NUMBERS = 300_000  # of a model that is sent whole, where its run kept no snapshots: about 4 MB


def are_looked_at() -> bool:
    """Whether the tab is open."""
    return st.session_state.get("view") == SAMPLES


def snapshots_since(shown: Shown, since: int) -> dict[str, Any]:
    """What the browser lacks of the run's snapshots, JSON-ready: {"since", "list"} and, with the first ones, "base"."""
    engine = the_engine()
    found = engine.snapshots(shown.run, since)
    if not found and not since and shown.result is not None:
        return _whole(shown)
    sent = {"since": since, "list": found}
    return sent | {"base": engine.snapshot_base(shown.run)} if found and not since else sent


def _whole(shown: Shown) -> dict[str, Any]:
    """The model at the end as the only snapshot: of a run that kept none, as those of older versions."""
    parameters = shown.result.classifier.rules_
    if sum(part.nelement() for part in (parameters.centers, parameters.sigmas, parameters.weights)) > MOST_NUMBERS:
        return {"since": 0, "list": []}
    rules = shown.result.classifier.to_dict()
    return {"since": 0, "base": {**rules, "rules": []}, "list": [as_snapshot(rules, shown.last.epoch)]}
