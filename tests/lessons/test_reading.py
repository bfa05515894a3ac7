"""A wrong file of a lesson is refused in one sentence with file, line and key."""

import pytest

from tsk_core.errors import LessonError
from tsk_core.lessons import BUILT_IN, read_lesson
from tsk_core.lessons.yaml_file import MOST_BYTES

NAMES = ("1-hill", "3-rich", "4-ur", "6-batch", "7-dimension")
HILL, RICH, UR, BATCH, DIMENSION = ((BUILT_IN / f"{name}.yaml").read_text("utf-8") for name in NAMES)


def refusal(tmp_path, content):
    path = tmp_path / "mine.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(LessonError) as caught:
        read_lesson(path)
    sentence = str(caught.value)
    assert sentence.endswith(".") and "\n" not in sentence
    return sentence


WRONG = {  # what: lesson, what stands there, what stands there instead, key, a part of the sentence
    "unknown key": (UR, "minutes: 9", "minutes: 9\nlength: 9", "length", "there is no such key"),
    "key of a screen": (UR, "  scene: without\nplay", "  scene: without\n  size: 3\nplay", "question.size", "no such key"),
    "wrong type": (UR, "minutes: 9", "minutes: nine", "minutes", "is not of type 'integer'"),
    "unknown chart": (UR, "charts: [firing]\n  scene: without\nplay", "charts: [pie]\nplay", "question.charts[1]", "'pie'"),
    "unknown scene": (UR, "beside: tenth", "beside: ninth", "see.beside", "there is no scene 'ninth'"),
    "out of range": (UR, "rules: 10, ur: 0", "rules: 0, ur: 0", "scenes.without.settings", "n_rules is 0"),
    "above the range": (UR, "rules: 10, ur: 0", "rules: 1000, ur: 0", "scenes.without.settings", "n_rules is 1000; it must"),
    "unknown setting": (UR, "{ur: 10, tau: 1/C}", "{urr: 10}", "scenes.half.settings.urr", "there is no setting 'urr'"),
    "unknown dataset": (UR, "data: rich_get_richer", "data: poor", "scenes.without.data", "no dataset 'poor' is available"),
    "cyclic like": (UR, "half: {like: without,", "half: {like: half,", "scenes.half.like", "there is no other scene"),
    "start values": (UR, "0.24, 0, 0,", "0.24, 0,", "predict.start", "9 values for 10 labels"),
    "low and high": (UR, "high: 0.6", "high: -1", "predict.high", "-1 is not above"),
    "two right": (UR, "- text: λ is too", "- right: true\n      text: λ is too", "see.options", "exactly one option"),
    "placeholder": (UR, "[[low:.3f]]", "[[lowest:.3f]]", "formula.text", "'[[lowest]]' is not one of 'numbers'"),
    "unknown measure": (UR, "{measure: firing, ", "{measure: fire, ", "predict.outcome.measure", "there is no measure 'fire'"),
    "several seeds": (UR, "title: \"λ = 0\"", "seeds: 3", "scenes.without.seeds", "several seeds need 'over'"),
    "chart of another scene": (BATCH, "charts: [sweep]", "charts: [loss]", "run.charts[1]", "does not fit the scene"),
    "features": (HILL, "features: [x, y]", "features: [x, z]", "predict.features[2]", "there is no feature 'z'"),
    "columns": (HILL, "data: moons", "data: moons\n    columns: [x, z]", "scenes.three.columns[2]", "there is no feature 'z'"),
    "rule of a measure": (HILL, "scene: three, rule: 2}", "scene: three, rule: 4}", "predict.outcome.rule", "there is no rule 4"),
    "rule of a screen": (HILL, "rule: 2\nsee", "rule: 4\nsee", "run.rule", "there is no rule 4; the scene 'three' has 3"),
    "rule of a control": (HILL, "values: [1, 3]", "values: [1, 9]", "play.values[2]", "there is no rule 9"),
    "class": (HILL, "strongest_rule, scene: three, rule: 2", "predicted_class, class: up", "predict.outcome.class", "lower"),
    "beside many": (BATCH, "beside: small", "beside: sizes", "see.beside", "'beside' needs one"),
    "infinite": (UR, "high: 0.6", "high: .inf", "predict.high", "inf is not a finite number"),
    "not a number": (UR, "start: [0.26,", "start: [.nan,", "predict.start[1]", "nan is not a finite number"),
    "key twice": (UR, "minutes: 9", "minutes: 9\nminutes: 8", "minutes", "a second time"),
}  # fmt: skip


