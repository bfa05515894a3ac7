"""One cell of the tables: each of its splits, as a comparison and in Explore, and computing what it lacks."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_core.config import START_KEY, TrainConfig
from tsk_core.data import load_dataset
from tsk_core.data.gallery import is_available_offline
from tsk_core.errors import TSKError
from tsk_core.evaluate import corrected_t_interval
from tsk_core.experiments import BASE, MOST_SEEDS, NAMED_VARIANTS, VALIDATED_VARIANTS, all_study_choices
from tsk_core.jobs import Status
from tsk_core.numbers import counted, signed
from tsk_core.runs import Record
from tsk_core.settings import SETTINGS
from tsk_study import (
    ALGORITHMS,
    DATASETS,
    MOST_SPLITS,
    PAPER,
    STUDY_CELLS,
    TEST_SIZE,
    Result,
    StudyCells,
    availability,
    cell_of,
    error_beside_paper,
    final_config,
    protocol_config,
)
from ui.charts.drawn import blank_chart, palette, text_colour
from ui.experiments.options import BAND_KEY, SCORE_KEY, SEEDS_KEY
from ui.experiments.panel import duration
from ui.live.task_subjects import task_row
from ui.paper.controls import BASELINE, PROPOSED, draw_chart, printed_value
from ui.platform.engine import get_engine
from ui.runs.side_tasks import NOTE, find_task, newest_of, start_for
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


# A cell's runs as a comparison: the address of Compare with the study's settings, on the same splits.


_BN, _RECOMMENDED = "TSK-MBGD-BN", "TSK-recommended"
_COMPARE_HELP = "Opens Compare with these settings, variants and seeds; press Compare there, and watch them train side by side."


class Comparison(NamedTuple):
    """link: the address of Compare. runs: of each variant. note: how far it is the study's."""

    link: str
    runs: int
    note: str


def with_rival(algorithm: str) -> tuple[str, ...]:
    """What an algorithm is compared with where nobody says, and the algorithm; one that is not of the MBGD family is alone.

    That is plain MBGD; for those that change a setting of MBGD-BN, such as HTSK, MBGD-BN.
    """
    if ALGORITHMS[algorithm].batch_norm is None:
        return (algorithm,)
    if ALGORITHMS[algorithm].settings:
        return _BN, algorithm
    return PROPOSED if algorithm == BASELINE else BASELINE, algorithm


def comparison_of(algorithms: Sequence[str], results: Collection[Result]) -> Comparison | None:
    """The comparison of these algorithms on one dataset; its verdict is the last less the first.

    results: of all of them there. It has the splits 0 to n - 1 that all of them have, which are those of Compare's seeds. None
    where Compare cannot train one of them.
    """
    by_split = {name: {one.split: one for one in results if one.algorithm == name} for name in algorithms}
    shared = set.intersection(*(set(one) for one in by_split.values()))
    runs = next((split for split in range(MOST_SEEDS) if split not in shared), MOST_SEEDS)
    if not runs:
        return None
    used = [of[split] for of in by_split.values() for split in range(runs)]
    if _RECOMMENDED in algorithms:
        if len(set(algorithms)) > 1:  # its settings differ in more than a variant changes
            return None
        note = "These are the table's own trainings, so their test scores are the same."
        return Comparison(_link(used[0].dataset, TrainConfig(random_state=0), "recommended", [BASE], runs), runs, note)
    if not all(ALGORITHMS[name].batch_norm for name in algorithms) or any(one.epochs is None for one in used):
        return None
    epochs = round(float(np.median([one.epochs for one in used])))
    whose = "the study's" if len(by_split) == 1 else "both algorithms'" if len(by_split) == 2 else "all these algorithms'"
    protocol = protocol_config(_BN, 0, 0.0).to_dict()
    config = TrainConfig.from_dict(protocol | {"early_stopping": False, "max_epochs": epochs})
    note = f"The study's splits and settings, but each training takes {epochs} epochs, the median of {whose} final trainings"
    dataset = used[0].dataset
    weights = [_chosen_weight(dataset, name) for name in algorithms if ALGORITHMS[name].selects_ur]
    note += "".join(f", and {text}" for text in weights) + ": scores differ a little from the table's."
    return Comparison(_link(dataset, config, "paper", [_variant(name) for name in algorithms], runs), runs, note)


def comparison_row(algorithms: Sequence[str], results: Collection[Result]) -> None:
    """The link, and what it trains; nothing where Compare cannot train these algorithms."""
    found = comparison_of(algorithms, results)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="paper_compare"):
        st.link_button(f"Open {counted(found.runs, 'split')} as a comparison", found.link, help=_COMPARE_HELP)
        st.caption(in_markdown(f"{' and '.join(algorithms)}. {found.note}"))


