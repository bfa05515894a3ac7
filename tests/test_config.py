"""TrainConfig: one description of a run that survives JSON and links, and refuses what cannot be trained."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core import TrainConfig
from tsk_core.config import START_KEY, STARTING_POINTS, default_of, nearest_rules, starting_point
from tsk_core.errors import SettingError
from tsk_core.settings import SETTINGS

NAMES = [field.name for field in fields(TrainConfig)]
WHOLE = {"n_rules", "batch_size", "max_epochs", "patience", "random_state", "max_conditions", "selection_epoch", "n_trainings"}


def numbers(name: str) -> st.SearchStrategy:
    """Every number that the library takes for this setting within the range that pages offer."""
    setting = SETTINGS[name]
    if name in WHOLE:
        return st.integers(int(setting.low), int(setting.high))
    return st.floats(setting.low, setting.high, exclude_min=setting.above)


def valid(name: str) -> st.SearchStrategy:
    """Every valid value of one setting."""
    values = [st.sampled_from(SETTINGS[name].options)] if SETTINGS[name].options else []
    if SETTINGS[name].low is not None:
        values.append(numbers(name))
    weights = st.dictionaries(st.text(max_size=5), st.floats(0, 1e6, exclude_min=True), max_size=3)
    special = {
        "early_stopping": [st.booleans()],
        "random_state": [st.none(), *values],
        "class_weight": [st.none(), st.just("balanced"), weights],
        "rule_base": [st.none()],  # tests/estimators/test_rule_base.py has others
    }
    return st.one_of(special.get(name, values))


def made(n_rules: int, n_trainings: int, **values: object) -> TrainConfig:
    """A config whose trainings have as many rules each."""
    return TrainConfig(n_rules=nearest_rules(n_rules, n_trainings), n_trainings=n_trainings, **values)


CONFIGS = st.builds(made, **{name: valid(name) for name in NAMES})


@given(CONFIGS)
def test_a_config_survives_json(config):
    assert TrainConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@given(CONFIGS)
def test_a_link_carries_every_setting_that_has_a_key_as_text(config):
    back = TrainConfig.from_url(config.to_url())
    for name in NAMES:
        said = SETTINGS[name].key and not isinstance(getattr(config, name), dict)
        assert getattr(back, name) == (getattr(config, name) if said else default_of(name))
    assert all(isinstance(part, str) and part for pair in config.to_url().items() for part in pair)


@given(CONFIGS, st.sampled_from(list(STARTING_POINTS)))
def test_a_link_with_what_differs_from_its_starting_point_carries_the_rest_as_well(config, start):
    config = replace(config, class_weight="balanced")
    differing, whole = config.differing(starting_point(start)), config.to_url()
    link = {SETTINGS[name].key: whole[SETTINGS[name].key] for name in differing if SETTINGS[name].key}
    back = TrainConfig.from_url({START_KEY: start, **link})
    for name in NAMES:
        said = name in differing and SETTINGS[name].key
        assert getattr(back, name) == (getattr(config, name) if said else default_of(name, start)), name


def test_every_setting_is_explained_with_a_key_of_its_own_and_a_default_within_the_range_that_pages_offer():
    assert list(SETTINGS) == NAMES
    for name, setting in SETTINGS.items():
        assert setting.label, name
        assert setting.help.endswith("."), name
    keys = [setting.key for setting in SETTINGS.values() if setting.key]
    assert len(keys) == len(set(keys))
    for name, setting in SETTINGS.items():
        default = default_of(name)
        if isinstance(default, int | float) and not isinstance(default, bool):
            assert setting.low <= default <= setting.high, name
        elif setting.options and default is not None:
            assert default in setting.options, name


@pytest.mark.parametrize("name", [n for n in NAMES if SETTINGS[n].low is not None])
def test_a_number_below_its_range_is_refused_by_name(name):
    with pytest.raises(SettingError, match=f"^{name} is -1"):
        TrainConfig(**{name: -1})
    if SETTINGS[name].above:
        with pytest.raises(SettingError, match="must be above 0"):
            TrainConfig(**{name: 0})


def test_a_seed_is_one_that_numpy_and_scikit_learn_take():
    assert TrainConfig(random_state=2**32 - 1).random_state == 2**32 - 1
    with pytest.raises(SettingError, match=r"^random_state is 4294967296; it must be at most 4294967295\.$"):
        TrainConfig(random_state=2**32)


@pytest.mark.parametrize("value", ["many", None, [], True, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["n_rules", "ur_weight", "batch_norm", "learning_rate", "init"])
def test_a_value_of_the_wrong_kind_is_refused_by_name(name, value):
    with pytest.raises(SettingError, match=f"^{name} is "):
        TrainConfig(**{name: value})


@pytest.mark.parametrize(
    "values",
    [{"early_stopping": 1}, {"validation_fraction": 1.0}, {"class_weight": {"a": 0}}, {"class_weight": "heavy"},
     {"class_weight": np.array([1.0, 2.0])}, {"firing": np.array(["log", "paper"])}, {"ur_target": np.array([1.0, 2.0])}],
    ids=str,
)  # fmt: skip
def test_a_value_that_no_training_could_use_is_refused(values):
    (name,) = values
    with pytest.raises(SettingError, match=f"^{name} is "):
        TrainConfig(**values)


@pytest.mark.parametrize(
    "pair",
    ["rules=ten", "lr=", "es=perhaps", "bn=<b>", "seed=1.5", "cw=x", "ur=1e400", "tau=nan", "tau=abc", "tau=-1"],
)
def test_a_bad_value_in_a_link_is_refused(pair):
    with pytest.raises(SettingError):
        TrainConfig.from_url(dict([pair.split("=")]))


def test_numpy_numbers_become_python_numbers():
    weights = {np.int64(0): np.float32(2.0), np.str_("a"): np.int64(1)}
    config = TrainConfig(
        n_rules=np.int64(3), l2=np.float32(0.5), random_state=np.uint8(1), class_weight=weights, early_stopping=np.True_
    )
    assert config.early_stopping is True
    assert [type(value) for value in (config.n_rules, config.l2, config.random_state)] == [int, float, int]
    assert json.loads(json.dumps(config.to_dict()))["class_weight"] == {"0": 2.0, "a": 1}


@pytest.mark.parametrize(("target", "tau"), [("1/C", 0.25), ("1/R", 0.1), (0.3, 0.3)])
def test_tau_is_the_number_that_its_name_says(target, tau):
    assert TrainConfig(n_rules=10, ur_target=target).tau(n_classes=4) == tau


def test_the_defaults_are_the_recommended_settings_and_the_paper_starts_from_softmax_twenty_rules_and_both_terms():
    measured = {"firing": "scaled", "n_rules": 8, "ur_weight": 0.1, "shrinkage": 0.01, "learning_rate": 0.02, "max_epochs": 100}
    assert starting_point("recommended") == TrainConfig(**measured) == TrainConfig()
    paper = TrainConfig.paper()
    assert (paper.firing, paper.n_rules, paper.ur_weight, paper.batch_norm, paper.batch_size) == ("softmax", 20, 1.0, "bn", 64)
    assert (paper.learning_rate, paper.l2, paper.shrinkage, paper.max_epochs) == (0.01, 0.001, 0.0, 200)
    assert starting_point("paper") == paper
    assert TrainConfig.paper(n_rules=5, random_state=1) == replace(paper, n_rules=5, random_state=1)
    with pytest.raises(SettingError, match="^n_rules is 0"):
        TrainConfig.paper(n_rules=0)


def test_settings_that_differ_are_named_in_their_order_the_seed_and_the_device_aside():
    changed = replace(TrainConfig.paper(), max_epochs=50, n_rules=7, random_state=3)
    assert changed.differing(TrainConfig.paper()) == ["n_rules", "max_epochs"]
    assert TrainConfig.paper().differing(TrainConfig.paper(random_state=1)) == []
    between = TrainConfig().differing(TrainConfig.paper())
    assert between == ["n_rules", "ur_weight", "learning_rate", "shrinkage", "max_epochs", "firing"]
    assert between == TrainConfig.paper().differing(TrainConfig())


@pytest.mark.parametrize("start", STARTING_POINTS)
def test_a_link_names_the_starting_point_that_has_the_rest_and_an_unknown_one_is_refused(start):
    link = {START_KEY: start, "rules": "7", "shrink": "0.5"}
    assert TrainConfig.from_url(link) == replace(STARTING_POINTS[start], n_rules=7, shrinkage=0.5)
    with pytest.raises(SettingError, match="'nowhere'; it must be one of recommended, readable, paper"):
        TrainConfig.from_url({START_KEY: "nowhere"})


def test_the_readable_starting_point_has_few_conditions_and_constant_consequents():
    readable = TrainConfig.readable(n_rules=5)
    assert (readable.consequents, readable.n_rules, readable.init) == ("constant", 5, "class-kmeans")
    assert 1 <= readable.max_conditions <= 4 and not readable.has_slopes and readable.trains_inverse_widths
    assert TrainConfig.from_url({"from": "readable", "rules": "5"}) == readable


def test_batch_normalisation_before_slopes_has_no_effect_without_them_nor_layer_normalisation_of_a_single_rule():
    variants = {name: TrainConfig(consequents="constant", batch_norm=name).normalisation for name in ("none", "bn", "gbn", "rbn")}
    assert variants == {"none": "none", "bn": "none", "gbn": "gbn", "rbn": "none"}
    assert TrainConfig(layer_norm="relu").layer_normalised and not TrainConfig().layer_normalised
    assert not TrainConfig(layer_norm="relu", n_rules=1).layer_normalised
    assert not TrainConfig(layer_norm="relu", consequents="constant").layer_normalised


@pytest.mark.parametrize(
    ("settings", "epoch"),
    [
        ({"max_epochs": 50}, 0),
        ({"max_epochs": 51, "max_conditions": 2}, 25),
        ({"max_epochs": 1, "max_conditions": 2}, 1),
        ({"max_epochs": 50, "max_conditions": 2, "selection_epoch": 10}, 10),
        ({"max_epochs": 50, "max_conditions": 2, "selection_epoch": 80}, 50),
    ],
)
def test_conditions_are_chosen_after_half_of_the_epochs_or_when_it_is_said(settings, epoch):
    assert TrainConfig(**settings).choice_epoch == epoch


def test_an_unknown_setting_is_named_with_the_one_it_is_like_in_a_short_sentence_but_a_link_may_carry_other_keys():
    with pytest.raises(SettingError, match="^Unknown setting 'sharpnes'; did you mean sharpness"):
        TrainConfig.from_dict({"sharpnes": 1})
    with pytest.raises(
        SettingError, match="^Unknown setting 'x+…; the names are those of TSKClassifier's parameters.$"
    ) as caught:
        TrainConfig.from_dict({"x" * 5000: 1})
    assert len(str(caught.value)) < 200
    assert TrainConfig.from_url({"rules": "7", "utm_source": "mail"}) == TrainConfig(n_rules=7)
