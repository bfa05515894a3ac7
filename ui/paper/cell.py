"""One cell of the tables: each of its splits, what was chosen on it, and the way to Explore."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_core.config import START_KEY, TrainConfig
from tsk_core.evaluate import corrected_t_interval
from tsk_core.numbers import signed
from tsk_core.study import ALGORITHMS, PAPER, TEST_SIZE, Result, error_beside_paper, final_config
from ui.charts.colours import palette, text_colour
from ui.charts.drawn import blank_chart
from ui.paper.drawing import draw_chart
from ui.paper.printed import printed_value
from ui.settings.controls import TEST_KEY
from ui.text import in_markdown

METRICS = {"RCA": "rca", "BCA": "bca"}
RATIO = TEST_SIZE / (1 - TEST_SIZE)
SPLIT = "split"
_READING = (
    "The interval is for other rows of the same kind: splits share rows, so it is that of the corrected resampled t-test"
    " (Nadeau and Bengio 2003). Whether ours and the paper's agree is told by the standard error of their difference: both are"
    " means over splits of the same rows, though not over the same splits. It takes the paper's scores to spread as ours do."
)


def cell_section(dataset: str, algorithm: str, results: Sequence[Result]) -> None:
    """Its scores beside the paper's, its splits, and one of them in Explore. results: its results, by split."""
    st.caption(in_markdown(ALGORITHMS[algorithm].text))
    if not results:
        st.caption("No split of this cell is computed yet.")
        return
    table = summary(dataset, algorithm, results)
    st.table(table.map(in_markdown), border="horizontal", width="content", alt="Mean scores of this cell, ours and the paper's")
    if algorithm in PAPER:
        st.caption(_READING)
    draw_chart(
        strip(dataset, algorithm, results, dark=st.context.theme.type == "dark"), "paper_strip",
        "RCA and BCA of each split as points, their mean with its interval, and the paper's value; the table below has them.",
    )  # fmt: skip
    if text := choices(results):
        st.caption(in_markdown(text))
    _explore_row(results)
    with st.expander(f"All {len(results)} splits as a table", key="paper_splits", on_change="rerun") as box:
        if box.open:
            st.dataframe(splits_frame(results), hide_index=True, width="content", alt="The splits of this cell")


def summary(dataset: str, algorithm: str, results: Sequence[Result]) -> pd.DataFrame:
    """A column for each metric: mean, number of splits, SD and interval of ours; the paper's, the difference, its error; text."""
    rows = []
    for metric, name in METRICS.items():
        values = np.array([getattr(result, name) for result in results])
        row = {"": metric, "Ours": f"{values.mean():.4f}", "Splits": str(len(values)), "SD over splits": "–"}
        row["95% interval of the mean"] = "–"
        if len(values) > 1:
            interval = corrected_t_interval(values, RATIO)
            row["SD over splits"] = f"{values.std(ddof=1):.4f}"
            row["95% interval of the mean"] = f"{interval.of_score.low:.4f} to {interval.of_score.high:.4f}" if interval else "–"
        paper = printed_value(dataset, algorithm, name)
        row["Paper"] = "–" if paper is None else f"{paper:.4f}"
        row["Ours − paper"] = "–" if paper is None else signed(values.mean() - paper, 4)
        error = error_beside_paper(values.std(ddof=1), len(values)) if len(values) > 1 else None
        row["Standard error of it"] = "–" if paper is None or error is None else f"{error:.4f}"
        rows.append(row)
    return pd.DataFrame(rows).set_index("").T  # upright, it fits a phone


