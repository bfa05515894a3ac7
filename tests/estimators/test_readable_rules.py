"""The readable rules of a model with constant consequents: from its training rows, and from what it kept as text."""

import json

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.explain import Summaries, Summariser


@pytest.fixture(scope="module")
def readable(mixed):
    X, y = mixed
    settings = TrainConfig.readable(n_rules=4, max_conditions=2, max_epochs=30, random_state=0).to_dict()
    names = TSKClassifier().get_params()
    return TSKClassifier(**{name: value for name, value in settings.items() if name in names}).fit(X[:200], y[:200])


def test_a_loaded_model_has_the_same_readings_and_rule_list(readable, mixed, tmp_path):
    X, y = mixed
    readable.save(tmp_path / "m")
    loaded = TSKClassifier.load(tmp_path / "m")
    for rows in ((), (X[200:], y[200:])):
        book = readable.rules(3, *rows)
        assert loaded.rules(3, *rows).to_dict() == book.to_dict()
        assert loaded.rules(12, *rows).rule_list.text == book.rule_list.text
        assert [reading.name for reading in book.readings] == ["model", "strongest", "sentences"]
    assert book.evaluated_on == "test rows" and " of 100 test rows" in book.rule_list.text


def test_the_readings_are_those_of_the_classifier(readable, mixed):
    X, y = mixed
    book = readable.rules(1, X[200:], y[200:])
    assert (book.predict(X) == readable.predict(X)).all()
    assert book.readings[0].accuracy == pytest.approx(readable.score(X[200:], y[200:]))
    strongest = readable.transform(X[200:]).argmax(1)
    classes = np.array([rule.conclusion for rule in sorted(book.rules, key=lambda rule: rule.index)])
    assert book.readings[1].accuracy == pytest.approx((classes[strongest] == y[200:]).mean())
    listed = readable.classes_[book.rule_list.predict_index(readable.model_.encoded(X[200:]))]
    assert book.readings[2].accuracy == pytest.approx((listed == y[200:]).mean())
    assert sum(item.test.taken_right for item in book.rule_list.items) == (listed == y[200:]).sum()


def test_summaries_keep_readings_and_rule_list(readable, mixed):
    X, y = mixed
    train, test = (X[:200], y[:200]), (X[200:], y[200:])
    made = Summariser(readable.encoder_.transform, readable.classes_, train, test, 4).summarise(readable.to_dict())
    kept = Summaries.from_dict(json.loads(json.dumps(made.to_dict(), allow_nan=False)))
    assert kept.fit(4, list(X.columns), ["no", "yes"])
    book, direct = kept.summary(2, readable.to_dict()), readable.rules(2, *test, training=train)
    assert book.rule_list.to_dict() == direct.rule_list.to_dict()
    assert kept.texts(1)[1] == book.measured_text == direct.measured_text
    assert len(kept.fidelity) == 1
    changed = made.to_dict()
    changed["measured"]["readable"]["otherwise"] = 2
    assert not Summaries.from_dict(changed).fit(4, list(X.columns), ["no", "yes"])


def test_rules_of_an_epoch_say_the_models_accuracy_only(readable, mixed):
    X, y = mixed
    nothing = pd.DataFrame(columns=X.columns), y[:0]
    quick = Summariser(readable.encoder_.transform, readable.classes_, (X, y), nothing, 4, quick=True)
    rules, text = quick.summarise(readable.to_dict()).texts(2)
    assert text.startswith(f"4 rules, {sum(len(rule.antecedents) for rule in rules)} conditions in all. The model's accuracy is ")
    assert "linear" not in text and all(rule.then == str(rule.conclusion) for rule in rules)
