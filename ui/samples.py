"""The tab Samples: what the browser needs for the plane and a row's reasons. It computes both itself, from rules and rows."""

from contextlib import suppress
from typing import Any

import numpy as np
import streamlit as st

from tsk_core.data import Dataset
from tsk_core.data.encoding import Encoder
from tsk_core.errors import TSKError
from ui.live import place
from ui.runs import Shown, dataset_of

__all__ = ["rows_of", "samples_panel"]

_NO_ROWS = "The data of this run are not at hand; choose the same file in the sidebar to see its rows. What if works without."


def samples_panel(shown: Shown, dataset: Dataset | None) -> None:
    """Draw the tab. dataset: the one chosen on the page, in case it is the run's."""
    with st.spinner("Fetching rows…", show_time=False):
        rows = rows_of(shown, dataset)
    data = f"{shown.data['sha256']} {shown.data['target']}"
    place("plane", "reasons", key="views:samples", data=data, rows=rows, note="" if rows else _NO_ROWS)


def rows_of(shown: Shown, chosen: Dataset | None) -> dict[str, Any] | None:
    """``explain.rows_to_show`` of the run's data, kept once made; None where the data are not at hand.

    While a run trains, its classifier is not here; what the browser needs of it is learnt anew from the same training rows.
    """
    if shown.rows is None:
        with suppress(TSKError):  # damaged, of another version, or not to be trained on: as good as not kept
            dataset = dataset_of(shown, chosen)
            shown.rows = dataset and _rows(dataset, shown)
    return shown.rows


def _rows(dataset: Dataset, shown: Shown) -> dict[str, Any]:
    from tsk_core.classifier import TSKClassifier  # torch, which the engine warms up in the background
    from tsk_core.explain import rows_to_show

    split = dataset.split(shown.test_size, shown.config.random_state)
    X, y, learnt = dataset.X, dataset.y, TSKClassifier()
    learnt.classes_, learnt.encoder_ = np.unique(y[split.train]), Encoder().fit(X.iloc[split.train])
    return rows_to_show(learnt, X, y, split)
