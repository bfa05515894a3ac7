"""Ranks and tests over the datasets, each with what it assumes; and two algorithms paired by split."""

from collections.abc import Mapping
from functools import lru_cache

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_core.errors import DataError
from tsk_core.evaluate import SeedDifference
from tsk_core.numbers import signed
from tsk_study import (
    ALGORITHMS,
    BEYOND,
    DATASETS,
    CriticalDifference,
    SignedRank,
    critical_difference,
    fewer_splits,
    fewer_splits_note,
    friedman,
    mean_scores,
    paired,
    paired_over_datasets,
    printed_ranks,
    shared_means,
    signed_rank,
    split_counts,
    split_scores,
)  # fmt: skip
from ui.charts.drawn import CLASS_COLOURS, GREY, blank_chart, palette, text_colour
from ui.paper.cell import comparison_row
from ui.paper.controls import (
    BASELINE,
    BEYOND_KEY,
    FIRST,
    PROPOSED,
    SECOND,
    algorithm_box,
    dataset_control,
    draw_chart,
    metric_control,
    number_in,
)
from ui.paper.tables import NONE, difference_text
from ui.platform.caches import Results
from ui.text import in_markdown

REFERENCE, ROPE = "reference", "rope"
_ROPE_HELP = "Differences up to this count as none: the region of practical equivalence."
_BEYOND_HELP = "Rank and test the algorithms beyond the paper, too."


def testing_section(results: Results) -> None:
    """Controls → average ranks with the critical difference → probabilities against a reference."""
    if not results:
        st.info("There are no results of ours to test yet.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paper_tests"):
        metric = metric_control()
        beyond = st.toggle("Beyond the paper", key=BEYOND_KEY, bind="query-params", persist_state="page", help=_BEYOND_HELP)
    counts = split_counts(results)
    tested = [name for name in (*map(str, printed_ranks("rca")), *(BEYOND if beyond else ())) if name in counts]
    few = fewer_splits(counts[tested])
    dark = st.context.theme.type == "dark"
    try:
        ranked = mean_scores(results, metric.lower())[[name for name in tested if name not in few]]
        _average_ranks(ranked, metric, fewer_splits_note(few, "not ranked"), dark)
        _against_a_reference(results, tested, metric, dark)
    except DataError as error:
        st.info(in_markdown(error))
    st.caption("The paper's own test, Dunn's with p-values, is the table “p-values (Table VI)” in the tab Results.")


def _average_ranks(scores: pd.DataFrame, metric: str, not_ranked: str, dark: bool) -> None:
    st.subheader("Average ranks", anchor=False)
    test, critical = friedman(scores), critical_difference(scores)
    p = "below 0.0001" if test.p_value < 1e-4 else f"{test.p_value:.4f}"
    verdict = "The algorithms differ in rank" if test.p_value < 0.05 else "No difference in rank was found"  # noqa: PLR2004 - the 5% level
    st.markdown(
        in_markdown(
            f"{verdict}: Friedman's χ² is {test.statistic:.1f}, p {p}, for {test.algorithms} algorithms on {test.datasets}"
            " datasets."
            f" Average ranks further apart than {critical.difference:.2f} differ at the 5% level; a thick line joins those that"
            " do not."
        )
    )
    alt = "Average ranks of the algorithms on a line, joined where they do not differ; the table below has them."
    draw_chart(difference_diagram(critical, dark=dark), "paper_ranks", alt)
    table = pd.DataFrame({"Algorithm": critical.average_ranks.index, "Average rank": critical.average_ranks.map("{:.2f}".format)})
    printed = printed_ranks(metric.lower())
    if set(critical.average_ranks.index) <= set(printed):
        means = printed[list(critical.average_ranks.index)].mean()
        table["Paper's, from its printed ranks"] = [f"{means[name]:.2f}" for name in table["Algorithm"]]
    with st.expander("Average ranks as a table"):
        st.table(table.map(in_markdown), border="horizontal", hide_index=True, alt="Average ranks")
    for text in (not_ranked, test.left_out, test.assumption, critical.assumption):
        if text:
            st.caption(in_markdown(text))


