"""What *Explain* says of each chart and number: what it shows, its formula, and what to try next.

The numbers of the run that enter a formula are not here: the browser computes them at the selected epoch from what it has
(``ui/client``: ``numbers.js`` of the charts and of the rules, elsewhere beside the figure), so that they add up with what is
drawn. The browser loads the texts as one file when the first of them is opened.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

from ui.platform.assets import STATIC, named, publish
from ui.text import in_markdown

# One explanation, and its formula as MathML, which browsers draw without a library of their own.


@dataclass(frozen=True)
class Explanation:
    """What *Explain* says of a chart or a number.

    name: of the chart, as the client knows it. title: in words. shows: what it shows, at most 50 words. formula: lines of LaTeX,
    as ``mathml`` takes them. letters: what the letters of the formula stand for. tries: a sentence that names a
    control in “quotes”.
    """

    name: str
    title: str
    shows: str
    formula: tuple[str, ...]
    letters: str
    tries: str

    @property
    def message(self) -> dict[str, Any]:
        """What the browser needs, JSON-ready."""
        formula = [mathml(line) for line in self.formula]
        return {"title": self.title, "shows": self.shows, "formula": formula, "letters": self.letters, "tries": self.tries}

    def markdown(self, numbers: Sequence[str] = ()) -> str:
        """All of it for a box that the server writes. numbers: sentences with the run's numbers, as Markdown."""
        formula = [f"$$\n{line}\n$$" for line in self.formula]
        own = ["**This run's numbers**", "\n".join(f"- {line}" for line in numbers)] if numbers else []
        return "\n\n".join([self.shows, *formula, in_markdown(self.letters), *own, f"**Try next** {self.tries}"])


@cache
def mathml(latex: str, display: str = "block") -> str:
    """A line of LaTeX as one <math> element, "block" or "inline". Raises ValueError for a command that is not known."""
    markup = convert(latex, display=display)
    if "\\" in markup:  # the converter keeps what it does not know
        raise ValueError(f"The formula {latex} has a command that MathML cannot be made of.")
    return markup


# The charts of a run: what training does, and how the test rows are classified.


RCA = r"\mathrm{RCA} = \frac{1}{N}\sum_{c=1}^{C} n_{cc}"
BCA = r"\mathrm{BCA} = \frac{1}{C}\sum_{c=1}^{C} \frac{n_{cc}}{N_c}"
COUNTS = (
    "n_cc: test rows of class c that were predicted as c; N_c: test rows of class c; N: all test rows; C: classes with test rows."
)
_EQUAL = "f̄_r: average firing level of rule r over the training rows; R: number of rules."

