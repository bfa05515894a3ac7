"""The smallest rule base whose balanced accuracy is within a tolerance of the full model's, by cross-validation."""

import math
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, replace

import numpy as np
import torch

from tsk_core.data.folds import folds
from tsk_core.evaluate.metrics import accuracy
from tsk_core.explain.measures import evenly_spaced
from tsk_core.model import Rules, class_scores
from tsk_core.simplify.fit import fit_sizes, plans
from tsk_core.simplify.problem import Problem
from tsk_core.simplify.structure import Size
from tsk_core.train import AT_THE_END, Table, TrainingSpec, train

__all__ = ["Candidate", "Search", "TERMS", "candidates", "search"]

TERMS = (0, 5, 10, 20, 40)
TERM_COST = 2  # conditions: a score term is a number for each class, a condition is a word
FOLDS = 5
MOST_ROWS = 3000  # that the search trains and tests on, evenly spaced


@dataclass(frozen=True)
class Candidate:
    """A size, and what became of it in the folds.

    conditions, terms: how many there are on average. bca: of all rows, each predicted where it is held out; smoothed: its mean
    with those of the sizes next to it, since the smallest of many sizes would have been lucky. fidelity: the share of these rows
    that the full model of the fold predicts alike.
    """

    size: Size
    conditions: float
    terms: float
    bca: float
    fidelity: float
    smoothed: float = math.nan

    @property
    def cost(self) -> float:
        """Conditions and score terms, a score term counting as two conditions."""
        return self.conditions + TERM_COST * self.terms


@dataclass(frozen=True)
class Search:
    """What the search found.

    candidates: by size. chosen: that of the least cost whose smoothed BCA is within the tolerance of the full model's and of the
    best candidate's; the best one if none is. full_bca: of the full model, in the same folds.
    """

    candidates: tuple[Candidate, ...]
    chosen: Candidate
    full_bca: float
    tolerance: float


def candidates(n_rules: int, max_rules: int, max_conditions: int, n_classes: int) -> list[Size]:
    """The sizes to try for a model of ``n_rules`` rules: at least a rule for each class, where so many are allowed."""
    most = min(n_rules, max_rules)
    least = min(most, max(2, n_classes))
    return [Size(r, k, t) for r in sorted({least, most}) for k in range(1, max_conditions + 1) for t in TERMS]


def search(
    problem: Problem, sizes: list[Size], *, tolerance: float = 0.01, step: Callable[[int, int], None] = lambda done, of: None
) -> Search:
    """Train the full model and a small one of each size on each fold's training rows; compare them on the rows held out.

    Folds keep groups together and respect time. step: called after each fold with how many are done, of how many.
    """
    held_out_rows, full = [], []
    counts: dict[Size, list[tuple[int, int]]] = {size: [] for size in sizes}
    predicted: dict[Size, list[np.ndarray]] = {size: [] for size in sizes}
    for at, (train_rows, held_out, of) in enumerate(_folds(problem)):
        fold = replace(problem, rows=train_rows)
        whole = _full_model(fold)
        small = plans(whole, fold, sizes)
        for size, rules in fit_sizes(small, fold).items():
            predicted[size].append(_predict(rules, problem.table, held_out))
            counts[size].append(small[size].structure.counts(problem.units))
        full.append(_predict(whole, problem.table, held_out))
        held_out_rows.append(held_out)
        step(at + 1, of)
    y, by_full = problem.table.y.cpu().numpy()[np.concatenate(held_out_rows)], np.concatenate(full)
    measured = []
    for size in sizes:
        own = np.concatenate(predicted[size])  # together: the few rows that a fold has of a rare class say little
        conditions, terms = np.mean(counts[size], axis=0)
        measured.append(Candidate(size, conditions, terms, accuracy(y, own).numbers[1], float((own == by_full).mean())))
    means, full_bca = smoothed(measured), accuracy(y, by_full).numbers[1]
    return Search(means, choose(means, full_bca, tolerance), full_bca, tolerance)


def smoothed(tried: list[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with the mean BCA of each and of its neighbours, which differ by one step in one of the three numbers.

    Without score terms a base is of another kind, so it is no neighbour of one that has some.
    """
    steps = [sorted({getattr(candidate.size, name) for candidate in tried}) for name in ("rules", "conditions", "terms")]
    places = [tuple(map(list.index, steps, astuple(candidate.size))) for candidate in tried]
    at = dict(zip(places, tried, strict=True))

    def around(place: tuple[int, ...]) -> list[float]:
        moves = [tuple(step if k == axis else 0 for k in range(3)) for axis in range(3) for step in (-1, 1)]
        near = [at.get(tuple(a + b for a, b in zip(place, move, strict=True))) for move in moves]
        kind = bool(at[place].size.terms)
        return [candidate.bca for candidate in near if candidate is not None and bool(candidate.size.terms) == kind]

    return tuple(replace(candidate, smoothed=float(np.mean([candidate.bca, *around(place)]))) for place, candidate in at.items())


def choose(tried: tuple[Candidate, ...], full_bca: float, tolerance: float) -> Candidate:
    """The candidate of the least cost whose smoothed BCA is within the tolerance of the full model's and of the best one's.

    The best one if none is. Where small bases are better than the full model, the best of them is the measure: the full model of
    a fold has fewer rows than the one that will be compared with it, and loses more by that.
    """
    best = max(tried, key=lambda candidate: (candidate.smoothed, -candidate.cost))
    enough = [candidate for candidate in tried if candidate.smoothed >= max(full_bca, best.smoothed) - tolerance]
    if not enough:
        return best
    return min(enough, key=lambda candidate: (candidate.cost, -candidate.smoothed))


def _folds(problem: Problem) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Rows to train on and rows held out, and how many folds there are."""
    table, rows = problem.table, problem.rows[evenly_spaced(len(problem.rows), MOST_ROWS)]
    groups, time = (None if values is None else values[rows] for values in (table.groups, table.time))
    splits = folds(table.y.cpu().numpy()[rows], FOLDS, problem.config.seed, groups=groups, time=time)
    return ((rows[part.train], rows[part.test], len(splits)) for part in splits)


def _full_model(problem: Problem) -> Rules:
    spec = TrainingSpec(problem.config, problem.config.seed, problem.rows, records=AT_THE_END)
    *_, (last,) = train([spec], problem.table)
    return last.outcome.rules


def _predict(rules: Rules, table: Table, rows: np.ndarray) -> np.ndarray:
    return class_scores(rules, table.x[torch.from_numpy(rows)]).argmax(1).cpu().numpy()
