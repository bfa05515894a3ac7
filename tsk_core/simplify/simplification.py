"""Simplify and refit: from a trained model to a small rule base that was trained on."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import torch

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.explain.antecedents import Unit
from tsk_core.explain.exported import ExportedColumn
from tsk_core.model import Rules
from tsk_core.simplify.fit import Plan, plans, small_config
from tsk_core.simplify.options import Options, is_count
from tsk_core.simplify.problem import Problem
from tsk_core.simplify.search import Search, candidates, search
from tsk_core.simplify.structure import Size

__all__ = ["Simplification", "plan"]


@dataclass(frozen=True)
class Simplification:
    """What became of a rule base.

    rules, conditions, terms: (before, after): how many rules there are, conditions in all, and score terms. sources: of each
    rule, the numbers of the rules it comes from, from 1. options: that make the same of the same model, without a search.
    search: how the size was found; None where it was given.
    """

    rules: tuple[int, int]
    conditions: tuple[int, int]
    terms: tuple[int, int]
    sources: tuple[tuple[int, ...], ...]
    options: Options
    search: Search | None = None

    def to_dict(self) -> dict[str, object]:
        """JSON-ready; the candidates of the search as rows of numbers."""
        values = {name: getattr(self, name) for name in ("rules", "conditions", "terms", "sources")}
        values["text"] = str(self).splitlines()
        if self.search is None:
            return {**values, "search": None}
        names = ("conditions", "terms", "bca", "smoothed", "fidelity")
        found = [{"max_rules": one.size.rules} | {name: getattr(one, name) for name in names} for one in self.search.candidates]
        chosen = self.search.candidates.index(self.search.chosen)
        return {
            **values,
            "search": {
                "candidates": found,
                "chosen": chosen,
                "full_bca": self.search.full_bca,
                "tolerance": self.search.tolerance,
            },
        }

    def __str__(self) -> str:
        """A line for each of the numbers, and for merged rules."""
        lines = [
            f"{name}: {before} before, {after} now"
            for name, (before, after) in (
                ("Rules", self.rules), ("Conditions", self.conditions), ("Score terms", self.terms)
            )
        ]  # fmt: skip
        merged = [f"rule {k} was {_listed(source)}" for k, source in enumerate(self.sources, 1) if len(source) > 1]
        if merged:
            lines.append(f"Merged: {'; '.join(merged)}.")
        if left := set(range(1, self.rules[0] + 1)) - {r for source in self.sources for r in source}:
            lines.append(f"Dropped: {_listed(sorted(left))}.")
        if self.search is not None:
            found, full = self.search.chosen, self.search.full_bca
            lines.append(
                f"Cross-validated balanced accuracy (training rows): {found.bca:.1%}; the full model's: {full:.1%}."
                f" Among {len(self.search.candidates)} sizes this is "
                + ("the smallest" if found.smoothed >= full - self.search.tolerance else "the best one; none comes")
                + f" within {self.search.tolerance:.1%} of it."
            )
        return "\n".join(lines)


def plan(
    rules: Rules, problem: Problem, options: Options, step: Callable[[int, int], None] = lambda done, of: None
) -> tuple[Plan, TrainConfig, Simplification]:
    """Where the training of the small rule base starts, its settings, and what becomes of the base.

    rules: of the full model (M = 1), in the units of the table. step: called after each fold of a search.
    """
    kept = _left(rules, problem.columns, options.without)
    cut, numbers = _without(rules, problem.columns, kept, options.without)
    found = None
    if options.score_terms is None or isinstance(options.score_terms, int):
        size = Size(options.max_rules, options.max_conditions, options.score_terms)
    else:  # AUTO
        sizes = candidates(len(kept), options.max_rules, options.max_conditions, problem.table.n_classes)
        found = search(problem, sizes, tolerance=options.tolerance, step=step)
        size = found.chosen.size
    one = plans(cut, problem, [size])[size]
    sources = tuple(tuple(numbers[r - 1] for r in source) for source in one.sources)
    before, after = _size_before(rules, problem.parts), one.structure.counts(problem.parts)
    n_rules, options = (rules.biases.shape[1], len(sources)), options.of_size(size)
    changes = Simplification(n_rules, (before[0], after[0]), (before[1], after[1]), sources, options, found)
    return one, small_config(problem.config, len(sources), len(problem.rows)), changes


def _left(rules: Rules, columns: list[ExportedColumn], without: Collection[int | tuple[int, str]]) -> list[int]:
    """The rules that are not left out, from 0. Raises SettingError for rules and features that there are not."""
    R, features = rules.biases.shape[1], {column["feature"] for column in columns}
    for one in without:
        rule, feature = one if isinstance(one, tuple) else (one, None)
        if not is_count(rule, 1) or rule > R:
            raise SettingError(f"without names rule {rule!r}; the model has rules 1 to {R}.")
        if feature is not None and feature not in features:
            raise SettingError(f"without names a condition on {str(feature)[:60]!r}; the model has no such feature.")
    kept = [r for r in range(R) if r + 1 not in without]
    if not kept:
        raise SettingError("without names every rule; at least one has to stay.")
    return kept


def _without(
    rules: Rules, columns: list[ExportedColumn], kept: list[int], without: Collection[int | tuple[int, str]]
) -> tuple[Rules, list[int]]:
    """The rules that are kept, without the conditions that are left out, and their numbers."""
    sigmas = rules.sigmas.clone()
    for one in without:
        if isinstance(one, tuple):
            sigmas[0, one[0] - 1, [d for d, column in enumerate(columns) if column["feature"] == one[1]]] = torch.inf
    cut = replace(rules, sigmas=sigmas)
    log_weights, centers, sigmas, weights, biases = (values[:, kept] for values in cut.tensors())
    return Rules(log_weights, centers, sigmas, weights, biases, rules.epsilon), [r + 1 for r in kept]


def _size_before(rules: Rules, parts: list[Unit]) -> tuple[int, int]:
    present, slopes = rules.sigmas[0].isfinite().numpy(), (rules.weights[0] != 0).any(1).numpy()  # (R, D)
    conditions, terms = (sum(int(mask[:, list(unit.columns)].any(1).sum()) for unit in parts) for mask in (present, slopes))
    return conditions, terms


def _listed(numbers: Collection[int]) -> str:
    text = [str(number) for number in numbers]
    return f"rule{'s' if len(text) > 1 else ''} " + (" and ".join([", ".join(text[:-1]), text[-1]]) if len(text) > 1 else text[0])
