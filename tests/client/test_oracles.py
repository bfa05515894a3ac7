"""What each figure shows, beside what Python computes of the same epochs."""

import json
import math
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.client.messages import figure, make_epoch, make_history, make_shown
from tsk_core.epoch import ENTROPY_BINS
from ui.live import Feed
from ui.live.message import run_parts

pytestmark = pytest.mark.browser

ROWS = int(make_epoch().entropy.sum())  # that the epochs of these tests are measured on
SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
CONFUSION = {"classes": ["<b>cat</b>", "dog", "owl"], "confusion": [[3, 1, 0], [0, 4, 0], [0, 0, 0]]}
BINS = {"reliability": {"count": [0, 4, 12], "confidence": [None, 0.5, 0.9], "accuracy": [None, 0.25, 1.0]}, "ece": 0.1375}


def of(client, name, *epochs, metrics=None, comparison=None, **options):
    """The figure of a run with these epochs; comparison: the epochs of the run before."""
    before = comparison and make_shown(comparison, "before", metrics={})
    return figure(client, name, make_shown(epochs, metrics=metrics), before, **options)


def named(drawn, name):
    (trace,) = (trace for trace in drawn["data"] if trace.get("name") == name and trace.get("showlegend", True))
    return trace


def lines_at(drawn, axis):
    """Where straight lines stand: ``x`` for upright ones, ``y`` for level ones."""
    return [shape[f"{axis}0"] for shape in drawn["layout"]["shapes"] if shape[f"{axis}0"] == shape[f"{axis}1"]]


def words(drawn):
    return " ".join(note["text"] for note in drawn["layout"]["annotations"])


# Loss, accuracy, gradients.


def test_the_loss_is_drawn_by_its_three_parts(client):
    drawn = of(client, "loss", *make_history(4))
    lines = {trace["name"]: trace["y"] for trace in drawn["data"] if trace["name"] != "comparison"}
    assert list(lines) == ["cross-entropy", "λ·UR above its minimum", "α·L2"]
    assert lines["cross-entropy"] == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4], rel=1e-5)
    assert lines["λ·UR above its minimum"] == pytest.approx([0.1, 0.1 / 2, 0.1 / 3, 0.1 / 4], rel=1e-5)
    assert lines["α·L2"] == [0.01] * 4
    assert named(drawn, "cross-entropy")["x"] == [1, 2, 3, 4]


def test_shrinkage_is_a_line_of_the_loss_where_there_is_any(client):
    history = [make_epoch(k, loss_shrinkage=0.02 * k) for k in (1, 2)]
    assert named(of(client, "loss", *history), "κ·shrinkage")["y"] == pytest.approx([0.02, 0.04])


amounts = st.floats(0, 1e6)


@given(pairs=st.lists(st.tuples(amounts, amounts), min_size=1, max_size=9))
@SOME
def test_ur_above_its_minimum_is_never_below_zero(client, pairs):
    history = [make_epoch(k + 1, loss_ur=ur, ur_floor=floor) for k, (ur, floor) in enumerate(pairs)]
    drawn = named(of(client, "loss", *history), "λ·UR above its minimum")["y"]
    assert drawn == pytest.approx([max(0, ur - floor) for ur, floor in pairs], rel=1e-5)


@pytest.mark.parametrize("name", ["loss", "accuracy", "gradients"])
def test_one_epoch_is_a_dot_and_more_are_a_line(client, name):
    def modes(epochs):
        lines = of(client, name, *make_history(epochs))["data"]
        return {trace["mode"] for trace in lines if trace["name"] not in ("comparison", "best test BCA")}

    assert modes(1) == {"markers"}
    assert modes(2) == {"lines"}


def test_accuracy_is_drawn_for_test_and_training_rows(client):
    drawn = of(client, "accuracy", *make_history(2))
    lines = [trace for trace in drawn["data"] if trace["mode"] == "lines"]
    assert {t["name"]: t["y"][0] for t in lines} == {"RCA test": 0.7, "BCA test": 0.6, "RCA train": 0.9, "BCA train": 0.8}
    assert [trace["line"]["dash"] for trace in lines] == ["solid", "solid", "dot", "dot"]
    assert lines[0]["line"]["width"] > lines[1]["line"]["width"]  # seen under the next where both are alike


def test_while_early_stopping_searches_the_validation_rows_are_drawn(client):
    search = [make_epoch(k, stage="hold-out", bca_validation=k / 10, rca_test=None, bca_test=None) for k in (1, 2, 3)]
    drawn = of(client, "accuracy", *search)
    assert named(drawn, "BCA validation")["y"] == [0.1, 0.2, 0.3]
    assert "BCA test" not in {trace["name"] for trace in drawn["data"]}
    after = of(client, "accuracy", *search, *make_history(2))  # of the training that follows, nothing of the search is drawn
    assert named(after, "BCA test")["x"] == [1, 2]


