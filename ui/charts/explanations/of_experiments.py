"""The charts of Compare and Sweep, and the search for good settings: means over seeds or folds, and how far these spread."""

from ui.charts.explanations.explanation import Explanation
from ui.charts.explanations.of_run import BCA, RCA

MEAN = r"\bar{v} = \frac{1}{J} \sum_{j=1}^{J} v_j"
SD = r"s = \sqrt{\frac{1}{J-1} \sum_{j=1}^{J} (v_j - \bar{v})^2}"
_INTERVAL = r"\bar{v} \pm t_{J-1}\, s\, \sqrt{\frac{1}{J} + \rho}"
_LETTERS = (
    "v_j: the value of training j; J: trainings of a variant; band: v̄ ± s, or the 95% interval in the last line, with ρ: test"
    " rows per training row where splits overlap, else 0."
)
_LINES = "A thin line for each seed, a thick one for their mean, and a band around it."
_BY_SEED = (MEAN, SD, _INTERVAL)
_MORE_SEEDS = "Raise “Seeds”: the interval of the mean narrows, the spread of the seeds does not."

EXPLANATIONS = (
    Explanation(
        "compareBca", "Balanced accuracy (BCA) of the variants",
        f"Test BCA by epoch, the mean of the classes' recalls. {_LINES} Where two bands overlap, look at the verdict, which"
        " compares the variants seed by seed.",
        (BCA, MEAN, _INTERVAL), f"n_cc/N_c: recall of class c. {_LETTERS}", _MORE_SEEDS,
    ),
    Explanation(
        "compareRca", "Accuracy (RCA) of the variants",
        f"Test RCA by epoch, the share of test rows classified correctly. {_LINES}",
        (RCA, MEAN, _INTERVAL), f"n_cc: rows of class c predicted as c; N: test rows. {_LETTERS}", _MORE_SEEDS,
    ),
    Explanation(
        "compareLoss", "Training loss of the variants",
        "The cross-entropy of the training rows by epoch, without penalties, so that variants with other penalties can be"
        f" compared. {_LINES}",
        (r"\mathrm{CE} = -\frac{1}{N} \sum_{n=1}^{N} \log p^{y_n}(x_n)", MEAN, SD),
        f"p^y(x): probability of the true class; of separate trainings, the mean of theirs. {_LETTERS}",
        "Choose the first epochs with “Epochs” to see which variant is faster.",
    ),
    Explanation(
        "compareConsequents", "Gradient of the consequents",
        "How strongly the loss pushes the conclusions of the rules to change: the sum of absolute gradients, averaged over the"
        f" steps of an epoch. {_LINES}",
        (r"g_{\mathrm{cons}} = \sum_{r,d,c} \left|\frac{\partial L}{\partial b_{rdc}}\right|", MEAN, SD),
        f"b: slopes and constants of the conclusions. {_LETTERS}",
        "Choose a variant with BN and one without in “Variants”: BN normalises the features that enter these gradients.",
    ),
    Explanation(
        "compareAntecedents", "Gradient of the antecedents",
        "How strongly the loss pushes the conditions of the rules to change: the sum of absolute gradients, averaged over the"
        f" steps of an epoch. {_LINES}",
        (
            r"g_{\mathrm{ante}} = \sum_{r,d} \left|\frac{\partial L}{\partial m_{rd}}\right|"
            r" + \left|\frac{\partial L}{\partial \sigma_{rd}}\right|", MEAN, SD,
        ),
        f"m, σ: centres and widths of the conditions. {_LETTERS}",
        "Choose a variant with UR and one without in “Variants”, and compare their lines.",
    ),
    Explanation(
        "compareFiring", "Average firing levels of the variants",
        "The average firing levels of each training in descending order, and the mean of each rank over the seeds. Rules of"
        " different seeds are not the same rules, so ranks are compared.",
        (r"\bar{f}_{(k)} = \frac{1}{J} \sum_{j=1}^{J} \bar{f}_{(k)}^{\,j}", r"\sum_{k=1}^{R} \bar{f}_{(k)} = 1"),
        "f̄_(k): average firing level of the rule with rank k; J: trainings; R: rules; 1/R: an equal share.",
        "Move the “Selected epoch” to the left to see when the variants begin to differ.",
    ),
    Explanation(
        "compareEntropy", "Entropy of the firing levels of the variants",
        "Share of training rows by the entropy of their firing levels over its largest value, the mean over the seeds: 0 where"
        " one rule fires, 1 where all fire equally.",
        (r"\frac{E(x)}{\log R} = -\frac{1}{\log R} \sum_{r=1}^{R} \bar{f}_r(x) \log \bar{f}_r(x)",),
        "f̄_r(x): firing level of rule r for row x; R: number of rules.",
        "Move the “Selected epoch” to the left to see where the rows began.",
    ),
    Explanation(
        "compareConfusion", "Confusion matrices of the variants",
        "How many test rows of each true class were predicted as each class, summed over the seeds, so that each number counts"
        " rows of all of them.",
        (r"n_{ck} = \sum_{j=1}^{J} n_{ck}^{\,j}", RCA),
        "n_ck: test rows of class c predicted as k; N: their sum; J: trainings.",
        "Move the “Selected epoch” to see which classes are learnt first.",
    ),
    Explanation(
        "comparePlane", "Plane of the variants",
        "What the first seed of each variant predicts at each place of the plane of both features, with the centres of its"
        " rules.",
        (r"\hat{y}(x) = \operatorname{argmax}_c \sum_{r=1}^{R} \bar{f}_r(x)\, y_r^c(x)",),
        "f̄_r(x): firing level of rule r; y_r^c(x): its score of class c.",
        "Move the “Selected epoch” to watch the borders form.",
    ),
    Explanation(
        "sweep", "Sweep",
        "One number for each cell, a combination of settings: the mean over its seeds. The star is the highest; a ring or a"
        " dashed frame marks cells that these seeds do not separate from it.",
        _BY_SEED, _LETTERS,
        _MORE_SEEDS,
    ),
    Explanation(
        "search", "Tuning",
        "The score of each combination of settings on rows that it was not trained on: the mean over the folds. The highest of"
        " many is partly luck, so the test rows are kept out of tuning.",
        (r"\bar{v} = \frac{1}{K} \sum_{k=1}^{K} v_k", r"\mathrm{SE} = \frac{s}{\sqrt{K}}"),
        "v_k: score on fold k, BCA unless another one is chosen; K: folds that the settings were validated on; s: standard"
        " deviation of the v_k.",
        "Press “Use these settings”, train, and compare the test score with the mean over the folds.",
    ),
)  # fmt: skip
