"""Predictions with a decision that weighs the two mistakes differently: in tables, on the command line, as scikit-learn does."""

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix

from tsk_core import TSKClassifier
from tsk_core.__main__ import main
from tsk_core.evaluate import Decision
from tsk_core.predict import decision_name, predict_table, with_decision

CLASSES = ["benign", "malignant"]


def table(n=120, seed=0):
    """Two classes that overlap."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["size", "age"])
    y = np.where(X["size"] + rng.normal(size=n) > 0.8, "malignant", "benign")
    return X, y


@pytest.fixture(scope="module")
def model():
    return TSKClassifier(3, max_epochs=20, random_state=0).fit(*table())


@pytest.mark.parametrize(("positive", "cost"), [("malignant", 5.0), ("malignant", 0.2), ("benign", 3.0)])
def test_the_decision_stands_beside_the_predicted_class_and_follows_the_probability(model, positive, cost):
    new, _ = table(60, seed=1)
    predictions = predict_table(model, new)
    found = with_decision(predictions, CLASSES, Decision(positive, cost))
    assert list(found.columns) == [
        "size", "age", "predicted", f"decision if missing {positive} costs {cost:g}", "p(benign)", "p(malignant)", "rule",
        "warning",
    ]  # fmt: skip
    assert found.drop(columns=found.columns[3]).equals(predictions)
    other = CLASSES[1 - CLASSES.index(positive)]
    expected = np.where(model.predict_proba(new)[:, CLASSES.index(positive)] >= 1 / (1 + cost), positive, other)
    assert found.iloc[:, 3].tolist() == expected.tolist()
    assert (found.iloc[:, 3] != found["predicted"]).any()


def test_the_example_of_the_documentation_runs_and_both_ways_decide_alike():
    (code,) = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs/costs.md").read_text("utf-8"), re.DOTALL)
    space = {}
    exec(code, space)  # noqa: S102 - the documentation's own example
    matrix = confusion_matrix(space["y"][space["split"].test], space["decided"], labels=space["classes"])
    assert matrix.tolist() == space["effect"].after.confusion


def test_a_column_of_that_name_keeps_it(model):
    decision = Decision("malignant", 5)
    new = table(5)[0].assign(**{decision_name(decision): 7})
    found = with_decision(predict_table(model, new), CLASSES, decision)
    assert found[decision_name(decision)].tolist() == [7] * 5 and f"{decision_name(decision)} (2)" in found


@pytest.fixture
def saved(model, tmp_path, monkeypatch):
    """A saved model and a file of new rows in the current folder."""
    monkeypatch.chdir(tmp_path)
    model.save("model")
    table(60, seed=1)[0].to_csv("new.csv", index=False)


@pytest.mark.usefixtures("saved")
def test_the_command_line_adds_the_column_and_says_what_it_changes(model, capfdbinary):
    assert main(["predict", "model", "new.csv", "--cost", "malignant=5"]) == 0
    done = capfdbinary.readouterr()
    found = pd.read_csv(io.BytesIO(done.out))
    decided = np.where(model.predict_proba(table(60, seed=1)[0])[:, 1] >= 1 / 6, "malignant", "benign")
    assert found["decision if missing malignant costs 5"].tolist() == decided.tolist()
    changed = (found["predicted"] != decided).sum()
    assert f"from a probability of 0.167 upwards, which changes the class of {changed} of 60 rows" in done.err.decode()
    assert main(["predict", "model", "new.csv"]) == 0
    assert list(pd.read_csv(io.BytesIO(capfdbinary.readouterr().out))) == [name for name in found if "decision" not in name]


@pytest.mark.usefixtures("saved")
@pytest.mark.parametrize(
    ("cost", "sentence"),
    [
        ("5", "--cost is '5'; it must be a class and what missing it costs, as in malignant=5."),
        ("malignant", "--cost is 'malignant'; it must be a class"),
        ("cancer=5", "There is no class 'cancer' to give a cost; the classes are 'benign' and 'malignant'."),
        ("malignant=0", "The cost of a missed case is 0; it must be from 0.001 to 1000."),
        ("malignant=nan", "The cost of a missed case is nan; it must be"),
    ],
)
def test_a_cost_that_cannot_be_is_one_sentence(capsys, cost, sentence):
    assert main(["predict", "model", "new.csv", "--cost", cost]) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and sentence in said.err


def test_classes_that_are_numbers_are_named_as_everywhere(capfdbinary, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = table(60)
    TSKClassifier(2, max_epochs=5, random_state=0).fit(X, (y == "malignant").astype(float)).save("model")
    X.to_csv("new.csv", index=False)
    assert main(["predict", "model", "new.csv", "--cost", "1=1"]) == 0
    done = capfdbinary.readouterr()
    found = pd.read_csv(io.BytesIO(done.out))
    assert {"p(0)", "p(1)"} <= set(found) and b"changes the class of 0 of 60 rows" in done.err
    assert found["decision if missing 1 costs 1"].tolist() == found["predicted"].tolist()
