"""The values of settings: checked one by one, read from the text of a link and written as one, and as a person reads them."""

import hashlib
import json
import math
from numbers import Integral, Real
from typing import Any

from tsk_core.errors import SettingError
from tsk_core.numbers import number_text
from tsk_core.settings import SETTINGS

LARGEST_SEED = 2**32 - 1  # of NumPy and scikit-learn
MOST_CHARACTERS = 500_000  # of a rule base: settings stand in each run's row of the ledger

INTEGERS = ("n_rules", "batch_size", "max_epochs", "patience", "max_conditions", "selection_epoch", "n_trainings")
NUMBERS = ("ur_weight", "learning_rate", "l2", "shrinkage", "validation_fraction", "sharpness", "covering", "l1", "drop_rule")
BELOW_ONE = ("validation_fraction", "drop_rule")


def checked(name: str, value: Any) -> Any:
    """The value as ``TrainConfig`` keeps it: NumPy's numbers become Python's, and a rule base becomes its JSON.

    Raises SettingError naming the setting, the value and the allowed range.
    """
    value = plain(value)
    if name in INTEGERS or (name == "random_state" and value is not None):
        return _whole(name, value)
    if name in NUMBERS or (name == "ur_target" and not _is_option(name, value)):
        return _number(name, value)
    if name == "class_weight":
        return _class_weight(value)
    if name == "rule_base":
        return None if value is None else _rule_base(value)
    if name == "early_stopping":
        return check_flag(name, value)
    if SETTINGS[name].options and not _is_option(name, value):
        raise SettingError(f"{name} is {in_short(value)}; it must be one of {', '.join(SETTINGS[name].options)}.")
    return value


def plain(value: Any) -> Any:
    """The value as Python's own where it is a scalar of NumPy or an array of one number; any other as it is."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def _is_option(name: str, value: object) -> bool:
    return isinstance(value, str) and value in SETTINGS[name].options


def shown_value(name: str, value: Any) -> Any:
    """The value of a setting as a person is to read it: of a rule base, its file and the beginning of its SHA-256."""
    if name != "rule_base" or value is None:
        return value
    source = json.loads(value).get("source")
    return str(source)[:200] if source else f"SHA-256 {hashlib.sha256(value.encode()).hexdigest()[:12]}"


def in_words(value: object) -> str:
    """A setting's value as a person writes it: 0.5, 10, bn, on, none; weights class by class."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "on", False: "off"}[value]
    if isinstance(value, dict):
        return ", ".join(f"{name}: {weight:g}" for name, weight in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def text_of_value(value: object) -> str:
    """The text that stands for a value in a link, the inverse of ``value_of_text``."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return number_text(value) if isinstance(value, float) else str(value)


def value_of_text(name: str, text: str) -> Any:
    """The value that the text of a link stands for; SettingError where it has to be a number and is none."""
    try:
        if name in INTEGERS or name == "random_state":
            return int(text)
        if name in NUMBERS or (name == "ur_target" and text not in SETTINGS[name].options):
            return float(text)
    except ValueError:
        raise SettingError(f"{name} is {text!r}; it must be {_or_options(name)}a number.") from None
    if name == "early_stopping":
        return {"true": True, "false": False}.get(text.lower(), text)
    if name == "class_weight" and text == "none":
        return None
    return text


def check_flag(name: str, value: object) -> bool:
    """The value of a parameter that is True or False; SettingError for any other."""
    value = plain(value)
    if not isinstance(value, bool):
        raise SettingError(f"{name} is {in_short(value)}; it must be True or False.")
    return value


def check_whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """The value of a parameter that counts; SettingError for any other than a whole number from ``least`` to ``most``."""
    value = plain(value)
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else least - 1
    if not least <= number <= (math.inf if most is None else most):
        wanted = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise SettingError(f"{name} is {in_short(value)}; it must be a whole number {wanted}.")
    return number


def check_seconds(name: str, value: object) -> float:
    """The value of a parameter of seconds; SettingError for any other than a finite number above 0."""
    value = plain(value)
    seconds = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    if not 0 < seconds < math.inf:
        raise SettingError(f"{name} is {in_short(value)}; it must be a number of seconds above 0.")
    return seconds


def later_seed(seed: int, k: int) -> int:
    """The k-th seed after this one; 0 comes after the largest."""
    return (seed + k) % (LARGEST_SEED + 1)


def in_short(value: object) -> str:
    """A wrong value for a sentence, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise SettingError(f"{name} is {in_short(value)}; it must be a whole number.")
    return int(_in_range(name, value.__index__()))


def _number(name: str, value: object) -> float:
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)  # type: ignore[arg-type]  # what has no float raises
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise SettingError(f"{name} is {str(value)[:40]!r}; it must be {_or_options(name)}a finite number.")
    return _in_range(name, number)


def _or_options(name: str) -> str:
    """The words that a setting takes beside numbers: "1/C, 1/R or " for τ."""
    options = SETTINGS[name].options
    return f"{', '.join(options)} or " if options else ""


def _in_range(name: str, value: float) -> float:
    setting = SETTINGS[name]
    if setting.low is not None and (value < setting.low or (setting.above and value == setting.low)):
        raise SettingError(f"{name} is {in_short(value)}; it must be {'above' if setting.above else 'at least'} {setting.low:g}.")
    if name == "random_state" and value > LARGEST_SEED:
        raise SettingError(f"{name} is {in_short(value)}; it must be at most {LARGEST_SEED}.")
    if name in BELOW_ONE and value >= 1:
        raise SettingError(f"{name} is {value}; it must be below 1.")
    return value


def _rule_base(value: object) -> str:
    """Its JSON; whether the rules fit a table is checked where there is one."""
    try:
        text = value if isinstance(value, str) else json.dumps(value, allow_nan=False)
        if len(text) > MOST_CHARACTERS:
            raise SettingError(f"rule_base has {len(text):,} characters as JSON; it must have {MOST_CHARACTERS:,} at most.")
        base = json.loads(text)
        has_rules = base["format"] == "tsk-rules" and isinstance(base["rules"], list) and bool(base["rules"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, SettingError):
            raise
        text, has_rules = "", False
    if not has_rules:
        raise SettingError("rule_base must be None, or exported rules: what to_dict, read_rule_base or a JSON export gives.")
    return text


def _class_weight(value: object) -> object:
    """NumPy's labels and weights become Python's, which alone JSON knows; labels that JSON would change become their text."""
    if value is None or (isinstance(value, str) and value == "balanced"):
        return value
    weights = {_label(label): plain(weight) for label, weight in value.items()} if isinstance(value, dict) else {None: None}
    if not all(isinstance(w, int | float) and not isinstance(w, bool) and 0 < w < math.inf for w in weights.values()):
        raise SettingError(f"class_weight is {in_short(value)}; it must be None, 'balanced', or a weight above 0 for each class.")
    return weights


def _label(value: Any) -> Any:
    label = plain(value)
    if isinstance(label, bool):
        return str(label)
    return str(int(label)) if isinstance(label, float) and label.is_integer() else label  # as classes are printed
