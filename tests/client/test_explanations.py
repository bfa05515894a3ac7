"""What Explain says: for every chart, in few words, with a formula that browsers draw and a control that exists."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tsk_core.evaluate.comparing import adjusted, paired_over_seeds
from tsk_core.numbers import signed
from ui.charts import CHARTS, score_explanations
from ui.charts.explanations import EXPLANATIONS, explanations_file, mathml, provide_explanations
from ui.compare.panel import TABS
from ui.live import CLIENT

UI = Path(__file__).parents[2] / "ui"
SCORES = [score_explanations.TEST_RCA, score_explanations.TEST_BCA, score_explanations.VERDICT]
ALL = [*EXPLANATIONS.values(), *SCORES]
COUNTS = st.integers(1, 5).flatmap(
    lambda classes: st.lists(st.lists(st.integers(0, 90), min_size=classes, max_size=classes), min_size=classes, max_size=classes)
)


def in_client():
    """The names of the explanations that views ask for, apart from those of charts, which ask for their own."""
    texts = "\n".join(path.read_text() for path in CLIENT.rglob("*.js"))
    asked = re.findall(r'explaining\([^,]+(?:\([^)]*\))?, \w+, "(\w+)"', texts)
    return {*asked, *re.findall(r'"(picture[A-Z]\w+)"', texts)}


def test_every_chart_and_every_view_that_asks_has_one():
    views = {name for tab in TABS.values() for name in tab}
    assert {"plane", "curves", "readable", "strengths", "reasons", "rules", "sweep", "search"} <= in_client()
    assert set(EXPLANATIONS) == in_client() | set(CHARTS) | views | {"shares"}


def test_each_names_controls_that_exist():
    texts = "\n".join(
        path.read_text() for path in UI.rglob("*") if path.suffix in (".py", ".js") and "explanations" not in path.parts
    )
    texts += (UI.parent / "tsk_core" / "config.py").read_text() + (UI.parent / "tsk_core" / "settings.py").read_text()
    for control in re.findall("“(.+?)”", " ".join(one.tries for one in ALL)):
        assert all(word in texts for word in control.split()), control


def test_each_formula_is_mathml_without_what_the_converter_left():
    for line in (line for one in ALL for line in one.formula):
        root = ET.fromstring(mathml(line))
        assert root.tag == "{http://www.w3.org/1998/Math/MathML}math" and root.get("display") == "block"
        assert "\\" not in "".join(root.itertext())


def test_a_command_that_the_converter_does_not_know_is_refused():
    with pytest.raises(ValueError, match="has a command that MathML cannot be made of"):
        mathml(r"\unheardof{x}")


def test_the_file_holds_all_of_them_and_stands_beside_that_of_a_server_that_still_runs(tmp_path):
    (tmp_path / "explanations-old.json").write_text("{}")
    for _ in range(2):
        provide_explanations(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {explanations_file(), "explanations-old.json"}
    found = json.loads((tmp_path / explanations_file()).read_text())
    assert set(found) == set(EXPLANATIONS)
    assert all(set(one) == {"title", "shows", "formula", "letters", "tries"} for one in found.values())


@given(COUNTS)
def test_scores_are_recounted_from_the_line_of_their_formula(confusion):
    counts = np.array(confusion)
    rows = counts.sum(1)
    if not rows.sum():
        assert score_explanations.rca_line(confusion) == score_explanations.bca_line(confusion) == ""
        return
    for line, score in (
        (score_explanations.rca_line(confusion), np.trace(counts) / rows.sum()),
        (score_explanations.bca_line(confusion), np.mean(np.diag(counts)[rows > 0] / rows[rows > 0])),
    ):
        left, right = line.split(" = ")
        assert eval(left, {}) == pytest.approx(score)  # noqa: S307
        assert float(right) == pytest.approx(score, abs=0.0005001)


def test_a_long_sum_of_a_score_leaves_out_the_middle():
    line = score_explanations.rca_line(np.eye(9, dtype=int).tolist())
    assert line == "(1 + 1 + 1 + 1 + 1 + … + 1) / 9 = 1.000"


@given(st.lists(st.floats(-0.2, 0.2), min_size=1, max_size=12), st.sampled_from([0.0, 0.25, 3 / 7]))
@example([0.01], 0.0)
def test_the_verdict_is_recounted_from_its_line(differences, ratio):
    scores = np.array(differences)
    (pair,) = adjusted([paired_over_seeds(scores, np.zeros_like(scores), ratio)], 3)
    line = score_explanations.verdict_line("UR − MBGD", pair, ratio).replace("−", "-")
    mean = signed(100 * scores.mean(), 2).replace("−", "-")
    pairs = f"{len(scores)} pair{'' if len(scores) == 1 else 's'}"
    assert line.startswith(f"UR - MBGD: d̄ = {mean} points over {pairs}")
    if pair.low is None:
        assert line.endswith("no interval.")
        return
    pattern = r"; ([\d.]+) · ([\d.]+) · √\(1/(\d+) \+ ([\d.]+)\) = ([\d.]+), so ([-+\d.]+) to ([-+\d.]+)\.$"
    t, s, J, rho, half, low, high = map(float, re.search(pattern, line).groups())
    assert s == pytest.approx(100 * scores.std(ddof=1), abs=0.0006)
    assert half == pytest.approx(t * s * np.sqrt(1 / J + rho), rel=0.01, abs=0.02)
    assert (low, high) == (pytest.approx(100 * pair.low, abs=0.006), pytest.approx(100 * pair.high, abs=0.006))


def test_the_server_writes_formula_and_numbers_as_markdown():
    for one in SCORES:
        text = one.markdown(["1 = 1"])
        assert text.count("$$") == 2 * len(one.formula)
        assert "**This run's numbers**\n\n- 1 = 1" in text and "This run's numbers" not in one.markdown()
