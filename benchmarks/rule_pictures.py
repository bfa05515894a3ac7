"""The pictures of docs/rules.md: ``python -m benchmarks.rule_pictures [--out docs/pictures]``.

Three rules with constant scores, trained on two features of Iris, are drawn from their exported numbers; and the average firing
levels of twenty rules, with uniform regularisation and without it.
"""

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse

from tsk_core import TSKClassifier, load_dataset
from tsk_core.config import TrainConfig
from ui.charts.drawn import class_colours

FEATURES = ["petal length (cm)", "petal width (cm)"]
HALF = np.sqrt(2 * np.log(2))  # in widths: where a membership is 0.5
SHOWN = 70  # the row of the text: a versicolor between two rules
INK, FAINT = "#1e1e1e", "#9a9a9a"


class Rules:
    """The exported numbers of a classifier of ``FEATURES``: centres and widths (R, 2), scores (R, C), and the rows (N, 2)."""

    def __init__(self) -> None:
        iris = load_dataset("iris")
        self.X, self.y, self.classes = iris.X[FEATURES].to_numpy(float), np.asarray(iris.y), iris.classes
        made = {"n_rules": 3, "consequents": "constant", "batch_norm": "none", "firing": "softmax", "max_epochs": 200}
        model = TSKClassifier(**made, ur_weight=10, shrinkage=0, covering=0.1, random_state=0).fit(iris.X[FEATURES], iris.y)
        rules = sorted(model.to_dict()["rules"], key=lambda rule: rule["centers"])
        self.centres, self.widths = (np.array([rule[part] for rule in rules]) for part in ("centers", "sigmas"))
        self.scores = np.array([[of[0] for of in rule["consequents"]] for rule in rules])
        self.colours = class_colours(self.classes)

    def memberships(self, x: np.ndarray) -> np.ndarray:
        """(N, 2) -> (N, R, 2)."""
        return np.exp(-0.5 * ((x[:, None] - self.centres) / self.widths) ** 2)

    def firing(self, x: np.ndarray) -> np.ndarray:
        """Normalised firing levels, (N, 2) -> (N, R)."""
        raw = self.memberships(x).prod(2)
        return raw / raw.sum(1, keepdims=True)

    def colour(self, rule: int) -> str:
        """Of the class with the rule's highest score."""
        return self.colours[int(self.scores[rule].argmax())]


def condition(rules: Rules, axes: Axes) -> None:
    """The membership function of one condition, above the rows."""
    centre, width = rules.centres[2, 0], rules.widths[2, 0]
    x = np.linspace(rules.X[:, 0].min() - 0.2, rules.X[:, 0].max() + 0.3, 300)
    axes.plot(x, np.exp(-0.5 * ((x - centre) / width) ** 2), color=rules.colour(2), lw=2)
    for name, colour in zip(rules.classes, rules.colours, strict=True):
        of = rules.X[rules.y == name, 0]
        axes.scatter(of, np.full(len(of), -0.09), s=60, marker="|", color=colour, alpha=0.6, label=name)
    low = centre - HALF * width
    axes.plot([low, x.max()], [0.5, 0.5], color=FAINT, ls="--", lw=1)
    axes.plot([low, low], [-0.03, 0.5], color=FAINT, ls="--", lw=1)
    axes.annotate(f"at least half true from {low:.1f} on", (low, 0.5), (1.0, 0.62), color=INK)
    axes.plot([centre, centre], [-0.03, 1], color=FAINT, lw=1)
    axes.annotate(f"centre m = {centre:.1f}", (centre, 1.0), (centre - 0.1, 1.04), color=INK, ha="center")
    axes.annotate("", (centre - width, 0.6065), (centre, 0.6065), arrowprops={"arrowstyle": "<->", "color": INK})
    axes.text(centre + 0.08, 0.59, f"width σ = {width:.1f}", color=INK)
    axes.set(xlabel=FEATURES[0], ylabel="membership μ", ylim=(-0.16, 1.16), yticks=[0, 0.5, 1])
    axes.legend(frameon=False, loc="upper left", ncols=3)


def firing(rules: Rules, axes: np.ndarray) -> None:
    """From the conditions of each rule to the normalised firing levels, for one flower."""
    row = rules.X[[SHOWN]]
    memberships, normalised = rules.memberships(row)[0], rules.firing(row)[0]
    parts = [*memberships.T, memberships.prod(1), normalised]
    titles = [f"petal length {row[0, 0]:.1f}", f"petal width {row[0, 1]:.1f}", "product: raw f", "divided by their sum: f̄"]
    for place, values, title in zip(axes, parts, titles, strict=True):
        bars = place.barh(range(3), values, color=[rules.colour(r) for r in range(3)])
        place.bar_label(bars, [f"{value:.2f}" for value in values], padding=3, color=INK)
        place.set(title=title, xlim=(0, 1.3), xticks=[], yticks=range(3))
        place.set_yticklabels([f"Rule {r + 1}" for r in range(3)] if place is axes[0] else [])
        place.invert_yaxis()


