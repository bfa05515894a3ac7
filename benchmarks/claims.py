"""What cards of the gallery and presets claim, measured: ``python -m benchmarks.claims [TITLE …] [--seeds 30] > docs/claims.md``.

Each claim compares variants of the settings on one table. A seed gives another split (30% test rows), initial state and batch
order, the same for all variants. The tables have the mean and the standard deviation of each number over seeds, its difference
from the first variant with the corrected resampled 95% interval (Nadeau and Bengio), and in how many seeds the variant has the
higher number. "Steady" scores are means over the last 30 epochs, since scores of a single epoch may jitter.
"""

import argparse
import itertools
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from tsk_core import load_dataset
from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.data.gallery import GALLERY
from tsk_core.data.splitting import Split
from tsk_core.epoch import LITTLE, Epoch
from tsk_core.evaluate.intervals import corrected_t_interval
from tsk_core.experiments.variants import all_study_choices
from tsk_core.model import Rules, blocks, class_scores
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.settings import SETTINGS
from tsk_core.train import Records, Table, TrainingSpec, prepare_stack, train
from ui.presets import PRESETS

TEST_SIZE, STEADY = 0.3, 30
MOST_COLUMNS = 6  # figures beside each other; more become rows
EARLY = 10  # the epoch after which rules are asked whether they will be rich


class Trained(NamedTuple):
    """One training: its records, firing levels and classes of its rows.

    firing: (training rows, R). y_train, y_test, predicted: class indices. classes: their names.
    """

    epochs: list[Epoch]
    firing: np.ndarray
    y_train: np.ndarray
    y_test: np.ndarray
    predicted: np.ndarray
    classes: list[str]

    @property
    def last(self) -> Epoch:
        """The record of the last epoch."""
        return self.epochs[-1]

    @property
    def initial(self) -> np.ndarray:
        """The average firing levels before training, (R,)."""
        return self.epochs[0].initial_firing

    @property
    def early(self) -> np.ndarray:
        """The average firing levels after ``EARLY`` epochs, (R,)."""
        return self.epochs[EARLY - 1].firing

    @property
    def won(self) -> np.ndarray:
        """The share of training rows that each rule is the strongest for, (R,)."""
        return np.bincount(self.firing.argmax(1), minlength=self.firing.shape[1]) / len(self.firing)

    @property
    def effective(self) -> np.ndarray:
        """exp(E) of each training row: 1 where one rule fires, R where all fire equally."""
        return np.exp(-(self.firing * np.log(np.maximum(self.firing, np.finfo(float).tiny))).sum(1))

    def recall(self, k: int) -> float:
        """Of the class k, on the test rows."""
        return float((self.predicted[self.y_test == k] == k).mean())


FIGURES: dict[str, Callable[[Trained], float]] = {
    "test RCA": lambda run: run.last.rca_test,
    "test BCA": lambda run: run.last.bca_test,
    "steady test RCA": lambda run: np.mean([epoch.rca_test for epoch in run.epochs[-STEADY:]]),
    "steady test BCA": lambda run: np.mean([epoch.bca_test for epoch in run.epochs[-STEADY:]]),
    "training RCA": lambda run: run.last.rca_train,
    "cross-entropy": lambda run: run.last.loss_ce,
    "first epoch below 0.1": lambda run: next((e.epoch for e in run.epochs if e.loss_ce < 0.1), np.nan),
    "rules that hardly or never fire": lambda run: int((run.last.dead | run.last.idle).sum()),
    "rules that never fire": lambda run: int(run.last.dead.sum()),
    "rules that hardly or never fire before training": lambda run: int((run.initial < LITTLE / len(run.initial)).sum()),
    "smallest f̄ before training": lambda run: run.initial.min(),
    "largest f̄ before training": lambda run: run.initial.max(),
    "sum of f̄ before training": lambda run: run.initial.sum(),
    "four largest f̄": lambda run: np.sort(run.last.firing)[-4:].sum(),
    "correlation of f̄ before training and at the end": lambda run: np.corrcoef(run.initial, run.last.firing)[0, 1],
    "correlation of f̄ after 10 epochs and at the end": lambda run: np.corrcoef(run.early, run.last.firing)[0, 1],
    "of the four most active rules, those that were it after 10 epochs": lambda run: len(
        leading(run.early) & leading(run.last.firing)
    ),
    "smallest f̄": lambda run: run.last.firing.min(),
    "largest f̄": lambda run: run.last.firing.max(),
    "two largest f̄": lambda run: np.sort(run.last.firing)[-2:].sum(),
    "sum of f̄": lambda run: run.last.firing.sum(),
    "rows whose f̄ sum to less than a half": lambda run: (run.firing.sum(1) < 0.5).mean(),
    "rules that win 5% of rows": lambda run: int((run.won >= 0.05).sum()),
    "effective rules of a row, exp(E)": lambda run: run.effective.mean(),
    "largest f̄ of a row": lambda run: run.firing.max(1).mean(),
    "smallest recall": lambda run: min(run.recall(k) for k in np.unique(run.y_test)),
    "recall of rare": lambda run: run.recall(run.classes.index("rare")),
    "RCA of the majority class": lambda run: (run.y_test == np.bincount(run.y_train).argmax()).mean(),
}


