"""Trainings of a plan, side by side: their records by epoch, and the point that each one leaves.

A point holds the test scores of one training, and of a comparison also its curves and snapshots ("looks"): firing levels, entropy
and confusion matrix at some epochs. The format is that of the records of ``tasks.Experiment``.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.data.splitting import Split, ValidatedSplit, has_one_split, test_per_train
from tsk_core.epoch import Epoch
from tsk_core.evaluate.comparing import window
from tsk_core.experiments.plan import COMPARISON, Plan, PlannedTraining
from tsk_core.experiments.stacks import splits_of
from tsk_core.metrics import Accuracy
from tsk_core.numbers import six_digits

if TYPE_CHECKING:
    from tsk_core.data import Dataset, Encoder
    from tsk_core.model import Rules
    from tsk_core.train import Outcome, PreparedStack, TrainingSpec

# The plane of a model with two features: the class it predicts at each place, and where its rules are.


SIZE = 48  # cells of each axis
MARGIN = 0.05  # of the range of the training rows, on each side
MOST_DRAWN_CLASSES = 26  # a letter each


def plane(encoder: "Encoder", rules: "Sequence[Rules]") -> dict[str, object] | None:
    """The plane after some epochs, JSON-ready; None for categories, or for more classes than letters.

    encoder: of two columns. rules: one model for each epoch, over normalised inputs. ``classes`` has a string an epoch, a letter
    a cell ("a" is the first class), row by row from the lowest y; ``centers`` and ``sigmas`` (R, 2) an epoch, in original units.
    """
    import torch

    from tsk_core.model import class_scores

    if (
        any(column.kind != "number" or column.levels for column in encoder.columns)
        or rules[0].biases.shape[-1] > MOST_DRAWN_CLASSES
    ):
        return None
    spread = MARGIN * (encoder.high_ - encoder.low_)
    low, high = encoder.low_ - spread, encoder.high_ + spread
    steps = (np.arange(SIZE) + 0.5) / SIZE
    x, y = np.meshgrid(low[0] + steps * (high[0] - low[0]), low[1] + steps * (high[1] - low[1]))
    z = torch.from_numpy(encoder.normalise(np.stack([x.ravel(), y.ravel()], 1)))
    units = torch.from_numpy(encoder.mean_), torch.from_numpy(encoder.scale_)
    by_epoch: dict[str, list[Any]] = {"classes": [], "centers": [], "sigmas": []}
    for model in rules:
        letters = class_scores(model, z).argmax(1).cpu().numpy().astype(np.uint8) + ord("a")
        by_epoch["classes"].append(letters.tobytes().decode("ascii"))
        raw = model.in_units(*units)
        for name, values in (("centers", raw.centers), ("sigmas", raw.sigmas)):
            by_epoch[name].append([[float(f"{value:.6g}") for value in rule] for rule in values[0].clamp(max=1e300).tolist()])
    sides = ([float(f"{bound:.6g}") for bound in (low[k], high[k])] for k in (0, 1))
    return {"x": next(sides), "y": next(sides), "names": [str(c.feature) for c in encoder.columns], "size": SIZE, **by_epoch}


CURVES = {  # name in records -> of an epoch
    "ce": "loss_ce",
    "rca": "rca_test",
    "bca": "bca_test",
    "grad_antecedents": "grad_antecedents",
    "grad_consequents": "grad_consequents",
}
SNAPSHOTS = 20  # epochs after which firing levels, entropy and confusion matrices are kept, at most
MOST_CLASSES = 12  # of confusion matrices that are kept


def snapshot_epochs(epochs: int) -> list[int]:
    """The epochs after which a comparison keeps what a model is like: first, last, and some between, denser at the beginning."""
    if epochs < SNAPSHOTS:
        return list(range(epochs + 1))
    return sorted({0, epochs, *(round(value) for value in np.geomspace(1, epochs, SNAPSHOTS - 1))})


def train_together(dataset: "Dataset", plan: Plan, trainings: Sequence[PlannedTraining]) -> Iterator[dict[str, Any]]:
    """Train them as one stack; yields a record of each epoch, then one of each point.

    ``tasks.Experiment`` describes both: a record of an epoch has "at", the numbers of the trainings that took part; a point has
    "point", its own number.
    """
    from tsk_core.train import Records, prepare_stack, train

    began = time.perf_counter()
    splits, split_of = splits_of(dataset, plan, trainings)
    T = trainings[0].config.max_epochs
    snapshots = snapshot_epochs(T) if plan.kind == COMPARISON else [T]
    held_out = 1 if plan.kind == COMPARISON or plan.validated else frozenset(range(T - window(T) + 1, T + 1))
    records = Records(frozenset(snapshots), held_out, start=plan.kind == COMPARISON)
    configs = [training.config for training in trainings]
    stacked = prepare_stack(dataset, splits, configs, records, split_of=split_of, measure_test=True)
    widths = [plan.variants[training.variant].width for training in trainings]
    specs = [_with_width(spec, width) for spec, width in zip(stacked.specs, widths, strict=True)]
    columns = stacked.table.x.shape[1]
    members = [_Member(plan, training, columns) for training in trainings]
    clock = _Clock(members, began)
    for stack_epoch in train(specs, stacked.table):
        for k, epoch, outcome in stack_epoch:
            members[k].add(epoch, outcome)
            if epoch is not None and epoch.epoch in snapshots and plan.kind == COMPARISON:
                members[k].keep_snapshot(epoch, outcome, stacked, split_of[k], len(dataset.classes))
        clock.share([k for k, _, _ in stack_epoch])
        if ended := [(trainings[k].number, epoch) for k, epoch, _ in stack_epoch if epoch is not None]:
            yield _line(ended)
            clock.go_on()
    for k, member in enumerate(members):
        yield member.point(dataset, stacked, splits[split_of[k]], split_of[k])


def _with_width(spec: "TrainingSpec", width: float) -> "TrainingSpec":
    return spec if width == 1 else replace(spec, initial_width=width)


def _line(ended: Sequence[tuple[int, Epoch]]) -> dict[str, Any]:
    """The record of an epoch. ended: numbers of the trainings that took part, and their epochs."""
    numbers, epochs = zip(*ended, strict=True)
    values = {name: [_curve_value(epoch, name) for epoch in epochs] for name in CURVES}
    return {"at": list(numbers), "epoch": epochs[0].epoch, **values}


def _curve_value(epoch: Epoch, name: str) -> float | None:
    if epoch.epoch == 0 and name.startswith("grad"):
        return None
    value: float | None = getattr(epoch, CURVES[name])
    return six_digits(value)


class _Clock:
    """Shares the seconds of a stack among its members; those in which it waits for whoever takes its records count for none."""

    def __init__(self, members: Sequence["_Member"], began: float) -> None:
        """began: when preparing the stack did, which all members share."""
        self._members, self._since = members, began
        self.share(range(len(members)))

    def share(self, trained: Sequence[int]) -> None:
        """Divide the seconds since the last call among these members."""
        now = time.perf_counter()
        for k in trained:
            self._members[k].seconds_share += (now - self._since) / len(trained)
        self._since = now

    def go_on(self) -> None:
        """Count from now on again."""
        self._since = time.perf_counter()


class _Member:
    """What is known of one training while its stack trains. seconds_share: of the time of its stack, as ``_Clock`` divides it."""

    def __init__(self, plan: Plan, training: PlannedTraining, columns: int) -> None:
        self.plan, self.training = plan, training
        first = training.seed == plan.first_seed and training.split == 0
        self.has_plane = first and columns == 2 and plan.kind == COMPARISON
        self.epochs: list[Epoch] = []
        self.outcome: Outcome
        self.snapshots: dict[str, list[Any]] = {"epoch": [], "firing": [], "entropy": [], "confusion": []}
        self.rules: list[Rules] = []
        self.seconds_share = 0.0

    def add(self, epoch: Epoch | None, outcome: "Outcome") -> None:
        """Take in an epoch; None where it diverged."""
        self.outcome = outcome
        if epoch is not None:
            self.epochs.append(epoch)

    def keep_snapshot(self, epoch: Epoch, outcome: "Outcome", stacked: "PreparedStack", split: int, classes: int) -> None:
        """Keep what the model is like after this epoch."""
        assert epoch.firing is not None and epoch.entropy is not None  # measured at the epochs of snapshots
        self.snapshots["epoch"].append(epoch.epoch)
        self.snapshots["firing"].append([six_digits(value) for value in np.sort(epoch.firing)[::-1].tolist()])
        self.snapshots["entropy"].append(epoch.entropy.tolist())
        confusion = classes <= MOST_CLASSES
        if confusion or self.has_plane:
            self._examine(outcome.weights.rules(), stacked, split, classes, confusion=confusion)

    def _examine(self, rules: "Rules", stacked: "PreparedStack", split: int, classes: int, *, confusion: bool) -> None:
        """Keep the rules for the plane, and the confusion matrix on the test rows."""
        from tsk_core.model import class_scores

        if self.has_plane:
            self.rules.append(rules.cpu())
        if not confusion:
            return
        rows, table = stacked.tested[split], stacked.table
        predicted = class_scores(rules, table.x[rows], exact=False).argmax(1).cpu().numpy()
        counts = np.bincount(table.y[rows].cpu().numpy() * classes + predicted, minlength=classes * classes)
        self.snapshots["confusion"].append(counts.reshape(classes, classes).tolist())

    def point(self, dataset: "Dataset", stacked: "PreparedStack", split: Split | ValidatedSplit, number: int) -> dict[str, Any]:
        """The point, once the stack has ended."""
        trained = [epoch for epoch in self.epochs if epoch.epoch > 0]
        point: dict[str, Any] = {
            "point": self.training.number, "variant": self.training.variant,
            "seed": self.training.seed, "split": self.training.split,
            "test_per_train": _test_per_train(dataset, split.test),
            **self._scores(trained, stacked, number), "ur_weight": self.training.config.ur_weight,
            "epochs": len(trained), "seconds_share": round(self.seconds_share, 4), "message": self.outcome.message,
        }  # fmt: skip
        point |= {"entropy": None, "dead": None, "fidelity": None, "conditions": None}
        for epoch in reversed(trained):
            if epoch.entropy is not None:
                entropy = epoch.entropy_share
                point |= {"entropy": six_digits(entropy)}
                point |= {"dead": epoch.dead_rules, "conditions": epoch.conditions}
                break
        if self.plan.kind == COMPARISON:
            curves = {name: [_curve_value(epoch, name) for epoch in self.epochs] for name in CURVES}
            point["curves"] = {"epoch": [epoch.epoch for epoch in self.epochs], **curves}
            point["looks"] = {**self.snapshots, "confusion": self.snapshots["confusion"] or None}
            point["plane"] = plane(stacked.encoders[number], self.rules) if self.rules else None
        else:
            point["fidelity"] = _fidelity(dataset, stacked.encoders[number], split, self.outcome.rules.cpu())
        return point

    def _scores(self, trained: list[Epoch], stacked: "PreparedStack", split: int) -> dict[str, Any]:
        """By what they are: of the model kept, the mean over the last epochs, and the best by the validation rows."""
        k = window(max(1, len(trained)))
        measured = [Accuracy(epoch.rca_test, epoch.bca_test).numbers for epoch in trained[-k:] if epoch.rca_test is not None]
        whole = measured and not self.outcome.message  # else the model kept is not that of the last epoch
        last = measured[-1] if whole else stacked.accuracy(self.outcome.rules, stacked.tested[split]).numbers
        mean = np.mean(measured, axis=0).tolist() if whole else last
        best, best_epoch = None, None
        if self.plan.validated and trained:
            at = max(trained, key=_by_validation)
            best, best_epoch = (at.rca_test, at.bca_test), at.epoch
        scores = {"last": last, "mean": mean, "best": best}
        return {"scores": {name: pair and list(pair) for name, pair in scores.items()}, "window": k, "best_epoch": best_epoch}


def _test_per_train(dataset: "Dataset", test: np.ndarray) -> float:
    """By which intervals over seeds are corrected: n_test/n_train; 0 where the data have a single split.

    Rows that are held out, or left out by a share, count as training rows: splits are as much alike with them as without.
    """
    if has_one_split(dataset.split_column):
        return 0.0
    return test_per_train(dataset.split_column, np.delete(np.arange(len(dataset.y)), test), test)


def _by_validation(epoch: Epoch) -> tuple[float, float]:
    """BCA, then −CE of the validation rows; an epoch without them is the worst."""
    if epoch.bca_validation is None or epoch.ce_validation is None:
        return -math.inf, -math.inf
    return epoch.bca_validation, -epoch.ce_validation


def _fidelity(dataset: "Dataset", encoder: "Encoder", split: Split | ValidatedSplit, rules: "Rules") -> float | None:
    """How often the rules shortened to three conditions predict the class of the full model, on the test rows."""
    import torch

    from tsk_core.explain.export import export_rules
    from tsk_core.explain.summaries import Summariser

    y = np.asarray(dataset.y)
    classes = np.unique(y)
    train, test = ((dataset.X.iloc[rows], y[rows]) for rows in (split.train, split.test))
    try:
        units = torch.from_numpy(encoder.mean_), torch.from_numpy(encoder.scale_)
        exported = export_rules(rules.in_units(*units), encoder.columns, [str(name) for name in classes])
        n_rules = rules.biases.shape[1]
        summaries = Summariser(encoder.transform, classes, train, test, n_rules, quick=True).summarise(exported)
    except (ValueError, ArithmeticError):
        return None
    return six_digits(summaries.fidelity[min(2, len(summaries.fidelity) - 1)])