def _variant(algorithm: str) -> str:
    """As links to Compare write it; UR with the λ that most splits of the study chose."""
    if own := ALGORITHMS[algorithm].settings:
        ((name, value),) = own.items()
        return f"{SETTINGS[name].key}={value}"
    wanted = ALGORITHMS[algorithm].batch_norm, ALGORITHMS[algorithm].selects_ur
    key = next(key for key, (_, batch_norm, uniform) in NAMED_VARIANTS.items() if (batch_norm, uniform) == wanted)
    return next((validated for validated, of in VALIDATED_VARIANTS.items() if of == key), key)


def _chosen_weight(dataset: str, algorithm: str) -> str:
    """As "λ of TSK-MBGD-UR is 10, chosen in 18 of 30 splits"."""
    batch_norm = ALGORITHMS[algorithm].batch_norm
    assert batch_norm is not None  # λ is chosen for the MBGD family alone
    choice = all_study_choices()[dataset][batch_norm]
    return f"λ of {algorithm} is {choice.ur_weight:g}, chosen in {choice.splits} of {choice.of} splits"


def _link(dataset: str, config: TrainConfig, start: str, variants: Sequence[str], runs: int) -> str:
    values = {"v": "1", "data": dataset, START_KEY: start, **config.to_url(), TEST_KEY: f"{TEST_SIZE:g}"}
    values |= {"variants": ",".join(variants), SEEDS_KEY.name: str(runs), SCORE_KEY.name: "last", BAND_KEY.name: "ci"}
    return f"./compare?{urlencode(values)}"


# Computing what a cell lacks: a task in the queue, its progress, Stop; what it found is then in the tables.


_KEY = "paper_missing"
FEW = 5  # splits of the smaller button
_HELP = (
    "Runs the same code as the command study, on this server. A finished split is kept for everybody on this server and"
    " is not computed again."
)


def missing_section(dataset: str, algorithm: str, results: Sequence[Result]) -> None:
    """Buttons that compute the cell's missing splits; while that goes on, its progress."""
    status = _status(dataset, algorithm)
    if status is not None and not status.ended:
        task_row(status, _KEY, "Computing", unit="splits", stop_label="Stop")
        return
    if status is not None and status.message:
        st.caption(in_markdown(status.message))
    splits = missing_splits(results)
    if not splits:
        return
    lacking = availability(algorithm)
    with st.container(horizontal=True, vertical_alignment="center", key=_KEY):
        counts = [len(splits)] if len(splits) <= FEW else [FEW, len(splits)]
        for count in counts:
            label = f"Compute {counted(count, 'split')}" + (" more" if results else "")
            chosen = splits[:count]
            st.button(
                label,
                disabled=bool(lacking),
                on_click=_begin,
                args=(dataset, algorithm, chosen),
                help=_HELP,
                key=f"compute{count}",
            )
        note = NOTE(_KEY).pop()
        st.caption(in_markdown(note or lacking or _expectation(dataset, results, len(splits))))


def missing_splits(results: Sequence[Result]) -> tuple[int, ...]:
    """The splits of 30 that have no result, in their order."""
    known = {result.split for result in results}
    return tuple(split for split in range(MOST_SPLITS) if split not in known)


def _expectation(dataset: str, results: Sequence[Result], missing: int) -> str:
    text = f"{len(results)} of {MOST_SPLITS} splits have been computed."
    if results:
        seconds = missing * sum(result.seconds for result in results) / len(results)
        text += f" The other {missing} probably take{'s' * (missing == 1)} {duration(seconds)}."
    if not is_available_offline(dataset):
        text += f" {DATASETS[dataset]} is fetched from OpenML first."
    return text


def _begin(dataset: str, algorithm: str, splits: tuple[int, ...]) -> None:
    """Queue it; a refusal is a note below the button."""
    try:
        start_for(
            STUDY_CELLS, (dataset, algorithm), lambda: StudyCells(load_dataset(dataset), algorithm, splits), background=True
        )
    except TSKError as error:
        NOTE(_KEY).set(str(error))


def _status(dataset: str, algorithm: str) -> Status | None:
    """Of this browser's task for this cell: after a reload, of the one that goes on; None without one."""

    def fits(record: Record) -> bool:
        cell = {} if record.ended else cell_of(get_engine().store.open(record.id).path)
        return (cell.get("dataset"), cell.get("algorithm")) == (dataset, algorithm)

    return find_task(STUDY_CELLS, (dataset, algorithm), lambda: newest_of(STUDY_CELLS, fits))