def test_a_search_says_its_validation_score(client):
    drawn = of(client, "accuracy", make_epoch(stage="hold-out", bca_validation=0.25, rca_test=None, bca_test=None))
    assert "validation BCA 0.250" in drawn["name"] and "–" not in drawn["name"]


def test_the_baseline_is_a_level_line_with_its_name(client):
    drawn = of(client, "accuracy", *make_history(2), metrics={"baselines": {"logistic_regression": {"rca": 0.83}}})
    assert lines_at(drawn, "y") == [0.83]
    assert [shape["name"] for shape in drawn["layout"]["shapes"]] == ["logistic regression (RCA)"]
    assert lines_at(of(client, "accuracy", *make_history(2)), "y") == []


@given(scores=st.lists(st.one_of(st.none(), st.integers(0, 20)), min_size=1, max_size=12), held=st.integers(0, 11))
@SOME
def test_the_star_stands_at_the_first_of_the_best_epochs(client, scores, held):
    scores = [None if score is None else score / 20 for score in scores]
    history = [make_epoch(k + 1, bca_test=score) for k, score in enumerate(scores)]
    for index, future in ((None, True), (min(held, len(scores) - 1), False)):
        seen = scores if future else scores[: index + 1]
        known = [-1 if score is None else score for score in seen]
        drawn = of(client, "accuracy", *history, index=index, future=future)
        stars = [trace for trace in drawn["data"] if trace["name"] == "best test BCA"]
        if max(known) < 0:
            assert not stars and "★" not in drawn["caption"]
        else:
            assert (stars[0]["x"], stars[0]["y"]) == ([int(np.argmax(known)) + 1], [max(known)])
            assert f"epoch {np.argmax(known) + 1}." in drawn["caption"]


def test_gradients_are_drawn_on_a_scale_of_powers(client):
    drawn = of(client, "gradients", make_epoch(grad_antecedents=1e-7, grad_consequents=123.0))
    assert drawn["layout"]["yaxis"]["type"] == "log"
    assert named(drawn, "antecedents (m, σ)")["y"] == [1e-7]
    assert named(drawn, "consequents (b, b₀)")["y"] == [123.0]


# Firing.


@st.composite
def firing_levels(draw):
    """Levels of some rules, many of them close to where a rule hardly fires and to where it never does."""
    R = draw(st.integers(1, 40))
    bounds = [round(bound, 6) + near for bound in (0.2 / R, 1 / R / ROWS) for near in (-1e-6, 0, 1e-6)]
    level = st.one_of(st.floats(0, 1), st.sampled_from([0.0, *bounds, 1 / R]))
    return draw(st.lists(level, min_size=R, max_size=R))


@given(levels=firing_levels(), order=st.sampled_from(["active", "number"]))
@example(levels=[0.975, 0.025, 0.0, 0.0], order="active")
@SOME
def test_bars_stand_in_order_and_dead_rules_are_those_of_the_epoch(client, levels, order):
    epoch = make_epoch(firing=np.round(levels, 6))  # as sent to the browser
    R = len(levels)
    drawn = of(client, "firing", epoch, order=order)
    bars = drawn["data"][0]
    expected = np.argsort(-epoch.firing, kind="stable") if order == "active" else np.arange(R)
    assert bars["y"] == pytest.approx(epoch.firing[expected].tolist())
    assert bars["customdata"] == [rule + 1 for rule in expected]
    found = {
        name: sorted(
            bars["customdata"][place - 1] for trace in drawn["data"] if trace.get("name") == name for place in trace["x"]
        )
        for name in ("never fires", "hardly fires")
    }
    dead = [rule + 1 for rule in range(R) if epoch.firing[rule] * R * ROWS < 1]
    idle = [rule + 1 for rule in range(R) if epoch.firing[rule] < 0.2 / R and rule + 1 not in dead]
    assert found == {"never fires": dead, "hardly fires": idle}
    assert len(dead) == epoch.dead_rules
    assert lines_at(drawn, "y") == pytest.approx([1 / R])
    assert ("every rule fires" in drawn["name"]) == (not dead and not idle)
    for some, how in ((dead, "never"), (idle, "hardly")):
        first = f"{'rules' if len(some) > 1 else 'rule'} {min(some)}" if some else how
        assert (first in drawn["name"] and f"{how} fire" in drawn["name"]) == bool(some)


