"""TrainConfig: the settings of a training run, validated, and converted to and from JSON and URL values.

``SETTINGS`` has the name, symbol, URL key, range and help of each setting; the constructor of ``TSKClassifier``, the command
line and the controls of the page read it.
"""

import math
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any

from tsk_core.errors import SettingError

__all__ = ["SETTINGS", "Setting", "TrainConfig", "default_of"]


@dataclass(frozen=True)
class Setting:
    """Name, help and range of one setting.

    key: its name in links; None if links do not contain it.
    symbol: its letter in the paper.
    low, high: the range that pages offer; the library enforces ``low`` alone.
    options: the allowed values of a choice.
    """

    label: str
    symbol: str
    help: str
    key: str | None = None
    low: float | None = None
    high: float | None = None
    above: bool = False  # the range excludes ``low`` itself
    options: tuple[str, ...] = ()


SETTINGS: dict[str, Setting] = {
    "n_rules": Setting(
        "Rules",
        "R",
        "Number of IF-THEN rules; more rules fit finer class boundaries but overfit sooner.",
        key="rules",
        low=1,
        high=200,
    ),
    "ur_weight": Setting(
        "Uniform regularisation",
        "λ",
        "How strongly training makes all rules fire equally on average; 0 switches it off.",
        key="ur",
        low=0,
        high=1000,
    ),
    "batch_norm": Setting(
        "Batch normalisation",
        "BN",
        "none: off; bn: before the consequents (the paper's choice); gbn: before antecedents too; rbn: one per rule.",
        key="bn",
        options=("none", "bn", "gbn", "rbn"),
    ),
    "batch_size": Setting(
        "Batch size",
        "B",
        "Training rows per gradient step; small batches are noisier, large ones give fewer steps per epoch.",
        key="batch",
        low=2,
        high=8192,
    ),
    "learning_rate": Setting(
        "Learning rate",
        "η",
        "Step size of the optimiser at the start; training diverges if it is too large and is slow if it is too small.",
        key="lr",
        low=0,
        high=1,
        above=True,
    ),
    "l2": Setting(
        "L2 penalty",
        "α",
        "How strongly consequent weights are pulled towards 0; the paper uses 0.05, but 0.001 is nearly always better.",
        key="l2",
        low=0,
        high=10,
    ),
    "max_epochs": Setting("Epochs", "T", "Number of passes over the training rows.", key="epochs", low=1, high=2000),
    "early_stopping": Setting(
        "Early stopping",
        "",
        "Finds the number of epochs on five hold-outs of the training rows, then trains on all of them for that long.",
        key="es",
    ),
    "validation_fraction": Setting(
        "Hold-out share", "", "Share of the training rows held out by early stopping.", low=0, high=0.9, above=True
    ),
    "patience": Setting(
        "Patience",
        "",
        "Early stopping ends its search after this many epochs without a better validation score.",
        key="patience",
        low=1,
        high=1000,
    ),
    "firing": Setting(
        "Firing levels",
        "f̄",
        "softmax: the exact formula, safe from underflow; paper: as the authors ran it; htsk: for high dimension.",
        key="firing",
        options=("softmax", "paper", "htsk"),
    ),
    "ur_target": Setting(
        "UR target",
        "τ",
        "The target of UR for the average firing level; it shifts the reported loss but not the gradient.",
        key="tau",
        options=("1/C", "1/R"),
        low=0,
        high=1,
    ),
    "init": Setting(
        "Initial centres",
        "",
        "kmeans or fcm (fuzzy c-means) clusters, or random training rows.",
        key="init",
        options=("kmeans", "fcm", "random"),
    ),
    "optimizer": Setting(
        "Optimiser",
        "",
        "adabound: Adam early, plain gradient descent late (the paper's choice); or adam.",
        key="opt",
        options=("adabound", "adam"),
    ),
    "class_weight": Setting(
        "Class weights", "", "balanced: rare classes count as much as common ones.", key="cw", options=("none", "balanced")
    ),
    "random_state": Setting(
        "Seed",
        "",
        "The same seed gives the same split, initial state and batch order, and so the same numbers.",
        key="seed",
        low=0,
        high=2**31 - 1,
    ),
    "device": Setting("Device", "", "cuda (graphics card) is untested; auto uses it if any.", options=("cpu", "cuda", "auto")),
}

_INTEGERS = ("n_rules", "batch_size", "max_epochs", "patience")
_NUMBERS = ("ur_weight", "learning_rate", "l2", "validation_fraction")
_CHOICES = ("batch_norm", "firing", "init", "optimizer", "device")