@pytest.mark.parametrize(("lesson", "before", "after", "key", "part"), WRONG.values(), ids=list(WRONG))
def test_a_mistake_is_told_with_file_line_and_key(tmp_path, lesson, before, after, key, part):
    assert lesson.count(before) == 1
    sentence = refusal(tmp_path, lesson.replace(before, after))
    start = lesson[: lesson.index(before)].count("\n") + 1
    where, line, rest = sentence.split(", ", 2)
    assert where == "mine.yaml" and rest.startswith(f"'{key}': ") and part in rest
    # At the change, at the key that it belongs to, or at a line that the change added or that follows it.
    assert abs(int(line.removeprefix("line ")) - start) <= 2


LEVELS = [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, 30)]
ALIASES = "\n".join(["a0: &a0 lol", *LEVELS])  # 9^29 values, which nobody may expand


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a: [1", "mine.yaml, line 1: expected ',' or ']', but got '<stream end>'."),
        ("just words", "mine.yaml: a lesson is a mapping that begins with 'format: 1'."),
        ("", "mine.yaml: a lesson is a mapping that begins with 'format: 1'."),
        (b"format: 1\xff", "mine.yaml is not UTF-8 text (byte 9); save it as UTF-8."),
        ("#" * (MOST_BYTES + 1), "mine.yaml has 200,001 bytes; a lesson has at most 200,000."),
        ("1: one", "mine.yaml, line 1: a key is a word; put it in quotes if it looks like a number, yes or no."),
        ("[" * 50_000, "mine.yaml, line 1: the value is nested more than 20 deep."),
        ("format: 1", "mine.yaml, line 1, top: 'name' is a required property."),
        (ALIASES, "mine.yaml, line 1: anchors (&) and aliases (*) are not allowed; write the value out."),
    ],
)
def test_what_is_no_lesson_at_all_is_refused(tmp_path, content, sentence):
    assert refusal(tmp_path, content) == sentence


@pytest.mark.parametrize(
    ("lesson", "before", "after", "part"),
    [
        (HILL, "{measure: strongest_rule, ", "{measure: largest_share, ", "does not fit a prediction of the kind 'region'"),
        (UR, "{measure: firing, ", "{measure: strongest_rule, ", "does not fit a prediction of the kind 'bars'"),
        (UR, "{measure: firing, ", "{measure: equal_share, ", "'equal_share' is one number, for formulas"),
        (UR, "{measure: firing, ", "{measure: largest_share, ", "of one scene is a curve over epochs"),
        (
            RICH,
            "largest_share, scene: without}\nrun:",
            "rca_test, scene: without}\nrun:",
            "'rca_test' is not known before training",
        ),
        (UR, "firing, scene: half}", "firing, scene: half, epoch: 0}", "'firing' is not known before training"),
        (UR, "{measure: firing, scene: half}", "{measure: firing, scenes: [half, tenth]}", "'firing' takes one scene only."),
        (UR, "8, 9, 10]", "8, 9, 10, 11]", "'firing' has 10 values here, for 11 labels."),
        (DIMENSION, "[d2, d4, d8, d16, softmax]}", "[d2, d4]}", "'effective_rules' has 2 values here, for 5 labels."),
        (BATCH, "labels: [16, 32, ", "labels: [", "'rca_over' has 6 values here, for 4 labels."),
        (RICH, "labels: [0, 10,", "labels: [start, 10,", "'largest_share' of one scene are epochs; 'start' is not one."),
        (BATCH, "{measure: rca_over, scene: sizes}", "{measure: rca_over, scene: small}", "fit a scene without 'over'."),
        (BATCH, "{measure: rca_at, scene: sizes, epoch: 1}", "{measure: rca_test, scene: sizes}", "fit a scene with 'over'."),
        (BATCH, "{measure: rca_at, scene: sizes, epoch: 1}", "{measure: rca_at, scene: sizes, epoch: 9}", "from 1 to 6 here"),
        (UR, "{measure: smallest_share, scene: half}", "{measure: firing, scene: half}", "a formula needs one number"),
        (UR, "{measure: smallest_share, scene: half}", "{measure: rules, scenes: [half, tenth]}", "is taken from one scene."),
    ],
)
def test_a_measure_has_the_shape_of_what_is_predicted(tmp_path, lesson, before, after, part):
    """Or the page would stop when the trainings have ended."""
    assert lesson.count(before) == 1
    changed = lesson.replace(before, after)
    changed = "".join(line for line in changed.splitlines(True) if not line.startswith("  start: "))
    assert part in refusal(tmp_path, changed)
