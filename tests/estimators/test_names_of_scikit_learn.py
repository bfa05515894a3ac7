"""What scikit-learn's users expect by name: of the classifier, and of the search that stands in its place."""

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectFromModel

from tsk_core import TSKClassifier, TSKClassifierCV
from tsk_core.errors import SettingError
from tsk_core.explain.printed import printed_rules


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 4)), columns=["decides", "AND noise", "constant", "too"])
    X["constant"] = 1.0
    return X, np.where(X["decides"] + X["too"] > 0, "R AND D", "none")


@pytest.fixture(scope="module")
def fitted(data):
    return TSKClassifier(n_rules=4, max_epochs=30, random_state=0).fit(*data)


def test_epochs_probabilities_and_importances_have_their_usual_names_and_a_loaded_model_what_it_can(fitted, data, tmp_path):
    assert fitted.n_iter_ == 30
    np.testing.assert_allclose(np.exp(fitted.predict_log_proba(data[0])), fitted.predict_proba(data[0]))
    decides, noise, constant, too = fitted.feature_importances_
    assert min(decides, too) > 0.1 > abs(noise) and constant == 0
    selection = SelectFromModel(TSKClassifier(n_rules=4, max_epochs=30, random_state=0), threshold=0.1).fit(*data)
    assert selection.get_support().tolist() == [True, False, False, True]
    fitted.save(tmp_path)
    loaded = TSKClassifier.load(tmp_path)
    assert loaded.n_iter_ == fitted.best_epoch_ and not hasattr(loaded, "feature_importances_")


def test_rows_in_the_place_of_a_length_are_named(fitted, data):
    with pytest.raises(SettingError, match=r"rules\(X=X, y=y\)"):
        fitted.rules(*data)


def test_names_made_of_the_words_of_a_sentence_are_quoted_in_it(fitted, data):
    sentences = "; ".join(rule.text for rule in fitted.rules(4).rules)
    assert "THEN 'R AND D'" in sentences and "'AND noise' is" in sentences and "THEN none" in sentences
    assert "R AND D" not in sentences.replace("'R AND D'", "") and "AND noise" not in sentences.replace("'AND noise'", "")
    categories = pd.DataFrame({"team": np.where(data[1] == "none", "sales", "IF so"), "x": data[0]["too"]})
    assert "'IF so'" in str(TSKClassifier(n_rules=3, max_epochs=20, random_state=0).fit(categories, data[1]).rules())
    few = TSKClassifier(n_rules=3, consequents="constant", batch_norm="none", max_epochs=20, random_state=0).fit(*data)
    code = [line for line in few.export("python").splitlines() if line.strip().startswith("# Rule")]
    printed = printed_rules(few.to_dict(), few.encoder_.low_, few.encoder_.high_).text
    for text in ("\n".join(code), printed):
        assert "'AND noise' is" in text and "'R AND D'" in text and "R AND D" not in text.replace("'R AND D'", "")


@pytest.mark.usefixtures("short_search")
def test_a_search_hands_on_what_its_best_classifier_can(data, tmp_path):
    search = TSKClassifierCV(budget=1e6, cv=2, random_state=0)
    for _ in search.fit_iter(*data, clock=lambda: 0.0):  # to the end, however busy the machine is
        pass
    best, X = search.best_estimator_, data[0]
    np.testing.assert_array_equal(search.transform(X), best.transform(X))
    np.testing.assert_array_equal(search.predict_log_proba(X), best.predict_log_proba(X))
    assert search.to_dict() == best.to_dict()
    search.save(tmp_path)
    np.testing.assert_array_equal(TSKClassifierCV.load(tmp_path).predict(X), search.predict(X))
    readable = search.make_readable(*data, max_rules=2, max_conditions=1)
    assert readable.n_rules == 2 and not readable.training_config().has_slopes