def leading(firing: np.ndarray) -> set[int]:
    """The four most active rules."""
    return set(np.argsort(firing)[-4:].tolist())


class Variant(NamedTuple):
    """Settings under a name."""

    name: str
    config: TrainConfig


class Claim(NamedTuple):
    """title: of the card or the preset. text: what the page says. figures: names of ``FIGURES``."""

    title: str
    text: str
    data: str
    variants: tuple[Variant, ...]
    figures: tuple[str, ...]


def paper(name: str, **changes: Any) -> Variant:
    """The paper's settings with changes."""
    return Variant(name, TrainConfig.paper(**changes))


def recommended(name: str, **changes: Any) -> Variant:
    """The recommended settings with changes."""
    return Variant(name, TrainConfig(**changes))


ACCURACY, BOTH, STEADY_BOTH = ("test RCA",), ("test RCA", "test BCA"), ("steady test RCA", "steady test BCA")
CHOSEN = all_study_choices()["vehicle"]  # λ by validation, as most splits of the study have it
FOUR = (
    paper("MBGD", ur_weight=0.0, batch_norm="none"),
    paper("UR, λ = 1", batch_norm="none"),
    paper(f"UR, λ = {CHOSEN['none'].ur_weight:g}", ur_weight=CHOSEN["none"].ur_weight, batch_norm="none"),
    paper("BN", ur_weight=0.0),
    paper("UR, λ = 1, and BN"),
    paper(f"UR, λ = {CHOSEN['bn'].ur_weight:g}, and BN", ur_weight=CHOSEN["bn"].ur_weight),
)
OF_CARDS: dict[str, tuple[tuple[Variant, ...], tuple[str, ...]]] = {
    "iris": ((recommended("R = 3", n_rules=3), recommended("R = 8")), BOTH),
    "wine": ((paper("Paper"), recommended("Recommended")), ("training RCA", *BOTH)),
    "breast_cancer": ((recommended("Recommended"),), BOTH),
    "digits": ((paper("softmax"), paper("htsk", firing="htsk")), ("largest f̄ of a row", *BOTH)),
    "moons": ((paper("R = 1", n_rules=1), paper("R = 5", n_rules=5)), ACCURACY),
    "circles": ((paper("R = 1", n_rules=1), paper("R = 2", n_rules=2)), ACCURACY),
    "spirals": ((paper("R = 1", n_rules=1), paper("R = 5", n_rules=5), paper("R = 20")), ACCURACY),
    "xor": ((paper("R = 1", n_rules=1), paper("R = 4", n_rules=4)), (*ACCURACY, "smallest f̄", "largest f̄")),
    "blobs": ((paper("unweighted"), paper("balanced", class_weight="balanced")), (*BOTH, "recall of rare")),
    "waveform21": ((paper("Paper"), recommended("Recommended")), ACCURACY),
    "vehicle": (FOUR, STEADY_BOTH),
    "biodeg": ((paper("firing paper", firing="paper"), paper("softmax")), ("rows whose f̄ sum to less than a half", *STEADY_BOTH)),
    "drd": ((paper("Paper"), recommended("Recommended")), ("steady test RCA", "RCA of the majority class")),
    "steel": ((paper("α = 0.05", l2=0.05), paper("α = 0.001", l2=0.001)), STEADY_BOTH),
    "segment": ((paper("MBGD", ur_weight=0.0, batch_norm="none"),), BOTH),
    "waveform": ((paper("Paper"), recommended("Recommended")), ACCURACY),
    "page-blocks": (
        (paper("unweighted"), paper("balanced", class_weight="balanced")),
        (*BOTH, "smallest recall", "RCA of the majority class"),
    ),
}
OF_PRESETS: dict[str, tuple[str, ...]] = {
    "Rich get richer": (
        "smallest f̄ before training",
        "largest f̄ before training",
        "rules that hardly or never fire before training",
        "rules that hardly or never fire",
        "rules that never fire",
        "smallest f̄",
        "largest f̄",
        "four largest f̄",
        "correlation of f̄ before training and at the end",
        "correlation of f̄ after 10 epochs and at the end",
        "of the four most active rules, those that were it after 10 epochs",
        "steady test RCA",
        "test RCA",
    ),
    "Why UR works": (
        "rules that never fire",
        "smallest f̄",
        "largest f̄",
        "effective rules of a row, exp(E)",
        "test RCA",
    ),
    "BN speeds up": ("first epoch below 0.1", "cross-entropy", "test RCA"),
    "Underflow in high dimension": (
        "sum of f̄ before training",
        "sum of f̄",
        "rows whose f̄ sum to less than a half",
        "smallest f̄",
        "largest f̄",
        "test RCA",
    ),
    "Batch too large": ("cross-entropy", "test RCA"),
    "One rule decides": (
        "rules that win 5% of rows",
        "rules that never fire",
        "effective rules of a row, exp(E)",
        "two largest f̄",
        "test RCA",
    ),
}
IMAGES = {"n_rules": 5, "learning_rate": 0.001, "max_epochs": 20, "firing": "paper"}
AUTHORS = {"learning_rate": 0.01, "l2": 0.05, "max_epochs": 60, "ur_weight": 0.0, "n_rules": 20}
BESIDE: dict[str, tuple[Variant, ...]] = {  # what the text of a preset says of other settings
    "Rich get richer": tuple(
        paper(f"λ = {weight:g}", ur_weight=weight, l2=0.05, batch_norm="none", max_epochs=100) for weight in (1.0, 50.0, 200.0)
    ),
    "Underflow in high dimension": (
        paper("the authors' formula with the paper's R, η and α", firing="paper", **AUTHORS),
        paper("softmax with the paper's R, η and α", firing="softmax", **AUTHORS),
    ),
    "Batch too large": (paper("all rows at once, ten times the epochs", ur_weight=1.0, batch_size=630, max_epochs=600),),
}
OF_HELP = (
    Claim(
        "UR target τ",
        SETTINGS["ur_target"].help,
        "digits",
        (
            paper("f̄ paper, τ = 1/C", ur_weight=50.0, **IMAGES),
            paper("f̄ paper, τ = 1/R", ur_weight=50.0, ur_target="1/R", **IMAGES),
            paper("f̄ softmax, τ = 1/C", ur_weight=50.0, **IMAGES | {"firing": "softmax"}),
            paper("f̄ softmax, τ = 1/R", ur_weight=50.0, ur_target="1/R", **IMAGES | {"firing": "softmax"}),
        ),
        ("sum of f̄", "test RCA"),
    ),
)


