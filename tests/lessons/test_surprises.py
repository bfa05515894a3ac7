"""Each built-in lesson's surprise, trained for real: it holds over seeds, by a margin, whatever the processor.

docs/lessons-measured.md has the same over thirty seeds.
"""

from functools import cache

import numpy as np
import pytest

from tsk_core.config import TrainConfig
from tsk_core.lessons import lessons
from tsk_core.lessons.lesson import OutcomeMeasure
from tsk_core.lessons.outcomes import distance, outcome_of, raster, train_scene

KNOWN, WRONG = lessons()
FEW, MORE = (0,), (1, 2)


@cache
def trained(lesson, scene, seed):
    return train_scene(KNOWN[lesson].scenes[scene], seed)


def measured(lesson, measure, scene, seed, prediction=None, **more):
    return outcome_of(OutcomeMeasure(measure, (scene,), **more), {scene: trained(lesson, scene, seed)}, prediction)


# One function a lesson; each takes a seed.


def hill(seed):
    """Much of where rule 2 is the strongest lies outside its ellipse, which is no border; UR gives each rule about a third."""
    said, one = KNOWN["hill"].predict, trained("hill", "three", seed)
    cells = np.array(measured("hill", "strongest_rule", "three", seed, said, rule=2)) > 0.5
    rule = one.model.to_dict()["rules"][1]
    places = raster(one, said).to_numpy(float)
    inside = (((places - np.array(rule["centers"])) / np.array(rule["sigmas"])) ** 2).sum(1) <= 1
    assert (cells & ~inside).sum() / cells.sum() > 0.2
    levels = one.history[-1].firing
    assert levels.min() > 0.25 and levels.max() < 0.42


def vote(seed):
    """One rule with constants predicts one class everywhere; with a line, or with six rules, it does not."""
    assert measured("vote", "rca_test", "constant", seed) == pytest.approx(0.5, abs=0.01)
    assert measured("vote", "rca_test", "line", seed) > 0.8
    assert measured("vote", "rca_test", "six", seed) > 0.9


def rich(seed):
    """Rules start nearly equal; in the end the largest level is about a quarter, and many rules never fire."""
    start, end = (measured("rich", "largest_share", "without", seed, epoch=epoch) for epoch in (0, None))
    assert start < 0.11 and end > 0.18 and end > 2 * start
    assert measured("rich", "dead_rules", "without", seed) >= 6


def ur(seed):
    """With τ = 1/C every bar ends near 1/R, far below τ; τ = 1/R trains the same."""
    half, tenth = (np.array(measured("ur", "firing", scene, seed)) for scene in ("half", "tenth"))
    assert half.max() < 0.16 and half.min() > 0.06
    np.testing.assert_allclose(half, tenth, atol=1e-6)
    without = np.array(measured("ur", "firing", "without", seed))
    assert without.max() > 0.2 and without.min() < 0.01


def bn(seed):
    """The loss is below 0.1 after fewer epochs; accuracy ends alike, and the rules do not fire equally."""
    first = [next(e.epoch for e in trained("bn", scene, seed).history if e.loss_ce < 0.1) for scene in ("with", "without")]
    assert first[0] <= 0.9 * first[1]
    accuracies = [measured("bn", "rca_test", scene, seed) for scene in ("with", "without")]
    assert accuracies[0] - accuracies[1] < 0.04
    assert measured("bn", "largest_share", "with", seed) > 1.3 / 30


def batch(seed):
    """All rows in one batch learn far less in as many epochs."""
    assert measured("batch", "rca_test", "small", seed) - measured("batch", "rca_test", "all", seed) > 0.08


def dimension(seed):
    """With all pixels hardly more than one rule fires; HTSK lets several fire, and predicts better."""
    few, all_, htsk = (measured("dimension", "effective_rules", scene, seed) for scene in ("d2", "softmax", "htsk"))
    assert few > 2 and all_ < 1.3 and htsk > 4
    scores = [measured("dimension", "rca_test", scene, seed) for scene in ("softmax", "htsk")]
    assert scores[1] - scores[0] > 0.01


def rules(seed):
    """The strongest rule says what the model says where rules were trained to be short, less often where not."""
    short, long = (measured("rules", "strongest_agrees", scene, seed) for scene in ("short", "long"))
    assert short > 0.96 and short - long > 0.01


LESSONS = [hill, vote, rich, ur, bn, batch, dimension, rules]


def test_the_eight_lessons_are_lessons():
    assert not WRONG
    assert list(KNOWN) == [lesson.__name__ for lesson in LESSONS]
    for lesson in KNOWN.values():
        assert 8 <= lesson.minutes <= 10
        assert len(lesson.question.text.split()) <= 70 and len(lesson.predict.screen.text.split()) <= 70


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.__name__)
def test_each_lesson_shows_what_it_says(lesson):
    for seed in FEW:
        lesson(seed)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.__name__)
def test_it_is_no_accident_of_the_seed(lesson):
    for seed in MORE:
        lesson(seed)


def test_a_naive_prediction_is_far_from_what_comes_out():
    """Bars that go to τ; shares that stay; rules that become more with the pixels."""
    said = KNOWN["ur"].predict
    assert distance(said, [0.5] * 10, measured("ur", "firing", "half", 0)) > 0.5
    said = KNOWN["rich"].predict
    assert distance(said, list(said.start), measured("rich", "largest_share", "without", 0, said)) > 0.2
    said = KNOWN["dimension"].predict
    scenes = said.outcome.scenes
    truth = outcome_of(said.outcome, {scene: trained("dimension", scene, 0) for scene in scenes}, said)
    assert distance(said, [2, 3, 4, 6, 9], truth) > 0.25 and truth[-1] < truth[0]


def test_the_rule_of_the_last_question_is_on_the_page():
    """The rule that is true of 25 test rows, all malignant, comes of *Readable* with six rules."""
    assert KNOWN["rules"].scenes["short"].config == TrainConfig.readable(n_rules=6, random_state=0)
