"""Variants: settings that an experiment compares, each a change of the same base; and the axes of a sweep.

Scope: their names in links and on the command line ("none,bn,ur-val,ur-bn-val,rules=30"), and what a person calls them.
"""

import csv
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from tsk_core.config import HOLD_OUTS, TrainConfig
from tsk_core.errors import SettingError
from tsk_core.numbers import EXACT_WHOLE, number_text
from tsk_core.setting_values import value_of_text
from tsk_core.settings import SETTINGS

if TYPE_CHECKING:
    from tsk_core.data import Dataset

# Which λ validation chose in the study of the paper, on each of its twelve datasets.
#
# ``study_choices.csv`` counts the splits of study/results/results.csv by the λ that was chosen; a test counts again.


FILE = Path(__file__).with_name("study_choices.csv")


class StudyChoice(NamedTuple):
    """The λ that was chosen in most of the study's splits, in ``splits`` of ``of``; of equally frequent ones the smallest."""

    ur_weight: float
    splits: int
    of: int


def study_choices(dataset: "Dataset | None") -> dict[str, StudyChoice]:
    """By the variant of batch normalisation; {} where the table, as it is used, is none of the study's."""
    from tsk_core.data.gallery import GALLERY

    if dataset is None or dataset.name not in all_study_choices():
        return {}
    entry = GALLERY[dataset.name]
    sizes = len(dataset.y), dataset.X.shape[1], len(dataset.classes)
    return all_study_choices()[dataset.name] if sizes == (entry.rows, entry.features, entry.classes) else {}


@cache
def all_study_choices() -> dict[str, dict[str, StudyChoice]]:
    """By dataset and by the variant of batch normalisation."""
    counts: dict[tuple[str, str], dict[float, int]] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            counts.setdefault((line["dataset"], line["batch_norm"]), {})[float(line["lambda"])] = int(line["splits"])
    choices: dict[str, dict[str, StudyChoice]] = {}
    for (dataset, batch_norm), of in counts.items():
        ur_weight = max(of, key=lambda value: (of[value], -value))
        choices.setdefault(dataset, {})[batch_norm] = StudyChoice(ur_weight, of[ur_weight], sum(of.values()))
    return choices


BASE = "base"
DEFAULT_VARIANTS = ("none", "bn", "ur", "ur-bn")
MOST_VARIANTS = 8
NAMED_VARIANTS = {  # name in links -> what the paper calls it, its batch normalisation, whether it has UR
    "none": ("MBGD", "none", False),
    "bn": ("BN", "bn", False),
    "gbn": ("GBN", "gbn", False),
    "rbn": ("RBN", "rbn", False),
    "ur": ("UR", "none", True),
    "ur-bn": ("UR-BN", "bn", True),
    "ur-gbn": ("UR-GBN", "gbn", True),
    "ur-rbn": ("UR-RBN", "rbn", True),
}
UR_WEIGHTS = (0.1, 1.0, 10.0, 20.0, 50.0)  # of which validation chooses λ, as in the paper
VALIDATED_VARIANTS = {f"{key}-val": key for key, (_, _, uniform) in NAMED_VARIANTS.items() if uniform}  # λ by validation
EXTRAS = {  # key -> (name, symbol, low, high) of what an experiment may change besides the settings of a training
    "sigma": ("Width of the initial antecedents", "σ₀", 0.1, 10.0),
    "rows": ("Share of training rows", "share", 0.01, 1.0),
}
_KEYS = {setting.key: name for name, setting in SETTINGS.items() if setting.key and setting.key != "seed"}
_FIXED = ("epochs", "es", "patience")  # the same for all variants, or their curves would not compare
_OF_RULE_BASE = ("rules", "sigma", "init", "trainings")  # what a rule base to start from decides


@dataclass(frozen=True)
class Variant:
    """One of the settings compared.

    key: as links write it. name: as a person says it. config: its settings, without a seed; it trains ``max_epochs`` epochs,
    without early stopping. width: of the initial antecedents, as a multiple of the usual σ. row_share: of the training rows
    that it trains on. ur_weights: the values of λ of which validation chooses one for each training; () where ``config`` has λ.
    note: a sentence about λ where it is not the one that is set.
    """

    key: str
    name: str
    config: TrainConfig
    width: float = 1.0
    row_share: float = 1.0
    ur_weights: tuple[float, ...] = ()
    note: str = ""

    @property
    def search_epochs(self) -> int:
        """Epochs of the hold-outs that choose λ for one training, at most."""
        return HOLD_OUTS * len(self.ur_weights) * self.config.max_epochs


