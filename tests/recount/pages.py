"""What the pages print of each table: a training with its cards and its report, a comparison, a sweep."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pandas as pd

from tests.pages.helpers import ended_run
from tests.recount.arithmetic import bca, rca
from tests.recount.costs import cost_lines, decision_for
from tests.recount.experiments import comparison_lines, sweep_lines
from tests.recount.html import elements
from tests.recount.lines import Line
from tests.recount.model import Model
from tests.recount.rules import list_lines, rule_lines
from tests.recount.scores import Reader, score_lines
from tests.recount.tables import Table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, Dataset, read_csv
from tsk_core.experiments import every_training
from tsk_core.experiments.grid import parse_axis
from tsk_core.experiments.plan import Plan, comparison_plan, sweep_plan
from tsk_core.experiments.sweep_summary import sentence, summarise
from tsk_core.experiments.verdicts import pairs
from tsk_core.jobs import Engine
from tsk_core.tasks import EXPERIMENT, Experiment
from ui.compare.texts import variant_table
from ui.report.run_report import report
from ui.sweep.exports import cells_frame

__all__ = ["lines_of"]

BASE = {"n_rules": 4, "max_epochs": 20}
SEEDS = 3
CONDITIONS = {"first-order": 4, "first-order, shorter": 2, "readable": 12}


def lines_of(engine: Engine, table: Table) -> Iterator[Line]:
    """Every number that is recounted of one table."""
    choices = Choices(roles=dict.fromkeys(table.ranked, "ordinal"), codes=table.codes)
    dataset = read_csv(table.csv.encode(), name=table.name, choices=choices)
    first = ended_run(engine, dataset, **BASE)
    readable = ended_run(engine, dataset, **TrainConfig.readable(n_rules=6, max_epochs=30, random_state=0).to_dict())
    decision = decision_for(table.raw["class"].to_numpy())
    for name, conditions in CONDITIONS.items():
        shown = readable if name == "readable" else first
        link, summary = "http://localhost", shown.result.rules(conditions)
        html = report(shown, None, link, conditions, datetime.now(UTC), decision=decision).decode()
        reader = _reader(table, shown, html, summary.source)
        if name != "first-order, shorter":
            yield from score_lines(reader)
            yield from () if decision is None else cost_lines(reader, decision.positive)
        yield from rule_lines(reader, summary.to_frame())
        if summary.rule_list is not None:
            yield from list_lines(
                reader, summary.rule_list.text, "\n".join(str(rule) for rule in summary.rules).replace("\n  ", "\n")
            )
    yield from _experiments(engine, table, dataset)


def _reader(table: Table, shown, html: str, rules: dict) -> Reader:
    split = shown.result.split
    return Reader(table, table.raw.iloc[split.train], table.raw.iloc[split.test], Model(json.dumps(rules)), elements(html))


def _experiments(engine: Engine, table: Table, dataset: Dataset) -> Iterator[Line]:
    config = TrainConfig(**BASE, random_state=0)
    plan = comparison_plan(["none", "bn", "ur"], config, seeds=SEEDS)
    points = _trained(engine, plan, dataset)
    split = dataset.split(test_size=0.3, seed=0)
    ratio = len(split.test) / len(split.train)  # the same for all seeds
    csv, table_of_variants = (
        every_training(plan, points),
        variant_table(plan, {point["point"]: point for point in points}, "mean"),
    )
    told = [pair.sentence for pair in pairs(plan, points, "mean", "bca")]
    yield from comparison_lines(table.name, csv, "bca_mean", told, table_of_variants, ratio)
    yield from _one_training(engine, plan, dataset, table, csv)
    plan = sweep_plan([parse_axis("rules=2,4,8")], config, seeds=SEEDS)
    points = _trained(engine, plan, dataset)
    cells = summarise(plan, points, "mean", "bca")
    csv, of_cells = every_training(plan, points), cells_frame(plan, cells)
    yield from sweep_lines(table.name, csv, of_cells, "bca_mean", "rules", sentence(plan, cells, {}, "bca"), ratio)


def _one_training(engine: Engine, plan: Plan, dataset: Dataset, table: Table, csv: pd.DataFrame) -> Iterator[Line]:
    """The last training of the first variant, opened in Explore: its model, exported, on the raw test rows."""
    config = plan.variants[0].config
    shown = ended_run(engine, dataset, **config.to_dict() | {"random_state": SEEDS - 1})
    test = table.raw.iloc[shown.result.split.test]
    predicted, true = Model(json.dumps(shown.result.rules(4).source)).predicted(test), test["class"].to_numpy()
    line = csv[(csv["variant"] == plan.variants[0].name) & (csv["seed"] == SEEDS - 1)].iloc[0]
    for name, score in (("rca", rca), ("bca", bca)):
        yield Line(
            f"Compare: {name.upper()} of a training", table.name, f"{line[f'{name}_last']:.9f}", f"{score(true, predicted):.9f}"
        )


def _trained(engine: Engine, plan: Plan, dataset: Dataset) -> list[dict]:
    """The points of an experiment, by their numbers."""
    run = engine.submit_task(Experiment(plan, dataset))
    for _ in engine.follow(run):
        pass
    return sorted((one for one in engine.store.open(run).records(EXPERIMENT) if "point" in one), key=lambda one: one["point"])
