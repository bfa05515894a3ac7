"""The presets as settings. How each was chosen, and its results over ten seeds: docs/decisions/0012-presets.md."""

from dataclasses import dataclass

from tsk_core.config import TrainConfig
from ui.presets.words import WORDS

__all__ = ["PRESETS", "Preset", "counterpart", "current", "following", "preceding"]


@dataclass(frozen=True)
class Preset:
    """One run that shows one effect.

    name: its key in ``WORDS``. versus: the name of the preset to compare it with, on the same data.
    data: a dataset of the gallery that needs no internet; its target is ``class``. tab: the one to watch.
    goal: the cross-entropy that its text speaks of; the chart of the loss marks it, and says when it is reached.
    """

    name: str
    versus: str
    data: str
    config: TrainConfig
    tab: str
    test_size: float = 0.3
    target: str = "class"
    goal: float | None = None

    @property
    def title(self) -> str:
        """Its effect; a counterpart may have the same title."""
        return WORDS[self.name].title

    @property
    def label(self) -> str:
        """What distinguishes it from a counterpart with the same title, such as "with BN"; else the title."""
        return WORDS[self.name].step or self.title

    @property
    def watch(self) -> str:
        """One sentence: what to look at."""
        return WORDS[self.name].watch

    @property
    def why(self) -> str:
        """The answer to "Why did this happen?"."""
        return WORDS[self.name].why


_VILLAGES = {"n_rules": 10, "max_epochs": 150, "random_state": 0}
_ARMS = {"n_rules": 30, "max_epochs": 60, "random_state": 0}
_IMAGES = {"n_rules": 5, "ur_weight": 0.0, "learning_rate": 0.001, "max_epochs": 20, "random_state": 1}
_ALL = 630  # the training rows of the spirals: 70% of 900

PRESETS: tuple[Preset, ...] = (
    Preset("rich", "ur", "rich_get_richer", TrainConfig.paper(ur_weight=0.0, **_VILLAGES), "Firing"),
    Preset("ur", "rich", "rich_get_richer", TrainConfig.paper(ur_weight=10.0, **_VILLAGES), "Firing"),
    Preset("bn_off", "bn_on", "spirals", TrainConfig.paper(batch_norm="none", **_ARMS), "Training", goal=0.1),
    Preset("bn_on", "bn_off", "spirals", TrainConfig.paper(batch_norm="bn", **_ARMS), "Training", goal=0.1),
    Preset("paper", "softmax", "digits", TrainConfig.paper(firing="paper", **_IMAGES), "Firing"),
    Preset("softmax", "paper", "digits", TrainConfig.paper(firing="softmax", **_IMAGES), "Firing"),
    Preset("batch_all", "batch_64", "spirals", TrainConfig.paper(batch_size=_ALL, max_epochs=60, random_state=0), "Training"),
    Preset("batch_64", "batch_all", "spirals", TrainConfig.paper(batch_size=64, max_epochs=60, random_state=0), "Training"),
)


def current(config: TrainConfig | None, test_size: float, data_name: str) -> Preset | None:
    """The preset with these settings and data; None if there is none."""
    for preset in PRESETS:
        if (preset.data, preset.config) == (data_name, config) and abs(preset.test_size - test_size) < 1e-9:
            return preset
    return None


def following(preset: Preset | None) -> Preset:
    """The next preset; the first one after the last, and after None. The counterpart of a preset is next to it."""
    return PRESETS[0 if preset is None else (PRESETS.index(preset) + 1) % len(PRESETS)]


def preceding(preset: Preset | None) -> Preset:
    """The previous preset; the last one before the first, and before None."""
    return PRESETS[-1 if preset is None else PRESETS.index(preset) - 1]


def counterpart(preset: Preset) -> Preset:
    """The preset to compare this one with."""
    return next(other for other in PRESETS if other.name == preset.versus)
