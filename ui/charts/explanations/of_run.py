"""The charts of a run: what training does, and how the test rows are classified."""

from ui.charts.explanations.explanation import Explanation

RCA = r"\mathrm{RCA} = \frac{1}{N}\sum_{c=1}^{C} n_{cc}"
BCA = r"\mathrm{BCA} = \frac{1}{C}\sum_{c=1}^{C} \frac{n_{cc}}{N_c}"
COUNTS = (
    "n_cc: test rows of class c that were predicted as c; N_c: test rows of class c; N: all test rows; C: classes with test rows."
)
_EQUAL = "f̄_r: average firing level of rule r over the training rows; R: number of rules."

EXPLANATIONS = (
    Explanation(
        "loss", "Training loss",
        "The parts of the loss that training lowers, each as the mean over the mini-batches of an epoch. Penalties are drawn with"
        " their weights. λ·UR is drawn above its minimum, which no training can change.",
        (
            r"L = \mathrm{CE} + \lambda\,\mathrm{UR} + \alpha \sum_{r,d,c} b_{rdc}^2 + \dots",
            r"\mathrm{UR} = \sum_{r=1}^{R} (\bar{f}_r - \tau)^2 \;\geq\; R\,(\tau - \tfrac{1}{R})^2",
        ),
        "CE: cross-entropy; f̄_r: average firing level of rule r in a mini-batch; τ: target of UR; b: slopes of the conclusions;"
        " …: the other penalties, where they have a weight.",
        "Set “Uniform regularisation λ” to 0, train again, and compare the cross-entropy of both runs.",
    ),
    Explanation(
        "accuracy", "Accuracy",
        "How many rows the model classifies correctly after each epoch: RCA counts rows, BCA counts each class alike, so a small"
        " class matters as much as a large one. Dotted lines are of the training rows.",
        (RCA, BCA),
        COUNTS,
        "Open the tab “Mistakes” to see which classes are confused.",
    ),
    Explanation(
        "gradients", "L1 norms of the gradients",
        "How strongly the loss pushes each part of the rules to change: the sum of the absolute gradients of all antecedents, and"
        " of all consequents, averaged over the steps of an epoch.",
        (
            r"g_{\mathrm{ante}} = \sum_{r,d} \left|\frac{\partial L}{\partial m_{rd}}\right|"
            r" + \left|\frac{\partial L}{\partial \sigma_{rd}}\right|",
            r"g_{\mathrm{cons}} = \sum_{r,d,c} \left|\frac{\partial L}{\partial b_{rdc}}\right|"
            r" + \sum_{r,c} \left|\frac{\partial L}{\partial b_{r0c}}\right|",
        ),
        "m, σ: centres and widths of the conditions; b: slopes, b₀: constants of the conclusions.",
        "Switch “Batch normalisation BN” on or off, train again, and compare the line of the consequents.",
    ),
    Explanation(
        "firing", "Average firing level of each rule",
        "How much of the firing each rule has, on average over the training rows. Firing levels of a row add up to 1, so with R"
        " rules an equal share is 1/R.",
        (
            r"\bar{f}_r = \frac{1}{N} \sum_{n=1}^{N} \bar{f}_r(x_n)",
            r"\bar{f}_r(x) = \frac{f_r(x)}{\sum_{i=1}^{R} f_i(x)}",
        ),
        "f_r(x): raw firing level of rule r for row x, the product of its memberships; N: training rows; R: number of rules.",
        "Raise “Uniform regularisation λ” and train again: it pulls each bar towards 1/R.",
    ),
    Explanation(
        "heat", "Firing level of each rule by epoch",
        "The same average firing levels for every epoch. The colour shows the level relative to an equal share on a log₂ scale,"
        " from a quarter to 4 times an equal share.",
        (r"\mathrm{colour} = \log_2 \frac{\bar{f}_r}{1/R}",),
        _EQUAL,
        "Press “Replay training” above and watch which rules gain and which lose.",
    ),
    Explanation(
        "shares", "Largest firing level",
        "The average firing level of the rule that fires most, by epoch: near 1/R all rules share the firing, near 1 a single"
        " rule has taken over.",
        (r"\max_r \bar{f}_r \;\geq\; \frac{1}{R}",),
        _EQUAL,
        "Press “Replay training” and watch when the line leaves 1/R.",
    ),
    Explanation(
        "entropy", "Entropy of the firing levels",
        "For each training row, how many rules share its firing: 0 where one rule has all of it, log R where all rules have an"
        " equal share. The bars count rows; exp E is a number of rules.",
        (
            r"E(x) = -\sum_{r=1}^{R} \bar{f}_r(x) \log \bar{f}_r(x)",
            r"0 \leq E(x) \leq \log R",
        ),
        "f̄_r(x): firing level of rule r for row x; R: number of rules; log: natural logarithm, so E is in nats.",
        "Set “Firing levels f̄” to htsk, train again, and compare where the rows lie.",
    ),
    Explanation(
        "confusion", "Confusion matrix",
        "How many test rows of each true class were predicted as each class. Correct ones are on the diagonal. A row adds up"
        " to the test rows of its class, and its recall is the share on the diagonal.",
        (r"\mathrm{recall}_c = \frac{n_{cc}}{N_c}", RCA, BCA),
        COUNTS,
        "Set “Class weights” to balanced, train again, and compare the recall of the smallest class.",
    ),
    Explanation(
        "reliability", "Reliability diagram",
        "Whether the predicted probabilities are reliable: test rows in ten bins by the probability of their predicted class,"
        " and the share of each bin that is classified correctly. On the diagonal both are the same.",
        (r"\mathrm{ECE} = \sum_{k=1}^{10} \frac{n_k}{N}\,|\mathrm{acc}_k - \mathrm{conf}_k|",),
        "n_k: test rows in bin k; N: all test rows; acc_k: share of them classified correctly; conf_k: mean probability of their"
        " predicted class.",
        "Raise “L2 penalty α”, train again, and compare how far the dots lie from the diagonal.",
    ),
)  # fmt: skip
