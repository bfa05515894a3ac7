"""``explain``: one row in any form, with contributions that add up, a change that holds, rows like it, and words."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

from tests.explain.examples import HOSTILE
from tsk_core import TSKClassifier
from tsk_core.errors import DataError, SettingError


@pytest.fixture(scope="module")
def loans():
    """A table with a number, a whole number and a category with missing values; and a classifier of it."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"income": rng.normal(3000, 800, 300).round(1), "age": rng.integers(18, 80, 300)})
    frame["housing"] = pd.Series(rng.choice(["own", "rent", "free"], 300), dtype="str")
    y = np.where(frame["income"] / 800 + 2 * (frame["housing"] == "own") > 4.2, "paid", "failed")
    frame.loc[3, "housing"] = None
    return TSKClassifier(n_rules=4, max_epochs=40, random_state=0).fit(frame, y), frame, y


def as_table(why, x):
    """An encoded row as a raw one."""
    values = {}
    for one in why.features:
        part = x[list(one.columns)]
        values[one.name] = one.categories[int(part.argmax())] if one.categories else part[0]
    return pd.DataFrame({name: [value] for name, value in values.items()})


def test_contributions_and_probabilities_are_the_classifier_s(loans):
    classifier, frame, _ = loans
    for n in range(6):
        why = classifier.explain(frame.iloc[n])
        assert why.predicted == classifier.predict(frame.iloc[[n]])[0]
        np.testing.assert_allclose(list(why.probabilities.values()), classifier.predict_proba(frame.iloc[[n]])[0], atol=1e-9)
        scores = classifier.contributions(frame.iloc[[n]]).scores[0]
        for c, name in enumerate(classifier.classes_):
            sums = why.contributions(name)
            assert sum(sums["rules"].values()) == pytest.approx(scores[c], abs=1e-9)
            features = sum(sums["features"].values()) + sums["typical row"] + sums["which rules fire"]
            assert features == pytest.approx(scores[c], abs=1e-9)


def test_contributions_take_the_classifier_s_own_labels(loans):
    _, frame, y = loans
    X = frame[["income", "age"]]
    classifier = TSKClassifier(n_rules=2, max_epochs=2, random_state=0).fit(X, (np.asarray(y) == "paid").astype(float))
    why = classifier.explain(X.iloc[0])
    assert why.contributions(classifier.classes_[1]) == why.contributions("1")
    with pytest.raises(DataError, match="There is no class '2'; the classes are '0' and '1'"):
        why.contributions(2.0)


def test_every_change_turns_the_classifier_s_own_prediction_and_keeps_limits(loans):
    classifier, frame, _ = loans
    seen, bounded, middle = set(), 0, tuple(frame["income"].quantile([0.25, 0.75]))
    for n in range(12):
        row = frame.iloc[n]
        own, free = classifier.predict(frame.iloc[[n]])[0], classifier.explain(row)
        for one in free.changes:
            seen.update(f.name for f in one.features)
            new = as_table(free, one.x)
            assert classifier.predict(new)[0] == classifier.classes_[one.predicted] != own
            assert new["age"][0] == round(new["age"][0])
        for one in classifier.explain(row, locked=["income"], bounds={"age": (30, 40)}).changes:
            assert "income" not in {f.name for f in one.features}
        for one in classifier.explain(row, bounds={"income": middle}, to="paid").changes:
            assert own == "failed" and classifier.classes_[one.predicted] == "paid"
            if "income" in {f.name for f in one.features}:
                bounded += 1
                assert middle[0] <= as_table(free, one.x)["income"][0] <= middle[1]
    assert {"income", "housing"} <= seen and bounded


