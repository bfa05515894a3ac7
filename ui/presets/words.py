"""What the page says of each preset: its button, what to watch, and why it happens. Plain text, no markup."""

from dataclasses import dataclass

__all__ = ["WORDS", "Words"]


@dataclass(frozen=True)
class Words:
    """The words of one preset.

    title: its button; presets of one point share it. step: tells those apart, "" where the title is one preset's own.
    watch: one sentence, which begins with the tab to look at. why: the answer to "Why did this happen?".
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
        "Firing: the crossed rules hardly ever fire, while the two busiest carry more than half of all firing.",
        "A rule learns only from rows that it fires for: its gradient is multiplied by its own firing level f̄. Here k-means"
        " starts some rules in far villages, where hardly a row makes them fire, so they stay poor. The few rules in the "
        "town win its rows early, learn from them, and win more. Nothing in the cross-entropy asks that every rule should "
        "work.",
    ),
    "ur": Words(
        "UR heals it",
        "",
        "Firing: no rule is crossed any more and all bars stand near the line 1/R; test RCA is higher, too, than with λ = 0.",
        "UR adds λ Σ (average f̄ − τ)² to the loss, summed over the rules. As the firing levels of a row add up to 1, this "
        "is smallest when every rule fires 1/R on average, whatever τ is: busy rules are pushed down, idle ones up. More "
        "rules then share the town, which a few cannot colour. More is not better: λ = 50 evens the rules out at any price, "
        "and accuracy falls again.",
    ),
    "bn_off": Words(
        _BN,
        "without BN",
        "Training: note the epoch at which the cross-entropy falls below 0.1, then switch BN on.",
        "Each weight of each rule has to grow on its own, in steps of about the learning rate, and the L2 penalty holds it "
        "back. No single number makes a feature count for more in all rules at once.",
    ),
    "bn_on": Words(
        _BN,
        "with BN",
        "Training: the cross-entropy falls below 0.1 about a third sooner than without BN (dashed), and stays below it.",
        "BN multiplies each feature on its way into the consequents by a scale γ that is learned. One γ serves all rules and"
        " bears no L2 penalty; here it grows to about 3, so a step of any weight moves the output three times as far. The "
        "normalising itself changes little, as the inputs are normalised already: with γ held at 1 most of the gain is gone.",
    ),
    "paper": Words(
        _UNDERFLOW,
        "as the authors ran it",
        "Firing: every bar stays below the line 1/R, though their mean should lie on it: about half of the firing is lost.",
        "A rule's firing level is a product of 61 memberships, one a pixel. For many images it is, for every rule, smaller "
        "than the 1e-8 that this formula adds to the sum it divides by, so their levels f̄ add up to nearly 0 instead of 1. "
        "No rule answers for these images, and they hardly teach any. Training widens the rules and mends it, but slowly.",
    ),
    "softmax": Words(
        _UNDERFLOW,
        "with softmax",
        "Firing: the bars add up to 1 again, around the line 1/R, and test RCA is far above that of the other formula.",
        "The same rules, computed in logarithms: f̄ is the softmax of the log firing levels. Only differences between rules "
        "count there, so even levels near e⁻¹⁰⁰ give the right shares, and for every image they add up to 1. Every image is "
        "answered, and every image teaches.",
    ),
    "batch_all": Words(
        _BATCH,
        "all rows at once",
        "Training: with all 630 rows in one batch the loss creeps down; after 60 epochs many test rows are still wrong.",
        "An epoch is one pass over the rows, whatever the batch. One batch of 630 rows makes one step an epoch, 60 in all; "
        "batches of 64 make ten an epoch, 600 in all. A step on all rows is less noisy, but no longer: its length is set by "
        "the learning rate. With ten times the epochs this run would get there as well.",
    ),
    "batch_64": Words(
        _BATCH,
        "64 rows at a time",
        "Training: with 64 rows a batch the same 60 epochs bring the loss near 0, and nearly all test rows are right.",
        "The same 60 passes over the rows are now 600 steps instead of 60. Each follows a noisier gradient, but ten of them "
        "get much further than one. Too small a batch hurts as well: BN and UR take their averages from it. The paper finds "
        "64 to 256 a good choice on its Satellite data.",
    ),
}
