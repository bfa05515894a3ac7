"""Variants: settings that an experiment compares, each a change of the same base.

Scope: their names in links and on the command line ("none,bn,ur-val,ur-bn-val,rules=30"), and what a person calls them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tsk_core.config import HOLD_OUTS, SETTINGS, TrainConfig, value_of_text
from tsk_core.errors import SettingError
from tsk_core.experiments.study_choices import StudyChoice
from tsk_core.numbers import number_text

__all__ = [
    "BASE",
    "DEFAULT_VARIANTS",
    "EXTRAS",
    "MOST_VARIANTS",
    "NAMED_VARIANTS",
    "UR_WEIGHTS",
    "VALIDATED_VARIANTS",
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
    return changed_variant(Variant("", "", base), key, _read(key, value))


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


def _read(key: str, text: str) -> Any:
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
