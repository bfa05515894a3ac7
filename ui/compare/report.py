"""A comparison as one HTML file for reading and printing: verdicts, table, charts, settings; it opens without a network."""

from datetime import datetime
from pathlib import Path

from tsk_core.config import SETTINGS, TrainConfig, in_words
from tsk_core.data import Dataset
from tsk_core.experiments import Plan, every_training
from tsk_core.numbers import counted
from ui.compare.beside_paper import lines_below
from ui.compare.charts import PLANE, TABS, comparison_parts, has_plane
from ui.compare.controls import Wanted
from ui.compare.texts import pair_rows, variant_table, verdict
from ui.experiments import Collected
from ui.live import Feed
from ui.report.document import render

__all__ = ["report"]

_TEMPLATE = Path(__file__).with_name("comparison.html")


def report(wanted: Wanted, config: TrainConfig, dataset: Dataset, collected: Collected, link: str, made: datetime) -> bytes:
    """The HTML. config: what the variants change. link: of the page. made: the moment, with its time zone."""
    plan, points = wanted.plan, collected.points
    names = [("balanced accuracy (BCA)", "bca"), ("accuracy (RCA)", "rca")] if len(plan.variants) > 1 else []
    message = comparison_parts(Feed(now=lambda: 0), plan, dataset, collected, wanted.band, ended=True)
    return render(
        _TEMPLATE, {"message": message},
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
    plan = wanted.plan
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
    table = every_training(wanted.plan, collected.points.values())
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
