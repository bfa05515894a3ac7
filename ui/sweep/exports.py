"""A sweep as CSV: every run, and every cell."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from tsk_core.data import to_csv
from tsk_core.experiments import METRICS as MEASURED
from tsk_core.experiments import Cell, Plan, every_training

_DIFFERENCE = {  # column -> of the difference from the highest cell
    "difference": "difference", "difference_low": "low", "difference_high": "high", "level": "level", "p_value": "p_value",
    "p_adjusted": "p_adjusted", "wins": "wins", "losses": "losses", "of": "of",
}  # fmt: skip


def cells_frame(plan: Plan, cells: Sequence[Cell]) -> pd.DataFrame:
    """A row for each cell: what is known of each metric, and of its difference from the highest cell."""
    rows = []
    for cell in cells:
        row: dict[str, Any] = {axis.key: value for axis, value in zip(plan.axes, cell.values, strict=True)}
        row |= {"epochs": plan.variants[cell.variant].config.max_epochs, "gradient_steps": plan.gradient_steps(cell.variant)}
        row |= {"n": cell.n, "diverged": cell.diverged}
        for name in MEASURED:
            mean = cell.metrics.get(name)
            parts = (None, None, None, None) if mean is None else mean[:4]
            row |= dict(zip((f"{name}_mean", f"{name}_sd", f"{name}_low", f"{name}_high"), parts, strict=True))
        found = cell.difference
        row |= {"highest": cell.highest, "separated": cell.separated}
        row |= {name: found and getattr(found, key) for name, key in _DIFFERENCE.items()}
        rows.append(row)
    return pd.DataFrame(rows)


def downloads(plan: Plan, points: Mapping[int, Mapping[str, Any]], cells: Sequence[Cell], name: str) -> None:
    """The buttons; the chart itself has its own, for SVG and PNG. name: the start of the files' names."""
    axes = "-".join(axis.key for axis in plan.axes)
    with st.container(horizontal=True, key="sweep_downloads"):
        st.download_button(
            "Every run as CSV", lambda: to_csv(every_training(plan, points.values())),
            f"{name}-{axes}-runs.csv", "text/csv", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Cells as CSV", lambda: to_csv(cells_frame(plan, cells)),
            f"{name}-{axes}-cells.csv", "text/csv", on_click="ignore",
        )  # fmt: skip
