"""The texts of each preset: its button, what to watch, and why it happens. Plain text, no markup."""

from dataclasses import dataclass

__all__ = ["WORDS", "Words"]


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

WORDS: dict[str, Words] = {
    "rich": Words(
        "Rich get richer",
        "",
        "Firing: several rules hardly fire (○), while the busiest rule has far more than its share.",
        "A rule learns only from rows for which it fires: its gradient is multiplied by its firing level f̄. Here k-means places"
        " some rules in distant villages of 1% of the rows each. They fire for these rows alone and learn from these alone. The"
        " few rules in the town fire for most rows early, learn from them, and then fire for even more. Nothing in the"
        " cross-entropy asks that every rule fires.",
    ),
    "ur": Words(
        "UR heals it",
        "",
        "Firing: no rule is marked ○ any more, and all bars are near the line 1/R; test RCA is also higher.",
        "UR adds λ Σ (average f̄ − τ)² to the loss, summed over the rules. Since the firing levels of a row add up to 1, this "
        "term is smallest when every rule fires 1/R on average, whatever τ is: it lowers the firing of busy rules and raises "
        "that of idle ones. More rules then share the town, which a few rules cannot classify. More UR is not always better: "
        "with λ = 50 the rules fire evenly, but accuracy falls again.",
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
        "disappears.",
    ),
    "paper": Words(
        _UNDERFLOW,
        "as the authors ran it",
        "Firing: the bars add up to about a half, although they should add up to 1: the rest of the firing is lost.",
        "A rule's firing level is a product of 61 memberships, one for each pixel. For many images, this product is smaller for "
        "every rule than the 1e-8 that this formula adds to the denominator. The levels f̄ of such an image then add up to "
        "nearly 0 instead of 1, no rule responds to it, and the rules learn hardly anything from it. Training widens the "
        "rules, which slowly reduces the problem.",
    ),
    "softmax": Words(
        _UNDERFLOW,
        "with softmax",
        "Firing: the bars add up to 1 again and are near the line 1/R, and test RCA is far higher.",
        "The same rules, computed in logarithms: f̄ is the softmax of the log firing levels. Only the differences between "
        "rules matter, so even levels near e⁻¹⁰⁰ give correct firing levels, and for every image they add up to 1. The rules "
        "respond to every image and learn from every image.",
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
}