@dataclass(frozen=True)
class TrainConfig:
    """One training run's settings; see ``SETTINGS`` for each one's meaning, letter and range.

    Fields and defaults are those of ``TSKClassifier``'s constructor.
    ``ur_target`` is "1/C", "1/R" or a number; ``class_weight`` is None, "balanced" or {class: weight > 0};
    ``random_state`` is None (a fresh seed) or a whole number.

    Raises SettingError (a ValueError) naming the setting, the value and the allowed range.
    """

    n_rules: int = 20
    ur_weight: float = 1.0
    batch_norm: str = "bn"
    batch_size: int = 64
    learning_rate: float = 0.01
    l2: float = 0.001
    max_epochs: int = 200
    early_stopping: bool = False
    validation_fraction: float = 0.2
    patience: int = 40
    firing: str = "softmax"
    ur_target: str | float = "1/C"
    init: str = "kmeans"
    optimizer: str = "adabound"
    class_weight: str | dict | None = None
    random_state: int | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        """Validate every field and settle its type (numpy numbers become Python's)."""
        for name in _INTEGERS:
            self._settle(name, _whole(name, getattr(self, name)))
        for name in _NUMBERS:
            self._settle(name, _number(name, getattr(self, name)))
        for name in _CHOICES:
            _choice(name, getattr(self, name))
        if not self.validation_fraction < 1:
            raise SettingError(f"validation_fraction is {self.validation_fraction}; it must be below 1.")
        if not isinstance(self.early_stopping, bool):
            raise SettingError(f"early_stopping is {self.early_stopping!r}; it must be True or False.")
        if self.ur_target not in SETTINGS["ur_target"].options:
            self._settle("ur_target", _number("ur_target", self.ur_target))
        if self.random_state is not None:
            self._settle("random_state", _whole("random_state", self.random_state))
        _class_weight(self.class_weight)
        if isinstance(self.class_weight, dict):  # labels out of an array are NumPy's, which JSON does not know
            plain = {getattr(label, "item", lambda label=label: label)(): w for label, w in self.class_weight.items()}
            self._settle("class_weight", plain)

    def _settle(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def tau(self, n_classes: int) -> float:
        """The UR target τ as a number, for ``n_classes`` classes."""
        return {"1/C": 1 / n_classes, "1/R": 1 / self.n_rules}.get(self.ur_target, self.ur_target)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, one per field."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "TrainConfig":
        """The inverse of ``to_dict``; a missing field takes its default, an unknown one raises SettingError."""
        unknown = sorted(set(values) - set(SETTINGS))
        if unknown:
            raise SettingError(f"Unknown setting {unknown[0]!r}; the settings are {', '.join(SETTINGS)}.")
        return cls(**values)

    def to_url(self) -> dict[str, str]:
        """Every setting that a link carries, as ``{url key: text}``; weights given class by class stay out."""
        values = {s.key: getattr(self, name) for name, s in SETTINGS.items() if s.key}
        unsaid = {"seed"} if self.random_state is None else set()
        unsaid |= {"cw"} if isinstance(self.class_weight, dict) else set()
        return {key: _to_text(value) for key, value in values.items() if key not in unsaid}

    @classmethod
    def from_url(cls, values: dict[str, str]) -> "TrainConfig":
        """Read what ``to_url`` wrote; keys that are not settings are left alone, bad values raise SettingError."""
        names = {s.key: name for name, s in SETTINGS.items() if s.key}
        return cls(**{names[key]: _from_text(names[key], text) for key, text in values.items() if key in names})


def default_of(name: str) -> Any:
    """The default of one setting."""
    (default,) = (f.default for f in fields(TrainConfig) if f.name == name and f.default is not MISSING)
    return default


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise SettingError(f"{name} is {value!r}; it must be a whole number.")
    return int(_in_range(name, value.__index__()))


def _number(name: str, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise SettingError(f"{name} is {str(value)[:40]!r}; it must be a finite number.")
    return _in_range(name, number)


def _in_range(name: str, value: float) -> float:
    setting = SETTINGS[name]
    if value < setting.low or (setting.above and value == setting.low):
        raise SettingError(f"{name} is {value}; it must be {'above' if setting.above else 'at least'} {setting.low:g}.")
    return value


def _choice(name: str, value: Any) -> None:
    options = SETTINGS[name].options
    if value not in options:
        raise SettingError(f"{name} is {value!r}; it must be one of {', '.join(options)}.")


def _class_weight(value: Any) -> None:
    if value is None or value == "balanced":
        return
    weights = value.values() if isinstance(value, dict) else [None]
    if not all(isinstance(w, int | float) and not isinstance(w, bool) and 0 < w < math.inf for w in weights):
        raise SettingError(f"class_weight is {value!r}; it must be None, 'balanced', or a weight above 0 for each class.")


def _to_text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def _from_text(name: str, text: str) -> Any:
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
