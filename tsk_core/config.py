"""TrainConfig: the settings of a training run, validated, and converted to and from JSON and URL values.

Three named sets of values are where a person starts from (``STARTING_POINTS``): "recommended", the defaults, chosen by
measurement on tables of other people (docs/defaults.md); "readable", few rules with few conditions and one score for each class,
which are the whole model (docs/readable.md); and "paper", the paper's model, where its effects show.
"""

import hashlib
import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any

from tsk_core.errors import SettingError
from tsk_core.settings import SETTINGS, Setting, number_text

__all__ = [
    "HOLD_OUTS",
    "SETTINGS",
    "START_KEY",
    "STARTING_POINTS",
    "Setting",
    "TrainConfig",
    "default_of",
    "nearest_rules",
    "shown_value",
    "starting_point",
    "value_of_text",
]

START_KEY = "from"  # of links: the name of the starting point
MOST_CHARACTERS = 500_000  # of a rule base: settings stand in each run's row of the ledger
HOLD_OUTS = 5  # of the training rows, by early stopping and by the choice of λ


_INTEGERS = ("n_rules", "batch_size", "max_epochs", "patience", "max_conditions", "selection_epoch", "n_trainings")
_NUMBERS = ("ur_weight", "learning_rate", "l2", "shrinkage", "validation_fraction", "sharpness", "covering", "l1", "drop_rule")
_CHOICES = ("consequents", "batch_norm", "layer_norm", "firing", "init", "optimizer", "device")