def scores(rules: Rules, axes: Axes) -> None:
    """What each rule adds to the score of each class, and the sums, for the same flower."""
    added = rules.firing(rules.X[[SHOWN]])[0][:, None] * rules.scores  # (R, C)
    places = np.arange(len(rules.classes))
    for r in range(3):
        axes.bar(places + 0.19 * (r - 1.5), added[r], 0.17, color=rules.colour(r), alpha=0.75, label=f"from rule {r + 1}")
    total = added.sum(0)
    bars = axes.bar(places + 0.19 * 1.5, total, 0.17, color=INK, label="sum")
    axes.bar_label(bars, [f"{value:+.2f}" for value in total], padding=3, color=INK)
    axes.axhline(0, color=FAINT, lw=1)
    axes.set(ylabel="score", xticks=places, ylim=(min(added.min(), total.min()) - 0.5, max(added.max(), total.max()) + 0.9))
    axes.set_xticklabels(rules.classes)
    axes.legend(frameon=False, ncols=4, loc="upper right")


def plane(rules: Rules, axes: Axes) -> None:
    """The rules as ellipses on the rows, and the predicted class of each place."""
    low, high = rules.X.min(0) - 0.4, rules.X.max(0) + 0.4
    x, y = np.meshgrid(np.linspace(low[0], high[0], 240), np.linspace(low[1], high[1], 160))
    grid = np.column_stack([x.ravel(), y.ravel()])
    predicted = (rules.firing(grid) @ rules.scores).argmax(1).reshape(x.shape)
    levels = np.arange(len(rules.classes) + 1) - 0.5
    axes.contourf(x, y, predicted, levels=levels, colors=rules.colours, alpha=0.16)
    for name, colour in zip(rules.classes, rules.colours, strict=True):
        axes.scatter(*rules.X[rules.y == name].T, s=12, color=colour, label=name)
    for r in range(3):
        centre, width = rules.centres[r], rules.widths[r]
        axes.add_patch(Ellipse(centre, *(2 * width), fill=False, color=rules.colour(r), lw=2))
        axes.annotate(f"Rule {r + 1}", (centre[0], centre[1] + width[1] + 0.05), ha="center", weight="bold", color=INK)
    axes.scatter(*rules.X[SHOWN], s=90, facecolor="none", edgecolor=INK, lw=1.5, zorder=3)
    axes.set(xlabel=FEATURES[0], ylabel=FEATURES[1], xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    axes.legend(frameon=False, loc="lower right")


def uniform(axes: np.ndarray) -> None:
    """The average firing levels of twenty rules, largest first, without UR and with it."""
    data = load_dataset("rich_get_richer")
    for place, ur_weight in zip(axes, (0.0, 10.0), strict=True):
        config = TrainConfig.paper().to_dict() | {"ur_weight": ur_weight, "random_state": 0}
        model = TSKClassifier(**config).fit(data.X, data.y)
        mean = np.sort(np.asarray(model.firing_levels(data.X)).mean(0))[::-1]
        place.bar(range(1, len(mean) + 1), mean, color="#0072B2")
        place.axhline(1 / len(mean), color="#D55E00", ls="--", lw=1.5)
        place.annotate("1/R", (len(mean), 1 / len(mean)), (0, 4), textcoords="offset points", color="#D55E00", ha="right")
        place.set(title=f"λ = {ur_weight:g}", xlabel="rules, by average firing level", xticks=[])
    axes[0].set_ylabel("average firing level")


def drawn() -> dict[str, Figure]:
    """Each picture by the name of its file."""
    rules, made = Rules(), {}
    for draw, size, across in ((condition, (7, 3.4), 1), (firing, (9, 2.2), 4), (scores, (7, 3.2), 1), (plane, (7, 4), 1)):
        made[draw.__name__], axes = plt.subplots(1, across, figsize=size, layout="constrained")
        draw(rules, axes)
    made["uniform"], axes = plt.subplots(1, 2, figsize=(8, 3), sharey=True, layout="constrained")
    uniform(axes)
    return made


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rule_pictures", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"), help="folder of the files (default docs/pictures)")
    out = parser.parse_args().out
    style = {"svg.fonttype": "none", "svg.hashsalt": "tsk", "font.size": 11, "axes.titlesize": 11, "axes.spines.top": False}
    with mpl.rc_context({"font.family": "sans-serif", "axes.spines.right": False, **style}):
        for name, figure in drawn().items():
            figure.savefig(out / f"rule-{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
