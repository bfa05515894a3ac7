"""What trainings show, against slow and obvious counts."""

import numpy as np
import pytest

from tsk_core.data import load_dataset
from tsk_core.lessons import OutcomeMeasure, Prediction, Scene, Screen, read_lesson
from tsk_core.lessons.library import BUILT_IN
from tsk_core.lessons.outcomes import distance, outcome_of, scene_dataset, train_scene


@pytest.fixture(scope="module")
def lesson():
    return read_lesson(BUILT_IN / "1-hill.yaml")


@pytest.fixture(scope="module")
def trained(lesson):
    return {"three": train_scene(lesson.scenes["three"])}


@pytest.fixture(scope="module")
def rows(lesson):
    """The training rows of that scene."""
    scene = lesson.scenes["three"]
    dataset = load_dataset(scene.data)
    return dataset.X.iloc[dataset.split(scene.test_size, scene.config.seed).train]


def measured(trained, measure, prediction=None, **more):
    return outcome_of(OutcomeMeasure(measure, ("three",), **more), trained, prediction)


def test_a_scene_is_trained_as_its_settings_say(lesson, trained):
    scene, one = lesson.scenes["three"], trained["three"]
    assert len(one.history) == scene.config.max_epochs == 60
    assert one.model.get_params()["n_rules"] == scene.config.n_rules == 3
    other = train_scene(scene, seed=1)
    assert other.history[-1].loss_ce != one.history[-1].loss_ce
    assert other.scene.config.random_state == 1


def test_agreement_is_counted_on_the_test_rows_of_its_seed():
    """Rows that the model learnt from would flatter it."""
    one = train_scene(read_lesson(BUILT_IN / "8-rules.yaml").scenes["short"], seed=1)
    dataset, model = load_dataset("breast_cancer"), one.model
    rows = dataset.X.iloc[dataset.split(0.3, 1).test]
    votes = [[scores[0] for scores in rule["consequents"]] for rule in model.to_dict()["rules"]]  # constants, a rule each
    said = model.classes_[np.argmax(votes, 1)][model.firing_levels(rows).argmax(1)]
    agreed = (said == model.predict(rows)).mean()
    assert outcome_of(OutcomeMeasure("strongest_agrees", ("",)), {"": one}) == pytest.approx(agreed)


def test_bars_are_the_average_firing_levels_highest_first(trained, rows):
    levels = np.sort(trained["three"].model.firing_levels(rows).mean(0))[::-1]
    np.testing.assert_allclose(measured(trained, "firing"), levels, atol=1e-5)
    assert measured(trained, "largest_share") == pytest.approx(levels[0], abs=1e-5)
    assert measured(trained, "smallest_share") == pytest.approx(levels[-1], abs=1e-5)
    assert measured(trained, "equal_share") == pytest.approx(1 / 3)


def test_a_curve_has_a_value_for_each_epoch_and_0_is_before_training(trained):
    history = trained["three"].history
    asked = Prediction(Screen(""), "curve", labels=("0", "1", "60", "999"))
    levels = [history[0].initial_firing, history[0].firing, history[-1].firing, history[-1].firing]
    assert measured(trained, "largest_share", asked) == pytest.approx([level.max() for level in levels])
    assert measured(trained, "rca_test", asked)[-1] == history[-1].rca_test
    assert measured(trained, "loss_ce", epoch=1) == history[0].loss_ce


def test_effective_rules_are_counted_from_the_rows_entropy(trained, rows):
    levels = trained["three"].model.firing_levels(rows)
    entropy = -(levels * np.log(levels)).sum(1).mean()
    bin_width = np.log(3) / 30
    assert measured(trained, "entropy") == pytest.approx(entropy, abs=bin_width)
    assert measured(trained, "effective_rules") == pytest.approx(np.exp(measured(trained, "entropy")))


def test_a_region_is_where_the_rule_is_the_strongest(lesson, trained, rows):
    said = lesson.predict
    cells = np.array(measured(trained, "strongest_rule", said, rule=2)).reshape(said.grid, said.grid)
    exported = trained["three"].model.to_dict()["rules"]
    for row, column in [(0, 0), (3, 7), (11, 11), (11, 0), (6, 6)]:
        low, high = (getattr(rows[["x", "y"]], end)().to_numpy() for end in ("min", "max"))
        place = low + (np.array([column, row]) + 0.5) / said.grid * (high - low)
        z = [rule["log_weight"] - np.sum((place - rule["centers"]) ** 2 / (2 * np.square(rule["sigmas"]))) for rule in exported]
        assert cells[row, column] == (np.argmax(z) == 1)
    all_rules = [measured(trained, "strongest_rule", said, rule=r) for r in (1, 2, 3)]
    assert np.sum(all_rules, 0) == pytest.approx(1)  # each place belongs to one rule
    by_class = [measured(trained, "predicted_class", said, class_name=name) for name in ("upper", "lower")]
    assert np.sum(by_class, 0) == pytest.approx(1)


def test_a_scene_over_values_has_a_score_for_each_seed():
    config = read_lesson(BUILT_IN / "6-batch.yaml").scenes["small"].config
    scene = Scene("over", "over", "moons", config, over=("max_epochs", (1.0, 2.0)), seeds=2)
    one = train_scene(scene)
    assert [len(seeds) for seeds in one.scores.values()] == [2, 2]
    means = outcome_of(OutcomeMeasure("rca_over", ("over",)), {"over": one})
    assert means == pytest.approx([np.mean([rca for rca, _ in seeds]) for seeds in one.scores.values()])
    assert outcome_of(OutcomeMeasure("rca_at", ("over",), epoch=2), {"over": one}) == pytest.approx(means[1])
    spread = [np.std([rca for rca, _ in seeds], ddof=1) for seeds in one.scores.values()]
    assert outcome_of(OutcomeMeasure("rca_over_sd", ("over",)), {"over": one}) == pytest.approx(spread)


def test_a_scene_uses_its_columns_alone():
    scenes = read_lesson(BUILT_IN / "7-dimension.yaml").scenes
    assert list(scene_dataset(scenes["d4"]).X.columns) == sorted(scenes["d4"].columns)
    assert scene_dataset(scenes["softmax"]).X.shape[1] == 61


def test_distance_is_0_for_what_came_out_and_1_for_the_opposite():
    bars = Prediction(Screen(""), "bars", labels=("1", "2"), low=0, high=2)
    assert distance(bars, [1, 1], [1, 1]) == 0
    assert distance(bars, [0, 0], [2, 2]) == 1
    assert distance(bars, [0, 1], [1, 1]) == pytest.approx(0.25)
    region = Prediction(Screen(""), "region", features=("x", "y"), grid=2)
    assert distance(region, [1, 1, 0, 0], [1, 0, 0, 0]) == pytest.approx(0.5)
    assert distance(region, [0, 0, 0, 0], [0, 0, 0, 0]) == 0
    choice = Prediction(Screen(""), "choice")
    assert (distance(choice, [1], [1]), distance(choice, [0], [1])) == (0, 1)