def parse_variants(
    texts: Sequence[str], base: TrainConfig, chosen: Mapping[str, StudyChoice] | None = None
) -> tuple[Variant, ...]:
    """The variants of these names, such as "ur-bn", "base" or "rules=30". SettingError for a name or value that cannot be.

    base: the settings that they change. "ur" has its λ, or 1 where that is 0; "ur-val" has the λ that validation chooses.
    chosen: of ``study_choices``, the λ that validation chose in the study, by the variant of batch normalisation.
    Two names of the same settings are refused.
    """
    texts = [text.strip() for text in texts if text.strip()]
    if not 1 <= len(texts) <= MOST_VARIANTS:
        raise SettingError(f"A comparison has 1 to {MOST_VARIANTS} variants, got {len(texts)}.")
    variants = tuple(make_variant(text, base, chosen) for text in texts)
    for at, variant in enumerate(variants):
        for other in variants[:at]:
            if _trained(variant) == _trained(other):
                raise SettingError(f"The variants {other.key!r} and {variant.key!r} have the same settings; leave one out.")
    return variants


def make_variant(text: str, base: TrainConfig, chosen: Mapping[str, StudyChoice] | None = None) -> Variant:
    """The variant of one name. SettingError in one sentence for a name or a value that cannot be. chosen: as above."""
    base = comparable(base)
    if text == BASE:
        return Variant(BASE, "As set", base)
    if text in NAMED_VARIANTS:
        name, batch_norm, uniform = NAMED_VARIANTS[text]
        weight = (base.ur_weight or 1.0) if uniform else 0.0
        return Variant(text, name, replace(base, batch_norm=batch_norm, ur_weight=weight))
    if text in VALIDATED_VARIANTS:
        return _validated(text, base, chosen or {})
    key, _, value = text.partition("=")
    if not value or (key not in _KEYS and key not in EXTRAS) or key in _FIXED:
        known = ", ".join((BASE, *NAMED_VARIANTS, *VALIDATED_VARIANTS, *(f"{k}=…" for k in (*_KEYS, *EXTRAS) if k not in _FIXED)))
        raise SettingError(f"There is no variant {text[:40]!r}; the variants are {known}.")
    return changed_variant(Variant("", "", base), key, _read_value(key, value))


def _validated(text: str, base: TrainConfig, chosen: Mapping[str, StudyChoice]) -> Variant:
    """UR with the λ of the study's validation, where it is known, else of the experiment's own."""
    name, batch_norm, _ = NAMED_VARIANTS[VALIDATED_VARIANTS[text]]
    config = replace(base, batch_norm=batch_norm, ur_weight=0.0)
    if choice := chosen.get(batch_norm):
        name = f"{name} (λ {choice.ur_weight:g})"
        note = f"{name}: chosen by validation in {choice.splits} of {choice.of} splits of the study."
        return Variant(text, name, replace(config, ur_weight=choice.ur_weight), note=note)
    name, listed = f"{name} (λ by validation)", ", ".join(f"{value:g}" for value in UR_WEIGHTS)
    note = (
        f"{name}: of {listed}, the one with the best mean validation BCA on {HOLD_OUTS} hold-outs of each seed's training rows."
    )
    return Variant(text, name, config, ur_weights=UR_WEIGHTS, note=note)


def comparable(base: TrainConfig) -> TrainConfig:
    """The settings without what an experiment decides: it has its own seeds, and all its trainings take equally many epochs."""
    return replace(base, random_state=None, early_stopping=False)


