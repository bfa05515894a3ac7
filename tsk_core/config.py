"""TrainConfig: the settings of a training run, validated, and converted to and from JSON and URL values.

Three named sets of values are where a person starts from (``STARTING_POINTS``): "recommended", the defaults, chosen by
measurement on tables of other people (docs/defaults.md); "readable", few rules with few conditions and one score for each class,
which are the whole model (docs/readable.md); and "paper", the paper's model, where its effects show.
"""

import json
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

from tsk_core.errors import SettingError
from tsk_core.setting_values import checked, in_short, shown_value, text_of_value, value_of_text
from tsk_core.settings import SETTINGS

START_KEY = "from"  # of links: the name of the starting point
HOLD_OUTS = 5  # of the training rows, by early stopping and by the choice of λ


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
        for field in fields(self):
            self._settle(field.name, checked(field.name, getattr(self, field.name)))
        if self.rule_base is not None:
            self._settle("n_rules", len(json.loads(self.rule_base)["rules"]))
        n = self.n_parts
        nearest = nearest_rules(self.n_rules, n)
        if self.n_rules != nearest:
            raise SettingError(
                f"n_rules is {self.n_rules}; with {n} separate trainings (n_trainings) it must be a multiple of {n}, at least"
                f" {2 * n}, such as {nearest}."
            )

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
        return cls.from_dict({**values, **names, **changes})

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
            raise SettingError(f"Unknown setting {in_short(unknown[0])}; {hint} those of TSKClassifier's parameters.")
        return cls(**values)

    def to_url(self) -> dict[str, str]:
        """Every setting that a link carries, as ``{url key: text}``; weights given class by class stay out."""
        values = {s.key: getattr(self, name) for name, s in SETTINGS.items() if s.key}
        unsaid = {"seed"} if self.random_state is None else set()
        unsaid |= {"cw"} if isinstance(self.class_weight, dict) else set()
        return {key: text_of_value(value) for key, value in values.items() if key not in unsaid}

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
