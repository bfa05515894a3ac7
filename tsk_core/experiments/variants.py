"""Variants: settings that an experiment compares, each a change of the same base.

Scope: their names in links and on the command line ("none,bn,ur,ur-bn,rules=30"), and what a person calls them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.errors import SettingError
from tsk_core.settings import number_text

__all__ = [
    "BASE",
    "DEFAULT_VARIANTS",
    "EXTRAS",
    "MOST_VARIANTS",
    "NAMED_VARIANTS",
    "Variant",
    "changed_variant",
    "comparable",
    "make_variant",
    "parse_variants",
]

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
EXTRAS = {  # key -> (name, symbol, low, high) of what an experiment may change besides the settings of a training
    "sigma": ("Width of the initial antecedents", "σ₀", 0.1, 10.0),
    "rows": ("Share of training rows", "share", 0.01, 1.0),
}
_KEYS = {setting.key: name for name, setting in SETTINGS.items() if setting.key and setting.key != "seed"}
_FIXED = ("epochs", "es", "patience")  # the same for all variants, or their curves would not compare


@dataclass(frozen=True)
class Variant:
    """One of the settings compared.

    key: as links write it. name: as a person says it. config: its settings, without a seed; it trains ``max_epochs`` epochs,
    without early stopping. width: of the initial antecedents, as a multiple of the usual σ. row_share: of the training rows
    that it trains on.
    """

    key: str
    name: str
    config: TrainConfig
    width: float = 1.0
    row_share: float = 1.0


def parse_variants(texts: Sequence[str], base: TrainConfig) -> tuple[Variant, ...]:
    """The variants of these names, such as "ur-bn", "base" or "rules=30". SettingError for a name or value that cannot be.

    base: the settings that they change. UR has its λ, or 1 where that is 0. Two names of the same settings are refused.
    """
    texts = [text.strip() for text in texts if text.strip()]
    if not 1 <= len(texts) <= MOST_VARIANTS:
        raise SettingError(f"A comparison has 1 to {MOST_VARIANTS} variants, got {len(texts)}.")
    found = tuple(make_variant(text, base) for text in texts)
    for at, variant in enumerate(found):
        for other in found[:at]:
            if _trained(variant) == _trained(other):
                raise SettingError(f"The variants {other.key!r} and {variant.key!r} have the same settings; leave one out.")
    return found


def make_variant(text: str, base: TrainConfig) -> Variant:
    """The variant of one name. SettingError in one sentence for a name or a value that cannot be."""
    base = comparable(base)
    if text == BASE:
        return Variant(BASE, "As set", base)
    if text in NAMED_VARIANTS:
        name, batch_norm, uniform = NAMED_VARIANTS[text]
        weight = (base.ur_weight or 1.0) if uniform else 0.0
        return Variant(text, name, replace(base, batch_norm=batch_norm, ur_weight=weight))
    key, _, value = text.partition("=")
    if not value or (key not in _KEYS and key not in EXTRAS) or key in _FIXED:
        known = ", ".join((BASE, *NAMED_VARIANTS, *(f"{k}=…" for k in (*_KEYS, *EXTRAS) if k not in _FIXED)))
        raise SettingError(f"There is no variant {text[:40]!r}; the variants are {known}.")
    return changed_variant(Variant("", "", base), key, _read(key, value))


def comparable(base: TrainConfig) -> TrainConfig:
    """The settings without what an experiment decides: it has its own seeds, and all its trainings take equally many epochs."""
    return replace(base, random_state=None, early_stopping=False)


def changed_variant(variant: Variant, key: str, value: Any) -> Variant:
    """``variant`` with one thing changed, which joins its key and its name. SettingError for a value that cannot be.

    key: of a setting in links, or of ``EXTRAS``. value: as the setting has it.
    """
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


def _read(key: str, text: str) -> Any:
    """The value that a text stands for."""
    if key not in EXTRAS:
        return getattr(TrainConfig.from_url({key: text}), _KEYS[key])
    try:
        return float(text)
    except ValueError:
        raise _outside(key, text) from None


def _outside(key: str, value: object) -> SettingError:
    label, _, low, high = EXTRAS[key]
    return SettingError(f"{label} is {str(value)[:40]!r}; it must be a number from {low:g} to {high:g}.")


def _trained(variant: Variant) -> tuple[str, float, float]:
    return repr(variant.config), variant.width, variant.row_share