def changed_variant(variant: Variant, key: str, value: Any) -> Variant:
    """``variant`` with one thing changed, which joins its key and its name. SettingError for a value that cannot be.

    key: of a setting in links, or of ``EXTRAS``. value: as the setting has it.
    """
    if key in _OF_RULE_BASE and variant.config.rule_base is not None:
        raise SettingError(f"{key} has no effect where training starts from a rule base; leave out one of the two.")
    if key in EXTRAS:
        _, symbol, low, high = EXTRAS[key]
        if not low <= value <= high:
            raise _outside(key, value)
        changes: dict[str, Any] = {"width" if key == "sigma" else "row_share": float(value)}
        text = number_text(value)
    else:
        setting = SETTINGS[_KEYS[key]]
        config = replace(variant.config, **{_KEYS[key]: value})
        changes, text, symbol = {"config": config}, config.to_url()[key], setting.symbol or setting.label
    keys, names = (variant.key, f"{key}={text}"), (variant.name, f"{symbol} {text}")
    return replace(variant, key=" ".join(filter(None, keys)), name=", ".join(filter(None, names)), **changes)


def _read_value(key: str, text: str) -> Any:
    """The value that a text stands for."""
    if key not in EXTRAS:
        return value_of_text(_KEYS[key], text)
    try:
        return float(text)
    except ValueError:
        raise _outside(key, text) from None


def _outside(key: str, value: object) -> SettingError:
    label, _, low, high = EXTRAS[key]
    return SettingError(f"{label} is {str(value)[:40]!r}; it must be a number from {low:g} to {high:g}.")


def _trained(variant: Variant) -> tuple[object, ...]:
    return repr(variant.config), variant.width, variant.row_share, variant.ur_weights


# The axes of a sweep, such as "batch=16,64,256", and all combinations of their values as variants.


MOST_AXES, MOST_CELLS = 4, 400


class _Known(NamedTuple):
    log: bool
    usual: tuple[float, ...]


AXES = {  # key in links -> whether its scale is logarithmic, and its usual values
    "batch": _Known(True, (16, 32, 64, 128, 256, 512, 1024, 2048)),
    "ur": _Known(True, (0, 0.1, 0.3, 1, 3, 10, 30, 100)),
    "rules": _Known(False, (2, 5, 10, 15, 20, 30)),
    "l2": _Known(True, (0, 0.0001, 0.001, 0.01, 0.05, 0.1)),
    "shrink": _Known(True, (0, 0.001, 0.003, 0.01, 0.03, 0.1, 1)),
    "lr": _Known(True, (0.001, 0.003, 0.01, 0.02, 0.05, 0.1)),
    "sharp": _Known(True, (0, 0.03, 0.1, 0.3, 1)),
    "cover": _Known(True, (0, 0.01, 0.03, 0.1, 0.3)),
    "conditions": _Known(False, (1, 2, 3, 4, 5)),
    "l1": _Known(True, (0, 0.001, 0.002, 0.005, 0.01)),
    "sigma": _Known(True, (0.25, 0.5, 1, 2, 4)),
    "rows": _Known(True, (0.05, 0.1, 0.2, 0.5, 1)),
}


class Axis(NamedTuple):
    """What a sweep varies. key: its name in links. values: rising; whole numbers as int. label, symbol: of the setting. log:
    whether its scale is logarithmic; a value of 0 then stands apart. full: of batch sizes, the number of training rows, from
    which on a batch has all of them; None where it is not known.
    """

    key: str
    values: tuple[int | float, ...]
    label: str
    symbol: str
    log: bool
    full: int | None = None

    def value_text(self, value: float) -> str:
        """As "64", or "≥ 124 (full batch)" where a batch has all of 124 training rows."""
        if self.full is not None and value >= self.full:
            return f"≥ {number_text(self.full)} (full batch)"
        return number_text(value)

    def joined(self, rows: int) -> "Axis":
        """For so many training rows: batch sizes from there on are one value, the smallest of them, since they train alike."""
        if self.key != "batch":
            return self
        full = [value for value in self.values if value >= rows]
        return self._replace(values=(*(value for value in self.values if value < rows), *full[:1]), full=rows)

    @property
    def text(self) -> str:
        """As ``parse_axis`` reads it, the same numbers to the last digit."""
        return f"{self.key}={','.join(map(number_text, self.values))}"


def parse_axis(text: str) -> Axis:
    """An axis such as "batch=16,64,256"; a name alone takes the usual values. SettingError in one sentence for anything else."""
    key, _, listed = text.strip().partition("=")
    try:
        values = [_read_number(part) for part in listed.split(",") if part.strip()]
    except ValueError:
        raise SettingError(f"The axis {text[:60]!r} needs numbers separated by commas, such as batch=16,64,256.") from None
    return make_axis(key, values)