def strip(dataset: str, algorithm: str, results: Sequence[Result], *, dark: bool) -> go.Figure:
    """A line of points for each metric, one point per split."""
    colours, ink = palette(dark), text_colour(dark)
    figure = blank_chart("", "", dark, height=210, by_x=False)
    figure.update_xaxes(zeroline=False, tickformat=".2f")
    figure.update_yaxes(zeroline=False, tickvals=[1, 0], ticktext=list(METRICS), range=[-0.5, 1.5])
    spread = np.linspace(-0.16, 0.16, len(results)) if len(results) > 1 else [0.0]
    for y, (metric, name) in zip((1, 0), METRICS.items(), strict=True):
        values = np.array([getattr(result, name) for result in results])
        texts = [f"split {result.split}: {metric} {value:.4f}" for result, value in zip(results, values, strict=True)]
        marker = {"color": colours[0], "size": 9, "opacity": 0.6}
        figure.add_scatter(
            x=values, y=y + np.array(spread), mode="markers", marker=marker, text=texts, hoverinfo="text", name="a split",
            showlegend=y == 1,
        )  # fmt: skip
        bars = {"color": ink, "thickness": 2, "width": 8}
        if interval := corrected_t_interval(values, RATIO):
            bars["array"] = [interval.high - values.mean()]
        figure.add_scatter(
            x=[values.mean()], y=[y], mode="markers", marker={"color": ink, "symbol": "line-ns-open", "size": 18}, error_x=bars,
            name="our mean, 95% interval", hoverinfo="x", showlegend=y == 1,
        )  # fmt: skip
        if (paper := printed_value(dataset, algorithm, name)) is not None:
            marker = {"color": colours[1], "symbol": "diamond", "size": 13}
            figure.add_scatter(
                x=[paper], y=[y], mode="markers", marker=marker, name="the paper", hoverinfo="x", showlegend=y == 1
            )
    return figure


def choices(results: Sequence[Result]) -> str:
    """As "λ chosen: 10 in 18 splits, 1 in 12. Epochs of the final training: 20 to 61, median 38."; "" without any."""
    parts = []
    if weights := Counter(result.ur_weight for result in results if result.ur_weight is not None):
        counts = [f"{weight:g} in {count}" for weight, count in weights.most_common()]
        parts.append(f"λ chosen by validation: {', '.join(counts)} splits.")
    if epochs := [result.epochs for result in results if result.epochs is not None]:
        parts.append(f"Epochs of the final training: {min(epochs)} to {max(epochs)}, median {np.median(epochs):g}.")
    seconds = float(np.mean([result.seconds for result in results]))
    return " ".join([*parts, f"Seconds a split: {seconds:.3g} on average."])


def splits_frame(results: Sequence[Result]) -> pd.DataFrame:
    """A row a split, all numbers as they are in results.csv."""
    names = {"split": "Split", "rca": "RCA", "bca": "BCA", "ur_weight": "λ", "epochs": "Epochs", "seconds": "Seconds"}
    frame = pd.DataFrame([{title: getattr(result, name) for name, title in names.items()} for result in results])
    return frame.dropna(axis="columns", how="all")


def explore_link(result: Result) -> str | None:
    """The address of Explore with the settings that train this result's model again; None where it has no such settings."""
    config = final_config(result)
    if config is None:
        return None
    values = {"v": "1", "data": result.dataset, START_KEY: _start(config), **config.to_url(), TEST_KEY: f"{TEST_SIZE:g}"}
    return f"./?{urlencode(values)}"


def _start(config: TrainConfig) -> str:
    return "recommended" if config.firing == TrainConfig().firing else "paper"


def _explore_row(results: Sequence[Result]) -> None:
    """A split to choose, and the link."""
    by_split = {result.split: result for result in results}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paper_explore"):
        split = st.selectbox("Split", list(by_split), key=f"{SPLIT}:{results[0].dataset}:{results[0].algorithm}", width=100)
        result = by_split[split]
        if link := explore_link(result):
            st.link_button("Open in Explore", link, help="Opens Explore with these settings, seed and split; press Train there.")
            settings = f"λ = {result.ur_weight:g}, " if result.ur_weight is not None else ""
            epochs = f"{result.epochs} epochs, " if result.epochs is not None else ""
            scores = f"test RCA {result.rca:.4f} and BCA {result.bca:.4f}"
            st.caption(in_markdown(f"{settings}{epochs}seed {result.seed}. The study found {scores}."))
        else:
            st.caption(in_markdown(_why_not(result)))


def _why_not(result: Result) -> str:
    if ALGORITHMS[result.algorithm].batch_norm is not None or result.algorithm.startswith(("TSK-", "Readable-")):
        return f"RCA {result.rca:.4f}, BCA {result.bca:.4f}. Explore does not train {result.algorithm}."
    return f"RCA {result.rca:.4f}, BCA {result.bca:.4f}. {result.algorithm} is not in this app, so Explore cannot train it."
