"""What can be taken along of a comparison: the CSV of every training, the HTML report; and a training opened in Explore."""

from datetime import UTC, datetime

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset, to_csv
from tsk_core.experiments import every_pair, every_training
from ui.compare.controls import Wanted, link_values
from ui.compare.report import report
from ui.experiments import Collected
from ui.experiments.naming import experiment_file
from ui.platform import session
from ui.settings.link import full_link
from ui.settings.starting import in_force


def export_row(wanted: Wanted, config: TrainConfig, dataset: Dataset, collected: Collected) -> None:
    """The buttons below the charts. Each file is made only when its button is pressed."""
    plan, points = wanted.plan, collected.points
    if not points:
        return
    name = experiment_file(plan, dataset, "comparison")
    link = full_link(config, plan.test_size, session.DATA.get(), dataset, in_force(), link_values(wanted))
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
            key=session.OPENED_TRAINING.name,
            width=260,
            format_func=lambda one: _training(wanted, points[one]),
        )
        st.button(
            "Open in Explore", disabled=number is None, on_click=_open,
            help="Trains it again in Explore with the same settings, seed and split. A click on its line does the same.",
        )  # fmt: skip


def _training(wanted: Wanted, point: dict) -> str:
    scores = point["scores"][wanted.score]
    score = "" if scores is None else f": BCA {scores[1]:.3f}"
    return f"{wanted.plan.variants[point['variant']].name}, seed {point['seed']}{score}"


def _open() -> None:
    session.COMPARE_OPENED.set(session.OPENED_TRAINING.get())
