"""The texts of each preset: its button, what to watch, and why it happens. Plain text, no markup."""

from dataclasses import dataclass


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
