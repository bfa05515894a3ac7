"""The axes of a sweep, such as "batch=16,64,256", and all combinations of their values as variants."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, SupportsIndex

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments.variants import EXTRAS, Variant, changed_variant, comparable
from tsk_core.numbers import EXACT_WHOLE, number_text

__all__ = ["AXES", "MOST_AXES", "MOST_CELLS", "Axis", "EqualSteps", "cells", "make_axis", "parse_axis"]

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
        values = [_read(part) for part in listed.split(",") if part.strip()]
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


def _read(text: str) -> int | float:
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
