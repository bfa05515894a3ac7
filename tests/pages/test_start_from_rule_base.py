"""A training on the page that starts from a rule base: uploaded, trained on, recorded with the run, and refused in a sentence."""

import pytest

from tests.pages.helpers import as_text, button, metric, open_page, run_of, said, train
from tsk_core import TSKClassifier, load_dataset, read_rule_base
from ui.platform.engine import get_engine


@pytest.fixture(scope="module")
def fis():
    """An expert's rules for Iris, three of them."""
    iris = load_dataset("iris")
    return TSKClassifier(3, max_epochs=30, random_state=0).fit(iris.X, iris.y).export("fis").encode()


def give_rules(app, name, content):
    return app.file_uploader(key="rule_base_file").set_value((name, content, "text/plain")).run()


def test_a_training_starts_from_an_uploaded_rule_base_and_its_run_brings_it_back(fis):
    app = open_page(data="iris", rules="8", epochs="5")
    give_rules(app, "expert.fis", fis)
    assert not app.exception and not app.error
    assert "starts from the 3 rules of expert.fis, SHA-256" in said(app)
    train(app)
    config = get_engine().store.open(run_of(app)).config()
    assert config.n_rules == 3 and config.shown("rule_base") == read_rule_base(fis, "expert.fis")["source"]
    assert float(metric(app, "Accuracy")) > 0.8  # after five epochs; from cluster centres it has no time for that
    opened = open_page(run=run_of(app))
    assert not opened.exception and "starts from the 3 rules of expert.fis" in said(opened)
    assert not opened.query_params.get("rule_base")
    button(app, "Start without it").click().run()
    assert "starts from the 3 rules" not in said(app) and app.file_uploader(key="rule_base_file").value is None


def test_several_trainings_of_other_rules_do_not_stand_in_its_way(fis):
    app = open_page(data="iris", rules="8", trainings="3")
    assert app.error
    give_rules(app, "expert.fis", fis)
    assert not app.error and not button(app, "Train").disabled


def test_what_does_not_fit_is_one_sentence(fis):
    app = open_page(data="wine", epochs="5")
    give_rules(app, "expert.fis", fis)
    button(app, "Train").click().run()
    (error,) = (as_text(e.value) for e in app.error)
    assert error.startswith("The rule base has the input 'sepal length (cm)', which the table lacks") and error.endswith(".")
    assert "run" not in app.query_params


def test_a_file_without_rules_is_one_sentence_and_the_page_goes_on(fis):
    app = open_page(data="iris", epochs="5")
    for name, content in {"a.fis": b"\0\1\2", "b.json": b"{]", "c.fis": fis.replace(b"gaussmf", b"trimf")}.items():
        give_rules(app, name, content)
        assert not app.exception
        (error,) = (as_text(e.value) for e in app.error)
        assert error.endswith(".") and "Traceback" not in error and "starts from the" not in said(app)
    give_rules(app, "good.fis", fis)
    assert not app.error and "starts from the 3 rules of good.fis" in said(app)


def test_the_link_of_another_run_leaves_the_rule_base(fis):
    app = open_page(data="iris", rules="3", epochs="2")
    train(app)
    plain = run_of(app)
    give_rules(app, "expert.fis", fis)
    assert "starts from the 3 rules" in said(app)
    app.query_params["run"] = plain
    del app.session_state["current_run"]
    app.session_state["opened_run"] = ""
    app.run()
    assert "starts from the 3 rules" not in said(app)
