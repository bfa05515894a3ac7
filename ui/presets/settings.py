"""The presets: settings and texts. How each was chosen: docs/decisions/0021-presets-and-lessons.md; seeds: docs/claims.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tsk_core.config import TrainConfig
from ui.charts import SAMPLES

# The texts of each preset: its button, what to watch, and why it happens. Plain text, no markup.


@dataclass(frozen=True)
class Words:
    """The texts of one preset.

    title: its button, which counterparts may share. step: distinguishes these, "" if only one preset has the title.
    watch: one sentence, which begins with the name of a tab. why: the answer to "Why did this happen?".
    """

    title: str
    step: str
    watch: str
    why: str


_BN = "BN speeds up"
_UNDERFLOW = "Underflow in high dimension"
_BATCH = "Batch too large"
_SHARP = "One rule decides"
_WHY = "Why UR works"

WORDS: dict[str, Words] = {
    "rich": Words(
        "Rich get richer",
        "",
        "Firing: before training (–) 20 rules have 0.03 to 0.08; in the end four do most of it, and 8 to 15 never fire (✗).",
        "A rule's gradients are multiplied by its firing level f̄, so a rule that fires more learns more. Four rules are enough "
        "for the four quarters: rules that are ahead after a few epochs fire for more and more rows, and the others fade. Over "
        "30 seeds, 3.7 of the four most active rules already lead after 10 epochs. Firing levels before training, 0.03 to "
        "0.08, do not tell which rules these will be.",
    ),
    "ur": Words(
        "UR evens out the firing",
        "",
        "Firing: no rule is marked; over 30 seeds, rules have 0.03 to 0.07 (1/R is 0.05); test RCA is 0.005 above λ = 0.",
        "UR adds λ Σ (average f̄ − τ)² to the loss, summed over the rules. Since the firing levels of a row add up to 1, this "
        "term is smallest when every rule fires 1/R on average, whatever τ is. All 20 rules then share the quarters: test RCA, "
        "the mean of the last 30 epochs, is 0.988 in place of 0.983, higher in 30 of 30 seeds. More UR is not always better: "
        "with λ = 200 it is 0.975, lower than without UR in 30 of 30.",
    ),
    "why_off": Words(
        _WHY,
        "without UR",
        "Samples: a few of the ten rules share the firing and the others hardly fire; next, switch UR on.",
        "A rule's gradients are multiplied by its firing level, so a rule that hardly fires gets next to no gradient and stays "
        "where it is. Over 30 seeds, 2 to 6 of ten rules never fire in the end, and the largest share is 0.24 to 0.29, where 1/R "
        "is 0.1.",
    ),
    "why_on": Words(
        _WHY,
        "with UR",
        "Samples: replay both planes in step (space bar); with UR all ten rules keep firing, and the bars end near 1/R.",
        "UR pulls the average firing levels towards each other from the first step on. Its gradients are multiplied by the "
        "firing level too, so it can hardly move a rule that no longer fires; it acts before that. Over 30 seeds, all ten shares "
        "are 0.08 to 0.13 and every rule fires; a row has 3.2 effective rules, exp(E), in place of 1.3.",
    ),
    "bn_off": Words(
        _BN,
        "without BN",
        "Training: note the epoch at which the cross-entropy falls below 0.1, then switch BN on.",
        "Each weight of each rule has to grow on its own, in steps of about the learning rate, and the L2 penalty pulls it "
        "back. No single parameter can increase the weight of a feature in all rules at once.",
    ),
    "bn_on": Words(
        _BN,
        "with BN",
        "Training: the cross-entropy falls below 0.1 about a third sooner than without BN (dashed), and stays below it.",
        "BN multiplies each input feature of the consequents by a learned scale γ. All rules share this γ, and the L2 penalty "
        "does not apply to it. Here γ grows to about 3, so a step of any weight moves the output three times as far. The "
        "normalisation itself changes little, since the inputs are already normalised: with γ fixed at 1, most of the gain "
        "disappears (measured with four seeds).",
    ),
    "paper": Words(
        _UNDERFLOW,
        "with the authors' formula",
        "Firing: bars add up to about a half, not 1: for half of the images every rule underflows.",
        "A rule's firing level is a product of 61 memberships, one for each pixel. For many images it is smaller for every rule "
        "than the 1e-8 that the authors' program adds to the denominator; then f̄ is nearly 0 and the image hardly contributes "
        "to training. Few rules and a small η make this last. With the paper's R = 20, η = 0.01 and α = 0.05, Σf̄ rises to 0.95 "
        "in 60 epochs, and test RCA is that of softmax: 0.938 and 0.937.",
    ),
    "softmax": Words(
        _UNDERFLOW,
        "with softmax",
        "Firing: bars add up to 1, from 0.09 to 0.33 on average; test RCA is 0.17 above the authors' formula.",
        "The same rules, computed in logarithms: f̄ is the softmax of the log firing levels. Only the differences between rules "
        "matter, so even levels near e⁻¹⁰⁰ give correct firing levels, and for every image they add up to 1. Every image "
        "contributes to training. Over 30 seeds test RCA is 0.747 in place of 0.581, higher in 30 of 30.",
    ),
    "batch_all": Words(
        _BATCH,
        "all rows at once",
        "Training: with all 630 rows in one batch, the loss falls slowly, and many test rows stay misclassified.",
        "An epoch is one pass over the rows, whatever the batch size. With one batch of 630 rows, an epoch is one step: 60 "
        "steps in total. With batches of 64, an epoch is ten steps: 600 in total. A step on all rows is less noisy but not "
        "longer, since the learning rate determines its length. With ten times the epochs, this run would get there too.",
    ),
    "batch_64": Words(
        _BATCH,
        "64 rows at a time",
        "Training: with 64 rows per batch, the same 60 epochs bring the loss near 0 and nearly all test rows are correct.",
        "The same 60 passes over the rows are now 600 steps instead of 60. Each step follows a noisier gradient, but ten of "
        "them get much further than one. A batch can also be too small, since BN and UR take their averages from it. The paper "
        "finds 64 to 256 a good choice for its Satellite data.",
    ),
    "sharp": Words(
        _SHARP,
        "sharpness alone",
        "Firing: some rules die (✗), since a row that has a strongest rule strengthens this rule alone.",
        "Sharpness adds ρ times the mean entropy of the firing levels to the loss, so that one rule fires for each row. The rule "
        "that is ahead at a row gets the row, and rules that are ahead nowhere die. Over 30 seeds, 5.0 of ten rules win at least "
        "5% of the training rows; with UR as well, 10.0 do. Test RCA is similar, 0.944 and 0.939: few rules suffice here.",
    ),
    "sharp_ur": Words(
        _SHARP,
        "sharpness and UR",
        "Entropy: for most rows only one rule fires, while in Firing every rule has nearly its equal share.",
        "UR asks for equal shares on average over rows, sharpness for one rule at each row. Both are possible: each rule gets a "
        "region of its own. Over 30 seeds, 10.0 of ten rules win at least 5% of the training rows, and a row has 1.2 effective "
        "rules, exp(E). Without either, 6.6 rules win as many rows and a row has 1.7 effective rules.",
    ),
    "spread": Words(
        _SHARP,
        "UR alone",
        "Entropy: several rules fire for every row, about four, although all shares are equal on average.",
        "UR constrains only averages over rows, so that all rules may fire a little for every row. Over 30 seeds, a row has 4.3 "
        "effective rules, exp(E); with sharpness as well, 1.2. To say why a row gets its class, one has to add up several rules. "
        "Test RCA is similar, 0.951 and 0.939 with sharpness.",
    ),
}


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