@dataclass(frozen=True)
class TrainConfig:
    """One training run's settings; see ``SETTINGS`` for each one's meaning, letter and range.

    Fields and defaults are those of ``TSKClassifier``'s constructor.
    ``ur_target`` is "1/C", "1/R" or a number; ``class_weight`` is None, "balanced" or {class: weight > 0};
    ``random_state`` is None (a fresh seed) or a whole number. ``rule_base`` is None, or an exported dictionary
    (``TSKClassifier.to_dict``, ``read_rule_base``) or its JSON, which it becomes; ``n_rules`` is then the number of its rules.

    Raises SettingError (a ValueError) naming the setting, the value and the allowed range.

    Examples
    --------
    >>> from tsk_core import TrainConfig, TSKClassifier
    >>> TrainConfig.paper(ur_weight=10).n_rules
    20
    >>> TSKClassifier(**TrainConfig.readable().to_dict()).max_conditions
    3
    >>> TrainConfig(n_rules=0)
    Traceback (most recent call last):
    tsk_core.errors.SettingError: n_rules is 0; it must be at least 1.
    """

    n_rules: int = 8
    ur_weight: float = 0.1
    batch_norm: str = "bn"
    batch_size: int = 64
    learning_rate: float = 0.02
    l2: float = 0.001
    shrinkage: float = 0.01
    max_epochs: int = 100
    early_stopping: bool = False
    validation_fraction: float = 0.2
    patience: int = 40
    firing: str = "scaled"
    ur_target: str | float = "1/C"
    init: str = "kmeans"
    optimizer: str = "adabound"
    class_weight: str | dict[Hashable, float] | None = None
    random_state: int | None = None
    device: str = "cpu"
    consequents: str = "linear"
    sharpness: float = 0.0
    covering: float = 0.0
    max_conditions: int = 0
    l1: float = 0.0
    selection_epoch: int = 0
    drop_rule: float = 0.0
    layer_norm: str = "none"
    n_trainings: int = 1
    rule_base: str | None = None

    def __post_init__(self) -> None:
        """Validate every field and settle its type (numpy numbers become Python's)."""
        for name in _INTEGERS:
            self._settle(name, _whole(name, getattr(self, name)))
        for name in _NUMBERS:
            self._settle(name, _number(name, getattr(self, name)))
        for name in _CHOICES:
            _choice(name, getattr(self, name))
        _below_one("validation_fraction", self.validation_fraction)
        _below_one("drop_rule", self.drop_rule)
        if not isinstance(self.early_stopping, bool):
            raise SettingError(f"early_stopping is {_shown(self.early_stopping)}; it must be True or False.")
        if self.ur_target not in SETTINGS["ur_target"].options:
            self._settle("ur_target", _number("ur_target", self.ur_target))
        if self.random_state is not None:
            self._settle("random_state", _whole("random_state", self.random_state))
        if self.rule_base is not None:
            text, n_rules = _rule_base(self.rule_base)
            self._settle("rule_base", text)
            self._settle("n_rules", n_rules)
        n = self.n_parts
        nearest = nearest_rules(self.n_rules, n)
        if self.n_rules != nearest:
            raise SettingError(
                f"n_rules is {self.n_rules}; with {n} separate trainings (n_trainings) it must be a multiple of {n}, at least"
                f" {2 * n}, such as {nearest}."
            )
        _class_weight(self.class_weight)
        if isinstance(self.class_weight, dict):  # labels out of an array are NumPy's, which JSON does not know
            plain = {getattr(label, "item", lambda label=label: label)(): w for label, w in self.class_weight.items()}
            self._settle("class_weight", plain)

    def _settle(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def tau(self, n_classes: int) -> float:
        """The UR target τ as a number, for ``n_classes`` classes."""
        if isinstance(self.ur_target, str):
            return {"1/C": 1 / n_classes, "1/R": 1 / self.n_rules}[self.ur_target]
        return self.ur_target

    @property
    def n_parts(self) -> int:
        """How many trainings there are: ``n_trainings``, or 1 where that has no effect. A rule base is where one training starts,
        layer normalisation is over all rules, and clusters of the classes would be much the same in each.
        """
        alone = self.rule_base is not None or self.layer_normalised or self.init == "class-kmeans"
        return 1 if alone else self.n_trainings

    @property
    def part(self) -> "TrainConfig":
        """The settings of each of these trainings; of a single one, these settings."""
        return self if self.n_parts == 1 else replace(self, n_rules=self.n_rules // self.n_parts, n_trainings=1)

    @property
    def has_slopes(self) -> bool:
        """Whether consequents are linear functions of the features."""
        return self.consequents == "linear"

    @property
    def normalisation(self) -> str:
        """The variant of batch normalisation that has an effect: "bn" and "rbn" normalise what slopes see."""
        return self.batch_norm if self.has_slopes or self.batch_norm == "gbn" else "none"

    @property
    def layer_normalised(self) -> bool:
        """Whether layer normalisation has an effect: constant consequents are weighted by the firing levels themselves, so that
        conditions and scores are the whole model, and one rule has no other to be normalised with.
        """
        return self.layer_norm != "none" and self.has_slopes and self.n_rules > 1

    @property
    def trains_inverse_widths(self) -> bool:
        """Whether 1/σ is trained in place of σ: it is 0, and not infinite, where a rule has no condition."""
        return self.max_conditions > 0 or self.l1 > 0

    @property
    def shows_conditions(self) -> bool:
        """Whether conditions are worth watching: training weakens them, or they and one score for each class are all there is."""
        return self.trains_inverse_widths or not self.has_slopes

    @property
    def choice_epoch(self) -> int:
        """The epoch after which each rule has only ``max_conditions`` conditions; 0 where it keeps all."""
        if not self.max_conditions:
            return 0
        return min(self.selection_epoch or max(1, self.max_epochs // 2), self.max_epochs)

    @property
    def seed(self) -> int:
        """``random_state``; 0 where there is none, for what has to be the same each time."""
        return self.random_state or 0

    def steps_per_epoch(self, n_rows: int) -> int:
        """How many gradient steps an epoch over ``n_rows`` training rows takes, at least 1."""
        full, rest = divmod(n_rows, self.batch_size)
        return max(1, full + (rest > 1))  # a last batch of one row joins the one before it

    @classmethod
    def paper(cls, **changes: Any) -> "TrainConfig":
        """The starting point "paper": the paper's model, with softmax, 20 rules and BN, and ``changes``.

        It is not the paper's protocol (``study.protocol_config``), which chooses λ and the number of epochs by validation and has
        α = 0.05: these settings have λ = 1, 200 epochs and α = 0.001.
        """
        values = {"n_rules": 20, "ur_weight": 1.0, "learning_rate": 0.01, "l2": 0.001, "shrinkage": 0.0, "max_epochs": 200}
        return cls(**{**values, "batch_norm": "bn", "batch_size": 64, "firing": "softmax", **changes})

    @classmethod
    def readable(cls, **changes: Any) -> "TrainConfig":
        """The starting point "readable": 12 rules of 3 conditions and constant consequents, with ``changes``."""
        values = {"n_rules": 12, "max_conditions": 3, "ur_weight": 0.9, "sharpness": 0.2, "covering": 0.12, "l1": 0.001}
        values |= {"l2": 0.002, "shrinkage": 0.0, "learning_rate": 0.05, "max_epochs": 200}
        names = {"consequents": "constant", "init": "class-kmeans", "optimizer": "adam", "batch_norm": "none"}
        names |= {"firing": "softmax", "class_weight": "balanced"}
        return cls(**{**values, **names, **changes})

    def made_readable(self, **changes: Any) -> "TrainConfig":
        """The starting point "readable" with the class weights, if any, the seed and the device of these settings."""
        kept: dict[str, Any] = {"random_state": self.random_state, "device": self.device}
        kept |= {} if self.class_weight is None else {"class_weight": self.class_weight}
        return self.readable(**{**kept, **changes})

    def shown(self, name: str) -> Any:
        """The value of a setting as a person is to read it, see ``shown_value``."""
        return shown_value(name, getattr(self, name))

    def differing(self, other: "TrainConfig") -> list[str]:
        """The names of the settings whose values differ, the seed and the device aside."""
        names = (name for name in SETTINGS if name not in ("random_state", "device"))
        return [name for name in names if getattr(self, name) != getattr(other, name)]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, one per field."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "TrainConfig":
        """The inverse of ``to_dict``; a missing field takes its default, an unknown one raises SettingError."""
        unknown = sorted(set(values) - set(SETTINGS))
        if unknown:
            near = get_close_matches(str(unknown[0]), SETTINGS, n=1)
            hint = f"did you mean {near[0]}? The names are" if near else "the names are"
            raise SettingError(f"Unknown setting {_shown(unknown[0])}; {hint} those of TSKClassifier's parameters.")
        return cls(**values)

    def to_url(self) -> dict[str, str]:
        """Every setting that a link carries, as ``{url key: text}``; weights given class by class stay out."""
        values = {s.key: getattr(self, name) for name, s in SETTINGS.items() if s.key}
        unsaid = {"seed"} if self.random_state is None else set()
        unsaid |= {"cw"} if isinstance(self.class_weight, dict) else set()
        return {key: _to_text(value) for key, value in values.items() if key not in unsaid}

    @classmethod
    def from_url(cls, values: dict[str, str]) -> "TrainConfig":
        """Read what ``to_url`` wrote; the starting point ``from`` has the rest, or else the recommended one.

        Keys that are not settings are left alone; bad values raise SettingError.
        """
        names = {s.key: name for name, s in SETTINGS.items() if s.key}
        said = {names[key]: value_of_text(names[key], text) for key, text in values.items() if key in names}
        return cls.from_dict({**starting_point(values.get(START_KEY, "recommended")).to_dict(), **said})


def nearest_rules(n_rules: float, n_trainings: int) -> int:
    """The number of rules nearest to ``n_rules`` that so many trainings can have: as many in each, at least 2; one, at least 1.

    The firing level of a single rule is 1 in its training, so that its conditions would not be learnt.
    """
    least = 1 if n_trainings == 1 else 2
    return n_trainings * max(least, round(n_rules / n_trainings))


def shown_value(name: str, value: Any) -> Any:
    """The value of a setting as a person is to read it: of a rule base, its file and the beginning of its SHA-256."""
    if name != "rule_base" or value is None:
        return value
    source = json.loads(value).get("source")
    return str(source)[:200] if source else f"SHA-256 {hashlib.sha256(value.encode()).hexdigest()[:12]}"


def _shown(value: object) -> str:
    """A wrong value for a sentence, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise SettingError(f"{name} is {_shown(value)}; it must be a whole number.")
    return int(_in_range(name, value.__index__()))


def _number(name: str, value: object) -> float:
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)  # type: ignore[arg-type]  # what has no float raises
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise SettingError(f"{name} is {str(value)[:40]!r}; it must be a finite number.")
    return _in_range(name, number)


def _in_range(name: str, value: float) -> float:
    setting = SETTINGS[name]
    if setting.low is not None and (value < setting.low or (setting.above and value == setting.low)):
        raise SettingError(f"{name} is {_shown(value)}; it must be {'above' if setting.above else 'at least'} {setting.low:g}.")
    return value


def _below_one(name: str, share: float) -> None:
    if not share < 1:
        raise SettingError(f"{name} is {share}; it must be below 1.")


def _choice(name: str, value: object) -> None:
    options = SETTINGS[name].options
    if value not in options:
        raise SettingError(f"{name} is {_shown(value)}; it must be one of {', '.join(options)}.")


def _rule_base(value: object) -> tuple[str, int]:
    """Its JSON and how many rules it has; whether they fit a table is checked where there is one."""
    try:
        text = value if isinstance(value, str) else json.dumps(value, allow_nan=False)
        if len(text) > MOST_CHARACTERS:
            raise SettingError(f"rule_base has {len(text):,} characters as JSON; it must have {MOST_CHARACTERS:,} at most.")
        base = json.loads(text)
        count = len(base["rules"]) if base["format"] == "tsk-rules" and isinstance(base["rules"], list) else 0
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, SettingError):
            raise
        count, text = 0, ""
    if not count:
        raise SettingError("rule_base must be None, or exported rules: what to_dict, read_rule_base or a JSON export gives.")
    return text, count


def _class_weight(value: object) -> None:
    if value is None or value == "balanced":
        return
    weights = value.values() if isinstance(value, dict) else [None]
    if not all(isinstance(w, int | float) and not isinstance(w, bool) and 0 < w < math.inf for w in weights):
        raise SettingError(f"class_weight is {_shown(value)}; it must be None, 'balanced', or a weight above 0 for each class.")


def _to_text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return number_text(value) if isinstance(value, float) else str(value)


def value_of_text(name: str, text: str) -> Any:
    """The value that the text of a link stands for; SettingError where it has to be a number and is none."""
    try:
        if name in _INTEGERS or name == "random_state":
            return int(text)
        if name in _NUMBERS or (name == "ur_target" and text not in SETTINGS[name].options):
            return float(text)
    except ValueError:
        raise SettingError(f"{name} is {text!r}; it must be a number.") from None
    if name == "early_stopping":
        return {"true": True, "false": False}.get(text.lower(), text)
    if name == "class_weight" and text == "none":
        return None
    return text


STARTING_POINTS: dict[str, TrainConfig] = {
    "recommended": TrainConfig(),
    "readable": TrainConfig.readable(),
    "paper": TrainConfig.paper(),
}


def starting_point(name: str) -> TrainConfig:
    """The settings that a name stands for. Raises SettingError for a name that is not one of ``STARTING_POINTS``."""
    if name not in STARTING_POINTS:
        raise SettingError(f"The starting point is {str(name)[:40]!r}; it must be one of {', '.join(STARTING_POINTS)}.")
    return STARTING_POINTS[name]


def default_of(name: str, start: str = "recommended") -> object:
    """The value of one setting at a starting point; at "recommended" it is the constructor's default."""
    return getattr(starting_point(start), name)
