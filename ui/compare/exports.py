"""What can be taken along of a comparison: the CSV of every training, the HTML report; and a training opened in Explore."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset, to_csv
from tsk_core.errors import TSKError
from tsk_core.experiments import Plan, every_pair, every_training
from tsk_core.live import Stream
from tsk_core.numbers import counted
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.compare.controls import COMPARE_OPENED, Wanted, link_values
from ui.compare.panel import COMPARE_PLAN, COMPARE_RUN, PLANE, TABS, has_plane, put_comparison
from ui.compare.texts import lines_below, pair_rows, variant_table, verdict
from ui.data.source import DATA
from ui.experiments import Collected
from ui.experiments.runs import experiment_file, read
from ui.page.opening import open_in_explore
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.report.document import render
from ui.settings.link import full_link
from ui.settings.starting import in_force

OPENED_TRAINING = Key[int]("opened_training")  # that the list names


# A training of a comparison as a run of the page Explore: the same settings, seed and split, started there.


def open_clicked() -> None:
    """Open the training that was clicked, if one was; before any widget is made."""
    number, plan = COMPARE_OPENED.pop(), COMPARE_PLAN.get()
    if number is not None and plan is not None:
        open_training(plan, number)


def open_training(plan: Plan, number: int) -> None:
    """Set the settings of Explore to those of a training, request it, and switch the page. Before any widget is made."""
    trainings = plan.trainings()
    if not 0 <= number < len(trainings):
        return
    training = trainings[number]
    config = replace(training.config, early_stopping=False, ur_weight=_ur_weight(number, training.config.ur_weight))
    variant = plan.variants[training.variant]
    if (variant.width, variant.row_share) != (1.0, 1.0) or plan.validated:
        st.toast(
            "Explore trains on all training rows with the usual initial width, so its numbers differ from this comparison's."
        )
    open_in_explore(config, plan.test_size, visit_from="compare")


def _ur_weight(number: int, otherwise: float) -> float:
    """The λ that validation chose for a training, also of a comparison that still goes on."""
    collected = Collected()
    with suppress(TSKError):  # deleted meanwhile
        read(collected, get_engine().status(COMPARE_RUN.get()), None)
    weight: float = collected.points.get(number, {}).get("ur_weight", otherwise)
    return weight


# A comparison as one HTML file for reading and printing: verdicts, table, charts, settings; it opens without a network.


_TEMPLATE = Path(__file__).with_name("comparison.html")


def report(wanted: Wanted, config: TrainConfig, dataset: Dataset, collected: Collected, link: str, made: datetime) -> bytes:
    """The HTML. config: what the variants change. link: of the page. made: the moment, with its time zone."""
    plan, points = wanted.planned, collected.points
    names = [("balanced accuracy (BCA)", "bca"), ("accuracy (RCA)", "rca")] if len(plan.variants) > 1 else []
    stream = Stream(now=lambda: 0)
    put_comparison(stream, plan, dataset.classes, collected, wanted.band, ended=True)
    return render(
        _TEMPLATE, {"message": stream.parts()},
        title=f"{', '.join(variant.name for variant in plan.variants)} on {dataset.name}",
        summary=_summary(wanted, dataset), made=f"{made:%Y-%m-%d %H:%M} {made.tzname()}", link=link,
        notes=lines_below(plan, dataset, points, wanted.score),
        verdicts=[(name, verdict(plan, points, wanted.score, metric)) for name, metric in names],
        pairs=pair_rows(plan, list(points.values()), wanted.score),
        variants=variant_table(plan, points, wanted.score).to_dict("records"),
        settings=_settings(config, _test_share(plan, dataset)), trainings=_trainings(wanted, collected),
        sections={name: views for name, views in TABS.items() if name != PLANE or has_plane(dataset)},
    )  # fmt: skip


def _summary(wanted: Wanted, dataset: Dataset) -> str:
    plan = wanted.planned
    return (
        f"{len(dataset.y):,} rows, target {dataset.target}, {len(dataset.classes)} classes; SHA-256 of the table"
        f" {dataset.sha256[:16]}…. {counted(plan.seeds, 'seed')} of each variant, from seed {plan.first_seed} on;"
        f" {_test_share(plan, dataset):.0%} of the rows are test rows."
    )


def _test_share(plan: Plan, dataset: Dataset) -> float:
    """The share that is asked for, or that of the rows that a column or a second file says are test rows."""
    column = dataset.split_column
    return plan.test_size if column is None or column.kind != "split" else round(float(column.values.mean()), 3)


def _settings(config: TrainConfig, test_size: float) -> list[dict[str, str]]:
    """The settings that all variants share but for what they change."""
    known = [(one.title, getattr(config, name)) for name, one in SETTINGS.items() if one.key]
    rows = [{"Setting": label, "As set": in_words(value)} for label, value in known]
    return [*rows, {"Setting": "Test share", "As set": in_words(test_size)}]


def _trainings(wanted: Wanted, collected: Collected) -> list[dict[str, str]]:
    """Score, dead rules and seconds of each training, as text."""
    table = every_training(wanted.planned, collected.points.values())
    rows = []
    for line in table.to_dict("records"):
        scores = {name.upper(): line[f"{name}_{wanted.score}"] for name in ("bca", "rca")}
        row = {"Variant": line["variant"], "Seed": str(line["seed"])}
        row |= {name: "–" if value is None or value != value else f"{value:.3f}" for name, value in scores.items()}
        rows.append(
            row
            | {
                "Dead rules": "–" if line["dead"] != line["dead"] else in_words(line["dead"]),
                "Seconds (share)": f"{line['seconds_share']:.2f}",
            }
            | {"Note": line["message"] or ""}
        )
    return rows


def export_row(wanted: Wanted, config: TrainConfig, dataset: Dataset, collected: Collected) -> None:
    """The buttons below the charts. Each file is made only when its button is pressed."""
    plan, points = wanted.planned, collected.points
    if not points:
        return
    name = experiment_file(plan, dataset, "comparison")
    link = full_link(config, plan.test_size, DATA.get(), dataset, in_force(), link_values(wanted))
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare_exports"):
        st.download_button(
            "Every training (CSV)", lambda: to_csv(every_training(plan, points.values())),
            f"{name}.csv", "text/csv", on_click="ignore",
            help="A row for each variant and seed with all scores.",
        )  # fmt: skip
        if len(plan.variants) > 1:
            st.download_button(
                "Every pair (CSV)", lambda: to_csv(every_pair(plan, list(points.values()), wanted.score)),
                f"{name}-pairs.csv", "text/csv", on_click="ignore",
                help="A row for each pair of variants and accuracy: difference, interval, p-values, how often one is higher.",
            )  # fmt: skip
        st.download_button(
            "Report (HTML)", lambda: report(wanted, config, dataset, collected, link, datetime.now(UTC)),
            f"{name}.html",
            "text/html", on_click="ignore",
            help="One file with verdicts, table, charts and settings. It needs no internet; print it to save it as PDF.",
        )  # fmt: skip
        options = sorted(points)
        number = st.selectbox(
            "One training",
            options,
            key=OPENED_TRAINING.name,
            width=260,
            format_func=lambda one: _training(wanted, points[one]),
        )
        st.button(
            "Open in Explore", disabled=number is None, on_click=_open,
            help="Trains it again in Explore with the same settings, seed and split. A click on its line does the same.",
        )  # fmt: skip


def _training(wanted: Wanted, point: Mapping[str, Any]) -> str:
    scores = point["scores"][wanted.score]
    score = "" if scores is None else f": BCA {scores[1]:.3f}"
    return f"{wanted.planned.variants[point['variant']].name}, seed {point['seed']}{score}"


def _open() -> None:
    COMPARE_OPENED.set(OPENED_TRAINING.get())