def make_axis(key: str, values: Sequence[float] = ()) -> Axis:
    """The axis of this name and these numbers; of the usual ones where there are none. SettingError for what cannot be."""
    if key not in AXES:
        raise SettingError(f"There is no axis {key[:40]!r}; the axes are {', '.join(AXES)}.")
    rising = tuple(sorted({_plain(key, value) for value in (values if len(values) else AXES[key].usual)}))
    for value in rising:  # each is checked as a setting
        changed_variant(Variant("", "", TrainConfig()), key, value)
    if key in EXTRAS:
        label, symbol = EXTRAS[key][:2]
    else:
        label, symbol = next((s.label, s.symbol) for s in SETTINGS.values() if s.key == key)
    return Axis(key, rising, label, symbol, AXES[key].log)


def cells(axes: Sequence[Axis], base: TrainConfig, steps: "EqualSteps | None" = None) -> tuple[Variant, ...]:
    """All combinations of the axes' values, the last axis the fastest. SettingError for too many, or an axis named twice.

    steps: None for equally many epochs.
    """
    if not 1 <= len(axes) <= MOST_AXES:
        raise SettingError(f"A sweep has 1 to {MOST_AXES} axes, got {len(axes)}.")
    keys = [axis.key for axis in axes]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise SettingError(f"The axis {twice!r} is given twice; give all its values at once.")
    combinations = list(itertools.product(*(axis.values for axis in axes)))
    if len(combinations) > MOST_CELLS:
        raise SettingError(
            f"The axes have {len(combinations):,} combinations; at most {MOST_CELLS} are possible, so use fewer values."
        )
    variants = tuple(_cell(keys, values, base) for values in combinations)
    return variants if steps is None else tuple(map(steps.applied, variants))


class EqualSteps:
    """As many gradient steps for each cell as the settings that a sweep changes take: batch size and epochs of ``base``.

    A batch of B rows takes about N/B steps an epoch, so that with equally many epochs a large batch is also trained less. base:
    the settings. rows: N, training rows.
    """

    def __init__(self, base: TrainConfig, rows: int) -> None:
        self.base, self.rows = base, rows
        self.steps = base.max_epochs * base.steps_per_epoch(rows)

    def applied(self, variant: Variant) -> Variant:
        """The variant with the number of epochs that comes closest, at least 1. SettingError where that is too many."""
        config = variant.config
        epochs = max(1, round(self.steps / config.steps_per_epoch(round(self.rows * variant.row_share))))
        most = SETTINGS["max_epochs"].high
        if most is not None and epochs > most:
            raise SettingError(
                f"{self.steps:,} gradient steps at batch size {config.batch_size:,} take {epochs:,} epochs; at most {most:,} are"
                " possible. Set fewer epochs, or leave that batch size out."
            )
        chosen = max(1, round(config.selection_epoch * epochs / config.max_epochs)) if config.selection_epoch else 0
        return replace(variant, config=replace(config, max_epochs=epochs, selection_epoch=chosen))


def _cell(keys: Sequence[str], values: Sequence[float], base: TrainConfig) -> Variant:
    cell = Variant("", "", comparable(base))
    for key, value in zip(keys, values, strict=True):
        cell = changed_variant(cell, key, value)
    return cell


def _read_number(text: str) -> int | float:
    """A number as a person writes it; whole ones are exact, however many digits they have. Raises ValueError."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def _plain(key: str, value: object) -> int | float:
    """A whole number as int, any other as float: numpy's and 16.0 become what links and files write."""
    if isinstance(value, bool | str):
        raise SettingError(f"The axis {key!r} has the value {value!r}; it must be a number.")
    if isinstance(value, SupportsIndex):
        return value.__index__()
    try:
        number = float(value)  # type: ignore[arg-type]  # what has no float raises
    except (TypeError, ValueError):
        raise SettingError(f"The axis {key!r} has the value {str(value)[:40]!r}; it must be a number.") from None
    return int(number) if number.is_integer() and abs(number) < EXACT_WHOLE else number
