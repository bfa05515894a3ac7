"""Charts of the tabs Samples and Rules: what the model says of a row, and the rules as pictures."""

from ui.charts.explanations.explanation import Explanation

_SOFTMAX = r"p^c(x) = \frac{\exp y^c(x)}{\sum_{k=1}^{C} \exp y^k(x)}"
_OUTPUT = r"y^c(x) = \sum_{r=1}^{R} \bar{f}_r(x)\, y_r^c(x)"
_WEIGHTED = "With class weights w, p has y^c + a^c in place of y^c: a^c = log Σ_k w_k π_k − log w_c, π_k: share of class k."
_OUTPUT_LETTERS = (
    "f̄_r(x): firing level of rule r for row x; y_r^c(x): its score of class c; y^c: score, p^c: probability of class c."
    f" {_WEIGHTED}"
)
_MEMBERSHIP = r"\mu_{rd}(x_d) = \exp\left(-\frac{(x_d - m_{rd})^2}{2\sigma_{rd}^2}\right)"
_HALF = r"\mu_{rd} \geq \tfrac{1}{2} \;\Leftrightarrow\; |x_d - m_{rd}| \leq 1.177\,\sigma_{rd}"

EXPLANATIONS = (
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
