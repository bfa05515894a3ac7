"""Two algorithms, paired by split: how far apart they are on each dataset, and over the datasets."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_core.evaluate import SeedDifference
from tsk_core.study import ALGORITHMS, DATASETS, mean_scores, paired, paired_over_datasets, split_scores
from ui.charts.colours import GREY, palette
from ui.charts.drawn import blank_chart
from ui.paper.comparison import comparison_row
from ui.paper.controls import BASELINE, FIRST, PROPOSED, SECOND, algorithm_box, dataset_control, metric_control
from ui.paper.drawing import draw_chart
from ui.paper.tables import NONE, difference_text
from ui.text import in_markdown

AVERAGE = "Over datasets"
_ASSUMED = (
    "On a dataset: the corrected resampled t-test (Nadeau and Bengio 2003) over the splits that both have, which allows for the"
    " rows that splits share and assumes nearly normal differences. Over datasets: a t-test of the datasets' mean differences,"
    " which treats datasets as independent draws. The intervals are not adjusted for the number of datasets: about one in twenty"
    " misses the true difference."
)


def pairs_section(results: Mapping) -> None:
    """Which two → a sentence → a chart → the table → the same as a comparison that trains."""
    if not results:
        st.info("There are no results of ours to compare yet.")
        return
    present = {algorithm for _, algorithm, _ in results}
    names = [name for name in ALGORITHMS if name in present]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paper_pair"):
        a, b = algorithm_box("Algorithm", FIRST, names, PROPOSED), algorithm_box("less", SECOND, names, BASELINE)
        metric = metric_control()
    if a == b:
        st.info("Choose two different algorithms.")
        return
    by_dataset = paired(results, a, b, metric.lower())
    if not by_dataset:
        st.info(in_markdown(f"{a} and {b} have no split of any dataset in common. Compute some in the tab Results."))
        return
    together = paired_over_datasets(results, a, b, metric.lower())
    with st.container(key="paper_pair_words"):
        st.markdown(in_markdown(pairs_sentence(a, b, metric, by_dataset, together)))
    draw_chart(
        pairs_chart(f"Difference of {metric}", by_dataset, together, dark=st.context.theme.type == "dark"), "paper_pair_chart",
        f"Mean difference of {metric}, {a} minus {b}, on each dataset with its 95% interval; the table below has them.",
    )  # fmt: skip
    table = pairs_table(results, a, b, metric.lower(), by_dataset, together)
    st.dataframe(table, hide_index=True, width="content", height="content", alt=f"Differences of {metric}, paired by split")
    st.caption(_ASSUMED)
    st.download_button(
        "Every split (CSV)", lambda: every_split(results, a, b), f"{a}_{b}.csv", "text/csv", on_click="ignore",
        key="paper_pair_csv",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paper_pair_runs"):
        dataset = dataset_control()
        comparison_row((b, a), [one for one in results.values() if one.dataset == dataset and one.algorithm in (a, b)])


def pairs_sentence(a: str, b: str, metric: str, by_dataset: Mapping[str, SeedDifference], together: SeedDifference) -> str:
    """What came out. by_dataset: of ``paired``; together: of ``paired_over_datasets``."""
    where = f"over {together.of} datasets" if together.of > 1 else f"on {DATASETS[next(iter(by_dataset))]}"
    text = f"{a} minus {b}: {difference_text(together.difference)} {metric} {where}"
    if together.low is not None:
        text += f" (95% interval {_interval(together)}), higher on {together.wins}, lower on {together.losses}"
    above, below = (sum(sign * one.difference > 0 for one in by_dataset.values() if one.clear) for sign in (1, -1))
    return f"{text}. The interval over splits lies above 0 on {above} of {together.of}, below it on {below}."


def pairs_table(
    results: Mapping, a: str, b: str, metric: str, by_dataset: Mapping[str, SeedDifference], together: SeedDifference
) -> pd.DataFrame:
    """A row for each dataset and one over them, as text. metric: "rca" or "bca"."""
    shared = {key: one for key, one in results.items() if (key[0], a, key[2]) in results and (key[0], b, key[2]) in results}
    means = mean_scores({key: one for key, one in shared.items() if key[1] in (a, b)}, metric)
    rows = []
    for name, one in by_dataset.items():
        rows.append([DATASETS[name], *_told(one, "splits"), *(f"{means.at[name, of]:.4f}" for of in (a, b))])
    over = means.loc[list(by_dataset)].mean()
    rows.append([AVERAGE, *_told(together, "datasets"), f"{over[a]:.4f}", f"{over[b]:.4f}"])
    return pd.DataFrame(rows, columns=["Dataset", "Difference", "95% interval", "Higher in", a, b])


def _told(one: SeedDifference, unit: str) -> list[str]:
    return [difference_text(one.difference), NONE if one.low is None else _interval(one), f"{one.wins} of {one.of} {unit}"]


def _interval(one: SeedDifference) -> str:
    return f"{difference_text(one.low)} to {difference_text(one.high)}"


def pairs_chart(title: str, by_dataset: Mapping[str, SeedDifference], together: SeedDifference, *, dark: bool) -> go.Figure:
    """A point with its interval for each dataset, a diamond over all of them, and a line at no difference."""
    figure = blank_chart(title, "", dark, height=110 + 26 * (len(by_dataset) + 1), by_x=False)
    colour, other, *_ = palette(dark)
    for name, symbol, size, shade, part in (
        ("a dataset, over its splits", "circle", 9, colour, {DATASETS[key]: one for key, one in by_dataset.items()}),
        ("over datasets", "diamond", 12, other, {AVERAGE: together}),
    ):
        values = list(part.values())
        half = [one.detectable or 0.0 for one in values]
        figure.add_scatter(
            x=[one.difference for one in values], y=list(part), mode="markers", name=name, marker={"symbol": symbol, "size": size,
            "color": shade}, error_x={"array": half, "color": shade, "thickness": 2, "width": 6},
            customdata=[_interval(one) if one.low is not None else NONE for one in values],
            hovertemplate="%{y}: %{x:+.4f}, 95% interval %{customdata}<extra></extra>",
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": GREY, "width": 1})
    return figure.update_yaxes(autorange="reversed")


def every_split(results: Mapping, a: str, b: str) -> str:
    """The splits that both have, as CSV: RCA and BCA of each and their differences."""
    parts = []
    for metric in ("rca", "bca"):
        scores = split_scores(results, metric)[[a, b]].dropna()
        part = scores.add_prefix(f"{metric} ")
        part[f"{metric} difference"] = scores[a] - scores[b]
        parts.append(part)
    return pd.concat(parts, axis=1).to_csv(float_format="%.6g", lineterminator="\n")