def test_a_rule_keeps_its_colour_in_any_order(client):
    epoch = make_epoch(firing=np.linspace(0.1, 0.3, 20))

    def colours(order):
        bars = of(client, "firing", epoch, order=order)["data"][0]
        return dict(zip(bars["customdata"], bars["marker"]["color"], strict=True))

    assert colours("active") == colours("number")
    assert len(set(colours("number").values())) == 20


def test_each_bar_has_the_number_of_its_rule_while_there_is_room(client):
    assert of(client, "firing", make_epoch(firing=[0.1, 0.5, 0.4]))["layout"]["xaxis"]["ticktext"] == ["2", "3", "1"]
    assert of(client, "firing", make_epoch(firing=np.full(200, 1 / 200)))["layout"]["xaxis"]["showticklabels"] is False


@given(levels=st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=6))
@SOME
def test_the_heat_map_has_firing_in_even_shares(client, levels):
    history = [make_epoch(k + 1, firing=row) for k, row in enumerate(levels)]
    map_ = of(client, "heat", *history)["data"][0]
    assert map_["x"] == [epoch.epoch for epoch in history]
    for rule, row in zip(map_["y"], map_["z"], strict=True):
        assert row == pytest.approx([3 * epoch.firing[int(rule) - 1] for epoch in history], abs=1e-5)
    newest = np.round(history[-1].firing, 6)
    top_down = [int(rule) - 1 for rule in reversed(map_["y"])]
    assert top_down == np.argsort(-newest, kind="stable").tolist()


def test_a_long_heat_map_is_thinned_and_keeps_both_ends(client):
    x = of(client, "heat", *make_history(1000))["data"][0]["x"]
    assert len(x) == 300 and x == sorted(set(x)) and (x[0], x[-1]) == (1, 1000)


# Entropy.


@given(counts=st.lists(st.integers(0, 1000), min_size=ENTROPY_BINS, max_size=ENTROPY_BINS), R=st.integers(2, 60))
@SOME
def test_entropy_is_drawn_as_shares_from_0_to_log_r(client, counts, R):
    bars = of(client, "entropy", make_epoch(firing=np.full(R, 1 / R), entropy=counts))["data"][0]
    assert sum(bars["y"]) == pytest.approx(1 if sum(counts) else 0)
    assert len(bars["x"]) == ENTROPY_BINS
    assert bars["x"][0] - bars["width"] / 2 == pytest.approx(0, abs=1e-9)
    assert bars["x"][-1] + bars["width"] / 2 == pytest.approx(math.log(R))


def test_entropy_marks_both_ends_and_shows_the_first_epoch(client):
    drawn = of(client, "entropy", *make_history(3))
    assert lines_at(drawn, "x") == pytest.approx([0, math.log(4)])
    assert "log R" in words(drawn)
    assert sum(named(drawn, "epoch 1")["y"][2:-2]) == pytest.approx(1)
    assert "epoch 1" not in {trace.get("name") for trace in of(client, "entropy", *make_history(3), index=0)["data"][1:]}


# Mistakes.


def test_the_confusion_matrix_has_the_counts_and_each_class_its_recall(client):
    drawn = of(client, "confusion", *make_history(2), metrics=CONFUSION)
    map_ = drawn["data"][0]
    assert map_["text"] == [["3", "1", "0"], ["0", "4", "0"], ["0", "0", "0"]]
    assert map_["z"] == [[0.75, 0.25, 0], [0, 1, 0], [0, 0, 0]]
    recall = drawn["layout"]["yaxis"]["ticktext"]
    assert ["75.0%" in recall[0], "100.0%" in recall[1], "no test rows" in recall[2]] == [True] * 3
    assert drawn["layout"]["yaxis"]["autorange"] == "reversed"
    assert "7 of 8" in drawn["name"]


def test_evaluations_follow_the_selected_epoch_and_end_with_the_model_kept(client):
    shown = make_shown(make_history(5), metrics=CONFUSION)
    bins = {"count": [8], "confidence": [0.5], "accuracy": [0.25]}
    kept = [{"epoch": 2, "confusion": [[0, 4, 0], [4, 0, 0], [0, 0, 0]], "reliability": bins, "ece": 0.25}]
    lists = {"evaluations": {"list": kept, "classes": CONFUSION["classes"]}}
    before = make_shown(make_history(2), "before", metrics=CONFUSION | {"confusion": [[4, 0, 0], [0, 4, 0], [0, 0, 0]]})
    at = {index: figure(client, "confusion", shown, before, index=index, lists=lists) for index in (0, 2, None)}
    assert at[2]["data"][0]["text"][0] == ["0", "4", "0"]  # without the count at the end of the comparison
    assert at[2]["name"].startswith("Confusion matrix after epoch 2: 0 of 8") and at[0]["name"] == at[2]["name"]
    assert at[None]["name"].startswith("Confusion matrix: 7 of 8") and "vs 4" in at[None]["data"][0]["text"][0][0]
    reliability = figure(client, "reliability", shown, before, index=3, lists=lists)
    assert (named(reliability, "test rows")["y"], "after epoch 2" in reliability["name"]) == ([0.25], True)


