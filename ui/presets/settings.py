"""The presets as settings. How each was chosen: docs/decisions/0012-presets.md and 0055; over thirty seeds: docs/claims.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tsk_core.config import TrainConfig
from ui.charts import SAMPLES
from ui.presets.words import WORDS, Words


@dataclass(frozen=True)
class Preset:
    """One run that shows one effect.

    name: its key in ``WORDS``, where it brings no ``words`` of its own. versus: the name of the preset to compare it with, on
    the same data; "" for none. data: a dataset of the gallery that needs no internet; its target is ``class``. tab: the one to
    watch.
    goal: the cross-entropy that its text speaks of; the chart of the loss marks it, and says when it is reached.
    beside: whether the tab Samples shows the planes of both runs side by side, with the firing bars beneath.
    """

    name: str
    versus: str
    data: str
    config: TrainConfig
    tab: str
    test_size: float = 0.3
    target: str = "class"
    goal: float | None = None
    beside: bool = False
    words: Words | None = None

    @property
    def _words(self) -> Words:
        return self.words or WORDS[self.name]

    @property
    def title(self) -> str:
        """Its effect; a counterpart may have the same title."""
        return self._words.title

    @property
    def label(self) -> str:
        """What distinguishes it from a counterpart with the same title, such as "with BN"; else the title."""
        return self._words.step or self.title

    @property
    def watch(self) -> str:
        """One sentence: what to look at."""
        return self._words.watch

    @property
    def why(self) -> str:
        """The answer to "Why did this happen?"; "" where there is none."""
        return self._words.why


# The paper's softmax, AdaBound, k-means, η and B, whatever the starting points become: their numbers were measured with these.
_BASE = {
    "n_rules": 20, "max_epochs": 60, "batch_size": 64, "learning_rate": 0.01, "ur_weight": 1.0, "l2": 0.001, "shrinkage": 0.0,
    "firing": "softmax", "batch_norm": "bn", "random_state": 0,
}  # fmt: skip
_QUARTERS = {"l2": 0.05, "batch_norm": "none", "max_epochs": 100}  # the paper's R and α too: its MBGD, and MBGD-UR
_IMAGES = {"n_rules": 5, "ur_weight": 0.0, "learning_rate": 0.001, "max_epochs": 20, "random_state": 1}
_ALL = 630  # the training rows of the spirals: 70% of 900


def _config(**changes: Any) -> TrainConfig:
    return TrainConfig(**{**_BASE, **changes})


PRESETS: tuple[Preset, ...] = (
    Preset("rich", "ur", "rich_get_richer", _config(ur_weight=0.0, **_QUARTERS), "Firing"),
    Preset("ur", "rich", "rich_get_richer", _config(ur_weight=10.0, **_QUARTERS), "Firing"),
    Preset("why_off", "why_on", "rich_get_richer", _config(ur_weight=0.0, n_rules=10, **_QUARTERS), SAMPLES, beside=True),
    Preset("why_on", "why_off", "rich_get_richer", _config(ur_weight=10.0, n_rules=10, **_QUARTERS), SAMPLES, beside=True),
    Preset("bn_off", "bn_on", "spirals", _config(batch_norm="none", n_rules=30), "Training", goal=0.1),
    Preset("bn_on", "bn_off", "spirals", _config(batch_norm="bn", n_rules=30), "Training", goal=0.1),
    Preset("paper", "softmax", "digits", _config(firing="paper", **_IMAGES), "Firing"),
    Preset("softmax", "paper", "digits", _config(firing="softmax", **_IMAGES), "Firing"),
    Preset("batch_all", "batch_64", "spirals", _config(batch_size=_ALL), "Training"),
    Preset("batch_64", "batch_all", "spirals", _config(batch_size=64), "Training"),
    Preset("sharp", "sharp_ur", "xor", _config(ur_weight=0.0, sharpness=0.3, n_rules=10), "Firing"),
    Preset("sharp_ur", "spread", "xor", _config(ur_weight=10.0, sharpness=0.3, n_rules=10), "Entropy"),
    Preset("spread", "sharp_ur", "xor", _config(ur_weight=10.0, sharpness=0.0, n_rules=10), "Entropy"),
)


def current(config: TrainConfig | None, test_size: float, data_name: str, presets: Sequence[Preset] = PRESETS) -> Preset | None:
    """The first preset with these settings and data; None if there is none."""
    for preset in presets:
        if (preset.data, preset.config) == (data_name, config) and abs(preset.test_size - test_size) < 1e-9:
            return preset
    return None


def following(preset: Preset | None, presets: Sequence[Preset] = PRESETS) -> Preset:
    """The next one; the first after the last, and after one that is none of them. The counterpart of a preset is next to it."""
    return presets[(presets.index(preset) + 1) % len(presets) if preset in presets else 0]


def preceding(preset: Preset | None, presets: Sequence[Preset] = PRESETS) -> Preset:
    """The previous one; the last before the first, and before one that is none of them."""
    return presets[presets.index(preset) - 1 if preset in presets else -1]


def partners(preset: Preset) -> list[Preset]:
    """The presets to compare this one with: its counterpart, and those of which it is the counterpart."""
    other = counterpart(preset)
    return [one for one in PRESETS if one == other or one.versus == preset.name] if other else []


def counterpart(preset: Preset) -> Preset | None:
    """The preset to compare this one with; None for a step of a playlist."""
    return next((other for other in PRESETS if other.name == preset.versus), None)