def test_a_row_may_come_as_a_series_a_dictionary_a_table_or_an_array(loans):
    classifier, frame, _ = loans
    texts = {str(classifier.explain(row)) for row in (frame.iloc[5], frame.iloc[[5]], dict(frame.iloc[5]))}
    texts.add(str(classifier.explain(frame.iloc[5][::-1].to_dict())))  # a dictionary has no order
    assert len(texts) == 1
    numbers = frame[["income", "age"]].to_numpy()
    named = TSKClassifier(n_rules=2, max_epochs=2, random_state=0).fit(frame[["income", "age"]], loans[2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an array has no names
        assert named.explain(numbers[0]).predicted == named.explain(frame[["income", "age"]].iloc[0]).predicted
    with pytest.warns(UserWarning, match="TSKClassifier was fitted with feature names"):
        named.predict(numbers)
    plain = TSKClassifier(n_rules=2, max_epochs=2, random_state=0).fit(numbers, loans[2])
    assert str(plain.explain(numbers[0])) == str(plain.explain(numbers[:1]))
    for wrong, words in ((frame, "300 rows"), (frame.iloc[:0], "0 rows"), ({"income": 1}, "missing"), (numbers, "300 rows")):
        with pytest.raises(ValueError, match=words):
            classifier.explain(wrong)


def test_the_words_say_what_the_numbers_are(loans):
    classifier, frame, _ = loans
    why = classifier.explain(frame.iloc[5])
    text, values = str(why), why.to_dict()
    json.dumps(values, allow_nan=False)
    assert f"The model predicts {why.predicted} with probability" in text and "<table>" in why._repr_html_()
    assert all(one["text"] in text for one in values["changes"])
    distances = [one["distance"] for one in values["alike"]]
    assert distances == sorted(distances) and distances[0] == 0  # the row itself is a training row
    by_firing = classifier.explain(frame.iloc[5], by="firing", alike=3).alike
    assert len(by_firing) == 3 and by_firing[0].overlap == pytest.approx(1)


def test_an_unusual_row_and_wrong_wishes_are_told(loans):
    classifier, frame, _ = loans
    odd = dict(frame.iloc[5]) | {"income": 1e6, "housing": "castle"}
    why = classifier.explain(odd)
    assert "far outside the training rows" in why.warnings[0]
    assert "'castle' did not occur" in why.warnings[0]
    assert why.warnings[-1].startswith(
        "for this row no rule's conditions all hold; the model classifies it by the firing levels and "
    )
    assert "none of the known categories" in str(why)
    for how, words in (
        ({"to": "nobody"}, "no class 'nobody'"),
        ({"locked": ["x"]}, "no feature 'x'"),
        ({"by": "luck"}, "'luck'"),
        ({"bounds": {"income": 5}}, "range of 'income' is 5; give two numbers"),
        ({"alike": -1}, "alike is -1"),
    ):
        with pytest.raises((DataError, SettingError), match=words):
            classifier.explain(frame.iloc[5], **how)
    assert "predicts paid already" in str(classifier.explain(dict(frame.iloc[5]) | {"income": 5000, "housing": "own"}, to="paid"))
    assert "locked" in str(classifier.explain(frame.iloc[5], locked=list(frame.columns)))


def test_a_loaded_model_explains_without_training_rows(loans, tmp_path):
    classifier, frame, _ = loans
    classifier.save(tmp_path / "model")
    why, before = TSKClassifier.load(tmp_path / "model").explain(frame.iloc[5]), classifier.explain(frame.iloc[5])
    assert why.alike == ()
    assert [one.conditions for one in why.rules] == [one.conditions for one in before.rules]
    np.testing.assert_allclose(why.decomposition.by_feature, before.decomposition.by_feature, atol=1e-9)
    assert "most like it" not in str(why)


def test_names_are_text_in_html():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({HOSTILE[0]: rng.normal(size=60), HOSTILE[1]: rng.choice([HOSTILE[2], "b"], 60)})
    y = np.where(frame[HOSTILE[0]] > 0, HOSTILE[0], "$x$")
    page = TSKClassifier(n_rules=2, max_epochs=3, random_state=0).fit(frame, y).explain(frame.iloc[0])._repr_html_()
    assert "<img" not in page
    assert "&lt;img" in page
    assert "mathjax_ignore" in page