def test_evaluations_are_drawn_during_training(client):
    kept = [{"epoch": 2, "confusion": [[3, 1, 0], [0, 4, 0], [0, 0, 0]]}]
    lists = {"evaluations": {"list": kept, "classes": CONFUSION["classes"]}}
    drawn = figure(client, "confusion", make_shown(make_history(3)), lists=lists)
    assert drawn["name"].startswith("Confusion matrix after epoch 2: 7 of 8")
    assert drawn["layout"]["xaxis"]["ticktext"] == ["&lt;b&gt;cat&lt;/b&gt;", "dog", "owl"]


def test_of_an_older_run_only_the_end_is_known(client):
    drawn = figure(client, "confusion", make_shown(make_history(3), metrics=CONFUSION), index=0)
    assert drawn["name"].startswith("Confusion matrix at the end: 7 of 8")


def test_names_of_classes_are_text_to_plotly_and_to_screen_readers(client):
    drawn = of(client, "confusion", *make_history(2), metrics=CONFUSION)
    assert drawn["layout"]["xaxis"]["ticktext"][0] == "&lt;b&gt;cat&lt;/b&gt;"
    assert "<b>cat</b>, 75.0%" in drawn["name"] and "<b>cat</b>, 75.0%" in drawn["caption"]


def test_a_count_that_differs_shows_that_of_the_comparison(client):
    before = make_shown(make_history(2), "before", metrics=CONFUSION | {"confusion": [[4, 0, 0], [0, 4, 0], [0, 0, 0]]})
    text = figure(client, "confusion", make_shown(make_history(2), metrics=CONFUSION), before)["data"][0]["text"]
    assert text[0][0].startswith("3<br>") and "vs 4" in text[0][0]
    assert text[1][1] == "4"


def test_reliability_shows_the_bins_that_have_rows(client):
    drawn = of(client, "reliability", *make_history(2), metrics=BINS)
    dots = named(drawn, "test rows")
    assert (dots["x"], dots["y"], dots["customdata"]) == ([0.5, 0.9], [0.25, 1.0], [4, 12])
    assert "0.138" in drawn["name"] and "16 test rows" in drawn["name"]


@pytest.mark.parametrize("name", ["confusion", "reliability"])
def test_before_the_first_evaluation_the_page_says_when_it_appears(client, name):
    drawn = of(client, name)
    assert drawn["data"] == [] and "appears after the first epochs" in drawn["caption"]
    assert "not recorded for this run" in of(client, name, *make_history(2), metrics={"classes": ["a", "b"]})["caption"]


@given(epoch=st.builds(make_epoch, loss_ce=amounts, seconds=amounts, grad_antecedents=amounts))
@SOME
def test_numbers_keep_six_digits_on_their_way(epoch):
    *_, epochs = run_parts(Feed(), make_shown([epoch]), None)
    values = dict(zip(epochs["payload"]["fields"], epochs["payload"]["list"][0], strict=True))
    for name, value in (("ce", epoch.loss_ce), ("seconds", epoch.seconds), ("gradAntecedents", epoch.grad_antecedents)):
        assert values[name] == pytest.approx(value, rel=5e-6)
    assert statistics.fsum(values["firing"]) == pytest.approx(epoch.firing.sum(), abs=1e-5)


@pytest.mark.parametrize(("changes", "label"), [
    ({}, "same settings"), ({"ur_weight": 0.0}, "λ 0"), ({"ur_weight": 0.0, "n_rules": 7, "batch_size": 8}, "R 7, λ 0, …"),
])  # fmt: skip
def test_the_legend_names_the_comparison_by_its_settings(client, changes, label):
    comparison = make_shown(make_history(2), "other", metrics={})
    comparison.config = replace(comparison.config, **changes)
    drawn = figure(client, "loss", make_shown(make_history(2)), comparison)
    assert label in [trace["name"] for trace in drawn["data"] if trace.get("showlegend")]


def test_the_name_of_a_comparison_is_text_to_plotly(client):
    comparison = make_shown(make_history(2), "other", metrics={})
    comparison.config = replace(comparison.config, class_weight={"<b>cat</b>": 2.0})
    drawn = figure(client, "loss", make_shown(make_history(2)), comparison)
    assert "<b>" not in json.dumps(drawn["data"])