OF_RUN = (
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


# Charts of the tabs Samples and Rules: what the model says of a row, and the rules as pictures.


_SOFTMAX = r"p^c(x) = \frac{\exp y^c(x)}{\sum_{k=1}^{C} \exp y^k(x)}"
_OUTPUT = r"y^c(x) = \sum_{r=1}^{R} \bar{f}_r(x)\, y_r^c(x)"
_WEIGHTED = "With class weights w, p has y^c + a^c in place of y^c: a^c = log Σ_k w_k π_k − log w_c, π_k: share of class k."
_OUTPUT_LETTERS = (
    "f̄_r(x): firing level of rule r for row x; y_r^c(x): its score of class c; y^c: score, p^c: probability of class c."
    f" {_WEIGHTED}"
)
_MEMBERSHIP = r"\mu_{rd}(x_d) = \exp\left(-\frac{(x_d - m_{rd})^2}{2\sigma_{rd}^2}\right)"
_HALF = r"\mu_{rd} \geq \tfrac{1}{2} \;\Leftrightarrow\; |x_d - m_{rd}| \leq 1.177\,\sigma_{rd}"

OF_RULES = (
    Explanation(
        "plane", "Plane",
        "What the model predicts at each place of a plane through the data: the colour is the class with the highest score, paler"
        " where its probability is lower. Features that are not on the axes are held.",
        (_OUTPUT, _SOFTMAX),
        _OUTPUT_LETTERS,
        "Choose another feature with “Across” or “Up” and see where the classes come apart.",
    ),
    Explanation(
        "curves", "Response curves",
        "The probability of each class for this row as one feature varies, with everything else held fixed. It shows what the"
        " model does with the feature, not what would happen in the world.",
        (r"v \mapsto p^c(x_1, \dots, x_d = v, \dots, x_D)", _SOFTMAX),
        f"x: the row at hand; v: the value of feature d; y^c: score, p^c: probability of class c. {_WEIGHTED}",
        "Choose another feature with “Along”, or drag the dotted line to the place where the prediction changes.",
    ),
    Explanation(
        "reasons", "Reasons for a prediction",
        "How the rules make the scores of this row: each rule adds its score of a class, weighted with its firing level. The"
        " class with the highest sum is predicted.",
        (_OUTPUT, r"y_r^c(x) = b_{r0c} + \sum_{d=1}^{D} b_{rdc}\, x_d", _SOFTMAX),
        f"{_OUTPUT_LETTERS} b: constant and slopes of the rule, of which zero-order rules have the constant alone.",
        "Change a feature below “What if” and watch which rule fires instead.",
    ),
    Explanation(
        "rules", "Rules in words",
        "Each card counts the rows for which every printed condition holds, and how many of them have the rule's class, with a"
        " 95% interval (Wilson). The bar beside it shows how much the rule fires.",
        (
            r"\text{true of } x \;\Leftrightarrow\; x_d \text{ lies in the printed range for all printed } d",
            r"\hat{p} = \frac{k}{n}, \quad"
            r" \frac{\hat{p} + \frac{z^2}{2n} \pm z\sqrt{\frac{\hat{p}(1-\hat{p})}{n} + \frac{z^2}{4n^2}}}"
            r"{1 + \frac{z^2}{n}}",
        ),
        "n: rows that the sentence is true of; k: those with the rule's class; z = 1.96. Where rows come in groups, n is an"
        " effective number, which is smaller.",
        "Choose “numbers” in “Rules in” and recount a sentence in your table.",
    ),
    Explanation(
        "readable", "Rules as a grid",
        "The rules as they are read: a line is a rule, a column a feature, a curve a membership. The bar counts the test rows"
        " for which all printed conditions hold, and those of them with the rule's class.",
        (
            r"\text{rule } r \text{ is true of } x \;\Leftrightarrow\; \mu_{rd}(x_d) \geq \tfrac{1}{2} \text{ for all its } d",
            r"\text{literal precision} = \frac{\text{rows with its class}}{\text{rows it is true of}}",
        ),
        "μ_rd: membership of feature d in rule r.",
        "Sort with “Rows” by class and compare the rules that conclude the same.",
    ),
    Explanation(
        "strengths", "Rules × features",
        "Which conditions the rules have at this epoch. The narrower a membership, the more it restricts and the stronger its"
        " colour; a condition that was dropped has none.",
        (r"s_{rF} = \sqrt{\sum_{d \in F} \frac{1}{\sigma_{rd}^2}}", r"\mathrm{colour} = \frac{s_{rF}}{1 + s_{rF}}"),
        "σ_rd: width of the condition of rule r on column d, in standard deviations of the column; F: the columns of a feature,"
        " several where it has categories.",
        "Lower “Conditions of a rule k” and train again: fewer cells remain in each line.",
    ),
    Explanation(
        "pictureGrid", "Rules × features of a row",
        "How far each condition holds for the row at hand, and how much each rule then fires. A rule multiplies its memberships,"
        " so one membership near 0 is enough to bring its firing level near 0.",
        (_MEMBERSHIP, r"f_r(x) = \prod_{d=1}^{D} \mu_{rd}(x_d), \quad \bar{f}_r = \frac{f_r}{\sum_i f_i}"),
        "m, σ: centre and width of a condition; f_r: raw firing level, f̄_r: firing level. Under scaled and htsk, σ"
        " includes their factor: the fourth and the square root of D.",
        "Drag the line of a “feature” and watch which rules begin to fire.",
    ),
    Explanation(
        "pictureTerms", "All terms of one feature",
        "The membership functions of all rules over one feature, above the spread of the rows. Where two coincide, the"
        " two rules do not distinguish these values.",
        (_MEMBERSHIP, _HALF),
        "m_rd, σ_rd: centre and width of the condition of rule r on feature d.",
        "Choose another one with “Feature”: the first in the list are in the most sentences.",
    ),
    Explanation(
        "pictureNetwork", "Rules that fire for the same rows",
        "An edge joins two rules that fire for the same rows. With the same conclusion one of them may be redundant, with"
        " different ones they contradict each other there.",
        (r"\mathrm{co}_{rs} = \frac{\sum_n \min(\bar{f}_r(x_n), \bar{f}_s(x_n))}{\sum_n \max(\bar{f}_r(x_n), \bar{f}_s(x_n))}",),
        "f̄_r(x_n): firing level of rule r for row n of those at hand. 0: never for the same row; 1: always alike.",
        "Lower “Co-firing of at least” to see weaker edges.",
    ),
    Explanation(
        "pictureClasses", "Rule × class: confidence",
        "The share of a rule's firing on the training rows that falls on rows of each class. A rule whose row has one bright"
        " cell fires for one class.",
        (r"\mathrm{conf}_{rc} = \frac{\sum_n \bar{f}_r(x_n)\,[y_n = c]}{\sum_n \bar{f}_r(x_n)}",),
        "f̄_r(x_n): firing level of rule r for training row n; [y_n = c]: 1 where its class is c, else 0.",
        "Switch such a rule off with the eye icon on its card and see which predictions change.",
    ),
)  # fmt: skip


# The charts of Compare and Sweep, and the search for good settings: means over seeds or folds, and how far these spread.


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

OF_EXPERIMENTS = (
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


_PATTERN = "explanations-*.json"
EXPLANATIONS = {one.name: one for one in (*OF_RUN, *OF_RULES, *OF_EXPERIMENTS)}


@cache
def _content() -> bytes:
    return json.dumps({name: one.message for name, one in EXPLANATIONS.items()}, ensure_ascii=False).encode()


@cache
def explanations_file() -> str:
    """The file in ``static``; its name changes with the texts, so no browser shows old ones."""
    return named(_PATTERN, _content())


def provide_explanations(static: Path = STATIC) -> None:
    """Put the file into ``static``; see ``assets.publish``."""
    publish(_PATTERN, _content(), static)