def claims() -> list[Claim]:
    """Those of the cards, of the presets and of the help; UR evens out the firing is compared with Rich get richer."""
    cards = [
        Claim(GALLERY[name].title, GALLERY[name].good_for, name, variants, figures)
        for name, (variants, figures) in OF_CARDS.items()
    ]
    presets = []
    for title, figures in OF_PRESETS.items():
        first = next(preset for preset in PRESETS if preset.title == title)
        other = next(preset for preset in PRESETS if preset.name == first.versus)
        shown = [first, other] + [preset for preset in PRESETS if preset.versus == other.name and preset is not first]
        variants = tuple(Variant(preset.label, preset.config) for preset in shown)
        if len(shown) > 2:  # the one in the middle has what the others have alone
            variants = (variants[1], variants[0], *variants[2:], Variant("neither", replace(first.config, sharpness=0.0)))
        text = " / ".join(preset.watch for preset in shown)
        presets.append(Claim(title, text, first.data, variants + BESIDE.get(title, ()), figures))
    return [*cards, *presets, *OF_HELP]


def measure(claim: Claim, seeds: int) -> np.ndarray:
    """(variants, figures, seeds)."""
    dataset = load_dataset(claim.data)
    splits = [dataset.split(test_size=TEST_SIZE, seed=seed) for seed in range(seeds)]
    found = []
    for variant in claim.variants:
        runs = trained(dataset, splits, variant.config)
        found.append([[float(FIGURES[name](run)) for run in runs] for name in claim.figures])
    return np.array(found)


