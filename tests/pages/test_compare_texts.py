"""What a comparison says: verdicts, the table of variants, and every training as a row; and its report."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import numpy as np
import pytest
import streamlit as st
from scipy import stats

from tests.pages.comparisons import make_plan, points_of
from tsk_core.config import TrainConfig
from tsk_core.data import SplitColumn, load_dataset
from tsk_core.experiments import make_variant
from ui.compare.controls import Wanted
from ui.compare.exports import report
from ui.compare.my_runs import caveats
from ui.compare.panel import about, colours, has_plane, verdict_of
from ui.compare.texts import band_text, factors, in_common, lines_below, so_far, variant_table, verdict
from ui.experiments import Collected
from ui.explore.steering import changes_of
from ui.runs.differences import same_test_rows
from ui.runs.run_view import RunView

SCORES = [[0.70, 0.72, 0.71, 0.69], [0.80, 0.83, 0.81, 0.79]]


def test_a_clear_difference_comes_first_and_partial_results_say_so():
    plan = make_plan("none", "bn", "ur")
    points = points_of(plan, [SCORES[0], [0.71, 0.70, 0.72, 0.70], SCORES[1]])
    found = verdict(plan, points, "mean")
    assert [pair.clear for pair in found.pairs] == [True, True, False] and found.so_far == ""
    assert found.pairs[0].sentence.startswith("UR is better than MBGD in BCA. UR − MBGD: +10.3 points (")
    partial = {number: point for number, point in points.items() if point["variant"] < 2 or point["seed"] < 1}
    assert so_far(plan, partial) == "After 1 to 4 of 4 seeds each"
    assert verdict(plan, partial, "mean").standing == "After 1 to 4 of 4 seeds each, partial results:"
    first = {number: point for number, point in points.items() if point["variant"] < 1}
    assert verdict(plan, first, "mean").standing == "After 0 to 4 of 4 seeds each, no verdict yet."
    assert found.standing == ""


def test_what_all_pairs_say_is_said_once():
    plan = make_plan("none", "bn", "ur")
    rng = np.random.default_rng(0)
    alike = verdict(plan, points_of(plan, 0.7 + 0.02 * rng.normal(size=(3, 4))), "mean")
    assert in_common(alike) == "No clear difference in BCA in any of the 3 pairs."
    assert all(pair.sentence == f"{pair.verdict} {pair.measured}" for pair in alike.pairs)
    assert in_common(verdict(plan, points_of(plan, [SCORES[0], [0.71, 0.70, 0.72, 0.70], SCORES[1]]), "mean")) == ""
    two = make_plan()
    assert in_common(verdict(two, points_of(two, [[0.7, 0.8, 0.7, 0.8]] * 2), "mean")) == ""


def test_the_table_has_mean_sd_and_the_corrected_interval():
    plan = make_plan()
    table = variant_table(plan, points_of(plan, SCORES), "mean")
    assert table["Variant"].tolist() == ["MBGD", "UR"] and "Diverged" not in table
    scores = np.array(SCORES[0])
    assert table["BCA, mean ± SD"][0] == f"{scores.mean():.3f} ± {scores.std(ddof=1):.3f}"
    half = stats.t.ppf(0.975, 3) * scores.std(ddof=1) * np.sqrt(1 / 4 + 3 / 7)
    assert table["BCA, 95% interval of the mean"][0] == f"{scores.mean() - half:.3f} to {scores.mean() + half:.3f}"
    assert factors(plan, {})[4] * scores.std(ddof=1) == pytest.approx(half) and factors(plan, {})[:2] == [None, None]
    # Where all seeds have the same test rows, nothing is corrected for splits.
    points = {number: {**point, "test_train_ratio": 0.0} for number, point in points_of(plan, SCORES).items()}
    assert factors(plan, points)[4] == pytest.approx(stats.t.ppf(0.975, 3) / 2)
    assert "corrected" not in band_text(plan, points, "ci") and "corrected" in band_text(plan, {}, "ci")


def test_a_table_without_points_and_with_one_seed_has_no_numbers_that_are_not_known():
    plan = make_plan(seeds=1)
    assert variant_table(plan, {}, "mean")["BCA, mean ± SD"].tolist() == ["–", "–"]
    points = points_of(plan, [[0.7], [0.8]])
    points[1]["message"] = "Training diverged."
    table = variant_table(plan, points, "mean")
    assert table["BCA, mean ± SD"].tolist() == ["0.700", "0.800"] and table["Diverged"].tolist() == ["0", "1"]
    assert "No verdict on BCA from one seed" in verdict(plan, points, "mean").pairs[0].sentence


def test_another_table_has_its_own_verdict(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    plan, found = make_plan(), []
    for scores in (SCORES, SCORES[::-1]):  # the same settings, and as many points
        known = Collected()
        for point in points_of(plan, scores).values():
            known.add(point)
        found.append(verdict_of(plan, known.points, "mean").pairs[0].sentence)
    assert found[0] != found[1]


def test_a_named_variant_has_the_same_colour_in_every_comparison_and_no_two_share_one():
    assert colours(["none", "ur"]) == [0, 2] and colours(["ur", "base", "ur=5"])[0] == 2
    assert colours(["none", "ur-val", "ur-bn-val"]) == colours(["none", "ur", "ur-bn"])
    assert len(set(colours(["none", "ur", "ur-val", "ur-bn-val", "rbn"]))) == 5
    assert sorted(colours(["base", "none", "rules=3", "bn", "ur=5", "l2=0.1", "ur", "batch=16"])) == list(range(8))


def test_one_knob_is_changed_by_each_offer():
    found = set(changes_of(TrainConfig.paper(n_rules=20)))
    assert {key for key in found if not key.startswith("firing=")} == {
        "ur=0",
        "ur=10",
        "bn=none",
        "bn=gbn",
        "rules=10",
        "rules=40",
    }
    assert "firing=paper" in found
    assert {"ur=1", "bn=bn"} <= set(changes_of(TrainConfig.paper(ur_weight=0.0, batch_norm="none")))
    for rules in (16, 24, 104, 192):  # of several trainings, too, all changes can be made
        config = TrainConfig(n_rules=rules, n_trainings=8)
        found = changes_of(config)
        assert len([make_variant(text, config) for text in found]) == len(found) >= 5


def view(seed=0, test_size=0.3, data="a", roles=None, **settings):
    config = TrainConfig.paper(random_state=seed, **settings)
    return RunView("r", config, {"name": data, "sha256": data, "target": "class", "roles": roles or {}}, test_size, None)


def test_two_runs_that_do_not_share_data_split_or_start_say_so():
    assert caveats(view(), view(ur_weight=0.0)) == []
    assert "different data" in caveats(view(), view(data="b"))[0]
    assert "different seeds (0 and 3)" in caveats(view(), view(seed=3))[0]
    assert "not the initial state" in caveats(view(), view(n_trainings=2))[0]
    assert "do not share the split" in caveats(view(), view(test_size=0.5))[0]
    assert "not the initial state" in caveats(view(), view(n_rules=7))[0]
    assert "split in different ways" in caveats(view(), view(roles={"who": "group"}))[0]
    fixed = {"roles": {"part": "split"}}  # a column decides, whatever the seed and the share
    assert caveats(view(**fixed), view(test_size=0.5, **fixed)) == []
    assert "(0 and 3): another initial state and batch order" in caveats(view(**fixed), view(seed=3, **fixed))[0]
    by_time = {"roles": {"day": "time"}}
    assert same_test_rows(view(**by_time), view(seed=3, **by_time))
    assert not same_test_rows(view(**by_time), view(test_size=0.5, **by_time))


def test_the_report_has_verdicts_charts_and_all_it_loads(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    plan, iris, known = make_plan(), load_dataset("iris"), Collected()
    for point in points_of(plan, SCORES).values():
        known.add(point)
    wanted = Wanted(plan, "mean", "ci")
    link, made = "http://x/compare?a=1&b=2", datetime(2026, 1, 2, tzinfo=UTC)
    html = report(wanted, plan.variants[0].config, iris, known, link, made).decode()
    for text in ("UR is better than MBGD in BCA. UR − MBGD: +", "MBGD, UR on iris", "compare?a=1&amp;b=2"):
        assert text in html
    sent = {part["kind"]: part["payload"] for part in json.loads(re.search(r'id="content">(.*?)</script>', html)[1])["message"]}
    assert sent["comparison"].items() >= json.loads(json.dumps(about(plan, iris.classes, known, "ci", ended=True))).items()
    assert len(sent["records"]["list"]) == 8
    lines = lines_below(plan, iris, known.points, "mean")
    assert lines and all(line in unescape(html) for line in lines)
    markup = html.split("<script")[0]
    assert not re.search(r'(src|href)="(?!http://x)', markup) and "comparePlane" not in markup
    assert "30% of the rows are test rows." in markup and has_plane(load_dataset("rich_get_richer")) and not has_plane(iris)
    fixed = replace(iris, split_column=SplitColumn("split", "part", np.arange(150) % 10 == 0))
    markup = report(wanted, plan.variants[0].config, fixed, known, link, made).decode().split("<script")[0]
    assert "10% of the rows are test rows." in markup and "<td>0.3</td>" not in markup
