"""Variants: settings that an experiment compares, each a change of the same base.

Scope: their names in links and on the command line ("none,bn,ur,ur-bn,rules=30"), and what a person calls them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.errors import SettingError

__all__ = ["BASE", "DEFAULT_VARIANTS", "EXTRAS", "MOST_VARIANTS", "NAMED_VARIANTS", "Variant", "make_variant", "parse_variants"]

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
    base = replace(base, random_state=None, early_stopping=False)
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
    if key in EXTRAS:
        return _with_extra(key, value, base)
    changed = TrainConfig.from_url({**base.to_url(), key: value})
    name = _KEYS[key]
    label = SETTINGS[name].symbol or SETTINGS[name].label
    config = replace(base, **{name: getattr(changed, name)})
    return Variant(f"{key}={changed.to_url()[key]}", f"{label} {changed.to_url()[key]}", config)


def _with_extra(key: str, text: str, base: TrainConfig) -> Variant:
    label, symbol, low, high = EXTRAS[key]
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise SettingError(f"{label} is {text[:40]!r}; it must be a number from {low:g} to {high:g}.")
    extra = {"width": value} if key == "sigma" else {"row_share": value}
    return Variant(f"{key}={value:g}", f"{symbol} {value:g}", base, **extra)


def _trained(variant: Variant) -> tuple:
    return repr(variant.config), variant.width, variant.row_share
