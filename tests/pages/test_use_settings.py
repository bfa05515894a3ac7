"""Settings that a run, a preset or a search brings: all widgets have them, and the rule base to start from is theirs too."""

from streamlit.testing.v1 import AppTest

from tsk_core.config import TrainConfig
from tsk_core.settings import SETTINGS
from ui.settings.controls import RULE_BASE, TEST_KEY

RULES, SEED = SETTINGS["n_rules"].key, SETTINGS["random_state"].key


def used(config, test_size, **options):
    """The widgets' values and the rule base after ``use_settings`` on a page that had a rule base and other values."""

    def page(config, test_size, options):
        import streamlit as st

        from ui.settings.opening import use_settings

        st.session_state.update({"rule_base": "before", "test": 0.5, "seed": 7})
        use_settings(config, test_size, **options)

    app = AppTest.from_function(page, args=(config, test_size, options)).run()
    assert not app.exception
    return app.session_state


def test_all_settings_are_those_of_the_run_but_what_is_kept_and_its_rule_base_replaces_the_one_before():
    state = used(TrainConfig(n_rules=7, random_state=3), 0.2)
    assert (state[RULES], state[SEED], state[TEST_KEY], state["from"]) == (7, 3, 0.2, "recommended")
    assert RULE_BASE.name not in state
    state = used(TrainConfig(n_rules=7, random_state=3), 0.2, keep=[SEED, TEST_KEY], data={"data": "wine"})
    assert (state[RULES], state[SEED], state[TEST_KEY], state["data"]) == (7, 7, 0.5, "wine")


def test_a_rule_base_of_the_run_is_brought_back(tmp_path):
    from tsk_core import TSKClassifier
    from tsk_core.explain import read_rule_base

    model = TSKClassifier(n_rules=2, max_epochs=1, random_state=0).fit([[0.0], [1.0], [2.0], [3.0]] * 5, [0, 0, 1, 1] * 5)
    start = TrainConfig(rule_base=read_rule_base(model.export("json").encode(), "rules.json")).rule_base
    assert used(TrainConfig(rule_base=start), 0.2)[RULE_BASE.name] == start
