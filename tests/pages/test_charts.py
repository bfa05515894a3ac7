"""Each chart, made of Epochs written by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.epoch import ENTROPY_BINS, Epoch
from ui import charts

finite = st.floats(0, 1e6)


def make_epoch(epoch=1, firing=(0.4, 0.3, 0.295, 0.005), entropy=None, **changes):
    """An epoch of four rules, of which the last never fires."""
    values = {
        "loss_ce": 1 / epoch, "loss_l2": 0.01, "loss_ur": 0.5 + 0.1 / epoch, "ur_floor": 0.5,
        "rca_train": 0.9, "bca_train": 0.8, "rca_validation": None, "bca_validation": None, "rca_test": 0.7, "bca_test": 0.6,
        "grad_antecedents": 0.1, "grad_consequents": 0.2, "seconds": float(epoch),
    }  # fmt: skip
    counts = np.arange(ENTROPY_BINS) if entropy is None else np.asarray(entropy)
    return Epoch(epoch=epoch, firing=np.asarray(firing, float), entropy=counts, **(values | changes))


def make_history(epochs=5, **changes):
    return [make_epoch(number, **changes) for number in range(1, epochs + 1)]


def all_charts(history, ghost=(), **options):
    """Every chart of the page for one run, and one before it."""
    last, old = (history[-1] if history else None), (ghost[-1] if ghost else None)
    return [
        charts.loss_chart(history, ghost, **options),
        charts.accuracy_chart(history, ghost, **options),
        charts.firing_chart(last, old, **options),
        charts.entropy_chart(last, old, **options),
    ]


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def lines_at(figure, axis):
    """Where straight lines stand: ``x`` for upright ones, ``y`` for level ones."""
    return [shape[f"{axis}0"] for shape in figure.layout.shapes if shape[f"{axis}0"] == shape[f"{axis}1"]]


def words(figure):
    return " ".join(note.text for note in figure.layout.annotations)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("history", [[], make_history(1), make_history(5)], ids=["none", "one", "five"])
@pytest.mark.parametrize("ghost", [(), make_history(1), make_history(9)], ids=["no-ghost", "one-before", "nine-before"])
def test_every_chart_is_drawn_at_any_time_with_a_fixed_height(history, ghost, dark):
    for figure in all_charts(history, ghost, dark=dark):
        assert figure.layout.height == charts.HEIGHT
        assert figure.layout.xaxis.title.text and figure.layout.yaxis.title.text
        assert "NaN" not in figure.to_json()


def test_one_rule_is_drawn():
    one = make_history(3, firing=[1.0], entropy=[9] + [0] * (ENTROPY_BINS - 1))
    for figure in all_charts(one, one):
        assert "NaN" not in figure.to_json() and "Infinity" not in figure.to_json()
    assert lines_at(charts.firing_chart(one[-1]), "y") == [1]


def test_an_epoch_without_rows_is_drawn():
    empty = make_epoch(entropy=np.zeros(ENTROPY_BINS, int), rca_test=None, bca_test=None)
    for figure in all_charts([empty], [empty]):
        assert "NaN" not in figure.to_json()


def test_charts_of_a_run_with_another_number_of_rules_share_one_picture():
    now, before = make_epoch(), make_epoch(firing=np.full(7, 1 / 7))
    assert len(named(charts.firing_chart(now, before), "before")[0].y) == 7
    assert charts.entropy_chart(now, before).data[1].x[-1] < math.log(7)


def test_the_ink_differs_between_light_and_dark():
    for light, dark in zip(all_charts(make_history()), all_charts(make_history(), dark=True), strict=True):
        assert light.layout.font.color != dark.layout.font.color


# Loss.


def test_the_loss_is_drawn_by_its_three_parts():
    figure = charts.loss_chart(make_history(4))
    assert [trace.name for trace in figure.data] == ["cross-entropy", "λ·UR less its floor", "α·L2"]
    assert list(figure.data[0].x) == [1, 2, 3, 4]
    assert list(figure.data[0].y) == [1, 1 / 2, 1 / 3, 1 / 4]
    assert list(figure.data[1].y) == pytest.approx([0.1, 0.1 / 2, 0.1 / 3, 0.1 / 4])
    assert list(figure.data[2].y) == [0.01] * 4


@given(st.lists(st.tuples(finite, finite), min_size=1, max_size=9))
def test_ur_less_its_floor_is_never_below_zero(pairs):
    history = [make_epoch(k + 1, loss_ur=ur, ur_floor=floor) for k, (ur, floor) in enumerate(pairs)]
    (line,) = named(charts.loss_chart(history), "λ·UR less its floor")
    assert list(line.y) == [max(0, ur - floor) for ur, floor in pairs]


def test_one_epoch_is_a_dot_and_more_are_a_line():
    assert {trace.mode for trace in charts.loss_chart(make_history(1)).data} == {"markers"}
    assert {trace.mode for trace in charts.loss_chart(make_history(2)).data} == {"lines"}


@pytest.mark.parametrize("draw", [charts.loss_chart, charts.accuracy_chart])
def test_the_epoch_axis_stands_still_while_a_run_trains(draw):
    ranges = {tuple(draw(make_history(n), epochs=200).layout.xaxis.range) for n in (0, 1, 50, 200)}
    assert len(ranges) == 1
    assert next(iter(ranges))[1] >= 200
    assert draw(make_history(5)).layout.xaxis.range[1] < 6
    assert draw(make_history(5), make_history(30)).layout.xaxis.range[1] >= 30


# Accuracy.


def test_accuracy_is_drawn_for_test_and_training_rows():
    figure = charts.accuracy_chart(make_history(2))
    assert {trace.name: trace.y[0] for trace in figure.data} == {
        "RCA test": 0.7, "BCA test": 0.6, "RCA train": 0.9, "BCA train": 0.8,
    }  # fmt: skip
    assert [trace.line.dash for trace in figure.data] == ["solid", "solid", "dot", "dot"]


def test_the_baseline_is_a_level_line_with_its_name():
    figure = charts.accuracy_chart(make_history(2), baseline=0.83)
    assert lines_at(figure, "y") == [0.83]
    assert "logistic regression" in words(figure)
    assert not charts.accuracy_chart(make_history(2)).layout.shapes


# Firing.


def test_firing_levels_stand_in_order_with_the_number_of_their_rule():
    (bars,) = charts.firing_chart(make_epoch(firing=[0.1, 0.5, 0.4])).data
    assert list(bars.y) == [0.5, 0.4, 0.1]
    assert [int(row[0]) for row in bars.customdata] == [2, 3, 1]
    assert list(charts.firing_chart(make_epoch(firing=[0.1, 0.5, 0.4])).layout.xaxis.ticktext) == ["2", "3", "1"]


def test_the_line_of_an_even_share_is_there():
    figure = charts.firing_chart(make_epoch())
    assert lines_at(figure, "y") == [1 / 4]
    assert "1/R" in words(figure)


@given(st.lists(st.floats(1e-6, 1), min_size=2, max_size=40))
def test_rules_that_never_fire_have_a_colour_of_their_own(levels):
    epoch = make_epoch(firing=np.asarray(levels) / np.sum(levels))
    (bars,) = charts.firing_chart(epoch).data
    dead = np.asarray(bars.y) < 0.1 / len(levels)
    assert dead.sum() == epoch.dead_rules
    assert {colour for colour, is_dead in zip(bars.marker.color, dead, strict=True) if is_dead} <= {charts.ORANGE}
    assert {colour for colour, is_dead in zip(bars.marker.color, dead, strict=True) if not is_dead} == {charts.BLUE}
    assert [row[1] == "never fires" for row in bars.customdata] == list(dead)


def test_many_rules_keep_their_axis_free_of_numbers():
    figure = charts.firing_chart(make_epoch(firing=np.full(200, 1 / 200)))
    assert not any(figure.layout.xaxis.ticktext)


# Entropy.


def test_entropy_is_drawn_as_shares_from_0_to_log_r():
    figure = charts.entropy_chart(make_epoch())
    (bars,) = figure.data
    assert sum(bars.y) == pytest.approx(1)
    assert len(bars.x) == ENTROPY_BINS
    assert bars.x[0] - bars.width / 2 == pytest.approx(0) and bars.x[-1] + bars.width / 2 == pytest.approx(math.log(4))
    assert lines_at(figure, "x") == pytest.approx([0, math.log(4)])
    assert "log R" in words(figure)


# Ghosts.


def test_a_ghost_is_grey_dashed_behind_and_named_once():
    for figure, count in zip(all_charts(make_history(5), make_history(3)), (3, 2, 1, 1), strict=True):
        before = named(figure, "before")
        assert len(before) == count
        assert {trace.line.color for trace in before} == {charts.GREY}
        assert {trace.line.dash for trace in before} == {"dash"}
        assert sum(trace.showlegend is not False for trace in before) == 1
        assert charts.GREY not in {trace.line.color for trace in figure.data if trace not in before and trace.type == "scatter"}
    for draw in (charts.loss_chart, charts.accuracy_chart):  # what comes first lies behind
        names = [trace.name for trace in draw(make_history(5), make_history(3)).data]
        assert "before" not in names[names.count("before") :]


def test_without_a_run_before_there_is_no_ghost():
    for figure in all_charts(make_history(5)):
        assert not named(figure, "before")