def _against_a_reference(results: Results, names: list[str], metric: str, dark: bool) -> None:
    """Each pair on the splits that both have."""
    st.subheader("Which is better in practice", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paper_reference"):
        at = names.index(PROPOSED) if PROPOSED in names else 0
        reference = st.selectbox("Reference", names, at, key=REFERENCE, width=240)
        rope = st.number_input("Practically equal", 0.0, 0.1, 0.01, 0.005, "%g", key=ROPE, width=150, help=_ROPE_HELP)
    tests = []
    for other in names:
        if other == reference:
            continue
        pair = shared_means(results, (reference, other), metric.lower())
        try:
            tests.append(_tested(reference, other, tuple(pair[reference]), tuple(pair[other]), tuple(pair.index), float(rope)))
        except DataError:
            continue
    if not tests:
        st.caption("No other algorithm shares two datasets with it.")
        return
    alt = f"For each algorithm the probabilities that {reference} is higher, equal, lower; a table is below."
    draw_chart(probability_chart(tests, dark=dark), "paper_bayes", alt)
    with st.expander("Probabilities as a table"):
        table = pd.DataFrame([
            {"Against": test.b, f"{reference} higher": f"{test.p_a:.3f}", "Practically equal": f"{test.p_rope:.3f}",
             "Lower": f"{test.p_b:.3f}", f"Mean difference of {metric}": signed(test.mean, 4),
             "Datasets: higher, equal, lower": "{}, {}, {}".format(*test.counts)}
            for test in tests
        ])  # fmt: skip
        st.table(table.map(in_markdown), border="horizontal", hide_index=True, alt="Probabilities against the reference")
    text = f"Bayesian signed-rank test (Benavoli et al. 2017) of the mean {metric} on a dataset, equal within {rope:g}."
    st.caption(in_markdown(f"{text} {tests[0].meaning} {tests[0].assumption}"))


@lru_cache(maxsize=512)
def _tested(a: str, b: str, x: tuple[float, ...], y: tuple[float, ...], datasets: tuple[str, ...], rope: float) -> SignedRank:
    return signed_rank(pd.DataFrame({a: x, b: y}, index=list(datasets)), a, b, rope)


def difference_diagram(critical: CriticalDifference, *, dark: bool) -> go.Figure:
    """Average ranks on an axis, best to the left, each with a line to its name; bars join those that do not differ."""
    colour, ink, order = palette(dark)[0], text_colour(dark), critical.average_ranks
    lines = len(order) // 2 + len(critical.groups) + 3
    figure = blank_chart("average rank, 1 is the best", "", dark, height=60 + 26 * lines, by_x=False)
    for place, group in enumerate(critical.groups):
        y = -0.6 * (place + 1)
        ends = [order[group[0]], order[group[-1]]]
        line = {"color": colour, "width": 6}
        figure.add_scatter(x=ends, y=[y, y], mode="lines", line=line, showlegend=False, hoverinfo="text", text=", ".join(group))
    base = -0.6 * len(critical.groups) - 0.4
    for place, (name, rank) in enumerate(order.items()):
        left = place < len(order) / 2  # the best to the left, downwards; the worst to the right, downwards: no label meets a line
        y = base - (place if left else len(order) - 1 - place) - 0.5
        figure.add_scatter(
            x=[rank, rank], y=[0, y], mode="lines", line={"color": ink, "width": 1}, showlegend=False, hoverinfo="skip"
        )
        figure.add_annotation(
            x=rank, y=y, text=f"{name}  {rank:.2f}", showarrow=False, xanchor="right" if left else "left", font={"color": ink},
            xshift=-4 if left else 4,
        )  # fmt: skip
    low, high = float(order.min()), float(order.max())
    figure.add_scatter(
        x=[low, low + critical.difference], y=[0.7, 0.7], mode="lines+markers", line={"color": ink, "width": 2},
        marker={"symbol": "line-ns-open", "size": 10}, showlegend=False, hoverinfo="skip",
    )  # fmt: skip
    figure.add_annotation(
        x=low + critical.difference, y=0.7, text=f"critical difference {critical.difference:.2f}", showarrow=False,
        xanchor="left", xshift=8,
    )  # fmt: skip
    margin = 0.35 * (high - low) + 0.5
    figure.update_yaxes(visible=False, range=[base - (len(order) + 1) // 2 - 0.5, 1.3])
    ranks = list(range(1, len(order) + 1))  # the axis goes on to both sides, where the names are
    figure.update_xaxes(range=[low - margin, high + margin], side="top", zeroline=False, tickvals=ranks)
    return figure


def probability_chart(tests: list[SignedRank], *, dark: bool) -> go.Figure:
    """A bar for each algorithm in three parts that add up to 1; each part's number in it where there is room."""
    blue, vermilion = palette(dark)[:2]
    parts = (
        (f"{tests[0].a} higher", blue, [test.p_a for test in tests]),
        ("practically equal", GREY, [test.p_rope for test in tests]),
        (f"{tests[0].a} lower", vermilion, [test.p_b for test in tests]),
    )
    figure = blank_chart("probability that it is the most likely", "", dark, height=80 + 30 * len(tests), by_x=False)
    for name, colour, values in parts:
        text = [f"{value:.2f}" if value >= 0.06 else "" for value in values]  # noqa: PLR2004 - narrower ones have no room
        figure.add_bar(
            x=values, y=[test.b for test in tests], orientation="h", name=name, marker={"color": colour}, text=text,
            textposition="inside", insidetextanchor="middle", textangle=0,
            insidetextfont={"color": "#FFFFFF" if colour == CLASS_COLOURS[0] else "#111111"},
            hovertemplate="%{y}: %{x:.3f}",
        )  # fmt: skip
    figure.update_layout(barmode="stack", bargap=0.25, legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(range=[0, 1], zeroline=False)
    return figure


# Two algorithms, paired by split: how far apart they are on each dataset, and over the datasets.


AVERAGE = "Over datasets"
_ASSUMED = (
    "On a dataset: the corrected resampled t-test (Nadeau and Bengio 2003) over the splits that both have, which allows for the"
    " rows that splits share and assumes nearly normal differences. Over datasets: a t-test of the datasets' mean differences,"
    " which treats datasets as independent draws. The intervals are not adjusted for the number of datasets: about one in twenty"
    " misses the true difference."
)


def pairs_section(results: Results) -> None:
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
    results: Results, a: str, b: str, metric: str, by_dataset: Mapping[str, SeedDifference], together: SeedDifference
) -> pd.DataFrame:
    """A row for each dataset and one over them, as text. metric: "rca" or "bca"."""
    shared = {key: one for key, one in results.items() if (key[0], a, key[2]) in results and (key[0], b, key[2]) in results}
    means = mean_scores({key: one for key, one in shared.items() if key[1] in (a, b)}, metric)
    rows = []
    for name, one in by_dataset.items():
        rows.append([DATASETS[name], *_told(one, "splits"), *(f"{number_in(means, name, of):.4f}" for of in (a, b))])
    over = means.loc[list(by_dataset)].mean()
    rows.append([AVERAGE, *_told(together, "datasets"), f"{over[a]:.4f}", f"{over[b]:.4f}"])
    return pd.DataFrame(rows, columns=["Dataset", "Difference", "95% interval", "Higher in", a, b])


def _told(one: SeedDifference, unit: str) -> list[str]:
    return [difference_text(one.difference), _interval(one), f"{one.wins} of {one.of} {unit}"]


def _interval(one: SeedDifference) -> str:
    return NONE if one.low is None or one.high is None else f"{difference_text(one.low)} to {difference_text(one.high)}"


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
            customdata=[_interval(one) for one in values],
            hovertemplate="%{y}: %{x:+.4f}, 95% interval %{customdata}<extra></extra>",
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": GREY, "width": 1})
    return figure.update_yaxes(autorange="reversed")


def every_split(results: Results, a: str, b: str) -> str:
    """The splits that both have, as CSV: RCA and BCA of each and their differences."""
    parts = []
    for metric in ("rca", "bca"):
        scores = split_scores(results, metric)[[a, b]].dropna()
        part = scores.add_prefix(f"{metric} ")
        part[f"{metric} difference"] = scores[a] - scores[b]
        parts.append(part)
    return pd.concat(parts, axis=1).to_csv(float_format="%.6g", lineterminator="\n")