def trained(dataset: Dataset, splits: list[Split], config: TrainConfig) -> list[Trained]:
    """One training for each split, with the seeds 0, 1, …, side by side."""
    configs = [replace(config, random_state=seed) for seed in range(len(splits))]
    specs, table, _, _ = prepare_stack(dataset, splits, configs, Records(frozenset({1, EARLY}), 1), measure_test=True)
    epochs, outcomes = [[] for _ in splits], {}
    with torch_threads(1), denormals_as_zero():
        for k, epoch, outcomes[k] in itertools.chain.from_iterable(train(specs, table)):
            if epoch is not None:
                epochs[k].append(epoch)
        return [_examined(table, spec, epochs[k], outcomes[k].rules, dataset.classes) for k, spec in enumerate(specs)]


def _examined(table: Table, spec: TrainingSpec, epochs: list[Epoch], rules: Rules, classes: list[str]) -> Trained:
    firing = np.concatenate([block[0].numpy() for _, block, _ in blocks(rules, table.x[spec.rows])])
    predicted = class_scores(rules, table.x[spec.test]).argmax(1).numpy()
    return Trained(epochs, firing, *(table.y[rows].numpy() for rows in (spec.rows, spec.test)), predicted, list(classes))


def table(claim: Claim, values: np.ndarray) -> str:
    """As Markdown. Many figures are the rows of two tables, those of the firing and the scores."""
    cells = []
    for k, own in enumerate(values):
        gains = ["" if k == 0 else f"<br>{_gain(gained)}" for gained in own - values[0]]
        cells.append([f"{_mean(numbers)}{gain}" for numbers, gain in zip(own, gains, strict=True)])
    head, variants = f"## {claim.title}\n\n{claim.text}\n", [variant.name for variant in claim.variants]
    if len(claim.figures) <= MOST_COLUMNS:
        return "\n".join([head, *_laid_out(claim.figures, variants, cells)])
    parts = [head]
    for title, scores in (("Firing", False), ("Scores", True)):
        chosen = [f for f, name in enumerate(claim.figures) if name.endswith((" RCA", " BCA")) == scores]
        rows = [[own[f] for own in cells] for f in chosen]
        parts.append("\n".join([f"{title}:\n", *_laid_out(variants, [claim.figures[f] for f in chosen], rows), ""]))
    return "\n".join(parts).rstrip()


def _laid_out(columns: Sequence[str], names: Sequence[str], cells: list[list[str]]) -> list[str]:
    """The lines of a table. cells: a list for each name."""
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (1 + len(columns)) + "|"]
    return lines + [f"| {name} | " + " | ".join(own) + " |" for name, own in zip(names, cells, strict=True)]


def _mean(values: np.ndarray) -> str:
    reached = values[~np.isnan(values)]
    missing = f" ({len(values) - len(reached)} never)" if len(reached) < len(values) else ""
    return f"{reached.mean():.3f} ± {reached.std(ddof=1):.3f}{missing}" if len(reached) > 1 else f"–{missing}"


def _gain(gained: np.ndarray) -> str:
    gained = gained[~np.isnan(gained)]
    low, high = corrected_t_interval(gained, TEST_SIZE / (1 - TEST_SIZE)) or (np.nan, np.nan)
    return f"{gained.mean():+.3f} [{low:+.3f}, {high:+.3f}], higher in {(gained > 0).sum()} of {len(gained)}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("titles", nargs="*", metavar="TITLE", help="of cards and presets; all if not given")
    parser.add_argument("--seeds", type=int, default=30)
    options = parser.parse_args()
    print("# What the page claims, measured\n\nPrinted by `python -m benchmarks.claims`.\n")
    print(__doc__.split("\n\n", 1)[1].strip() + f"\n\nSeeds 0 to {options.seeds - 1}.")
    for claim in claims():
        if not options.titles or claim.title in options.titles:
            print(f"\n{table(claim, measure(claim, options.seeds))}", flush=True)
            print(claim.title, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
