"""From the rules of a trained model to fewer rules with fewer conditions, before training goes on.

Dead rules go; rules that fire for the same rows and conclude the same are merged; each rule keeps the conditions that restrict
most (least flat); memberships of one feature that are nearly equal become one term (Setnes et al. 1998).
"""

from dataclasses import dataclass, replace

import numpy as np
import torch

from tsk_core.epoch import never_fires
from tsk_core.explain import measures
from tsk_core.explain.antecedents import Unit, flatness, keep
from tsk_core.explain.reader import RuleArrays
from tsk_core.model import Rules, infer
from tsk_core.model.firing import log_membership
from tsk_core.simplify.structure import Structure

__all__ = ["ALIKE", "SAYS_NOTHING", "Reduced", "conditions", "reduce_rules"]

REDUNDANT = 0.9  # co-firing from which two rules with the same conclusion are one
ALIKE = 0.8  # Jaccard similarity from which two memberships of one feature are one term
SAYS_NOTHING = 0.95  # flatness from which a condition says nothing
LEAST = 2  # rules that are left, however alike: one rule alone needs no conditions
GRID = 200


@dataclass(frozen=True, eq=False)
class Reduced:
    """Rules (one model), and which rules of the model before each of them comes from, by number from 1."""

    rules: Rules
    sources: tuple[tuple[int, ...], ...]


def reduce_rules(rules: Rules, x: np.ndarray, most: int) -> Reduced:
    """Drop dead rules, merge redundant ones, and go on merging the most alike until at most ``most`` are left.

    rules: one model in the units of x, the (N, D) training rows. Two rules are alike by their co-firing; those of the same
    conclusion come first.
    """
    firing, outputs = _fire(rules, x)
    alive = ~never_fires(measures.support(firing), len(firing))
    kept = [r for r in range(firing.shape[1]) if alive[r]] or [int(firing.mean(0).argmax())]
    groups = [[r] for r in kept]
    while len(groups) > max(1, min(most, LEAST)):
        together = np.stack([firing[:, group].sum(1) for group in groups], 1)  # a merged rule fires for the rows of both
        alike, says = measures.redundancy(together), [_conclusion(firing, outputs, group) for group in groups]
        same = np.equal.outer(says, says)
        np.fill_diagonal(alike, -1.0)
        redundant = np.where(same, alike, -1.0)
        if redundant.max() >= REDUNDANT or (len(groups) > most and redundant.max() > 0):
            most_alike = redundant
        elif len(groups) > most:
            most_alike = alike
        else:
            break
        a, b = sorted(int(place) for place in np.unravel_index(most_alike.argmax(), alike.shape))
        groups[a] += groups.pop(b)
    merged = [_merged(rules, firing, group) for group in groups]
    parts = [torch.stack(values).unsqueeze(0) for values in zip(*merged, strict=True)]
    return Reduced(
        Rules(torch.zeros_like(parts[3][..., 0]), parts[0], parts[1], parts[2], parts[3]),
        tuple(tuple(sorted(r + 1 for r in group)) for group in groups),
    )


def conditions(arrays: RuleArrays, x: np.ndarray, parts: list[Unit], most: int) -> tuple[RuleArrays, Structure]:
    """The ``most`` conditions of each rule that restrict most, at least one, with nearly equal memberships made equal.

    arrays: the rules, in the units of x, (N, D). Returns the rules with merged memberships, and the structure with every slope.
    """
    flat = flatness(arrays, x, parts)
    kept = keep(arrays, parts, flat, most) & ((flat < SAYS_NOTHING) | (flat == flat.min(1, keepdims=True)))
    mask = np.zeros(arrays.sigmas.shape, bool)
    for u, unit in enumerate(parts):
        mask[:, list(unit.columns)] = kept[:, [u]]
    mask &= arrays.present
    centers, sigmas = arrays.centers.copy(), arrays.sigmas.copy()
    merged = np.arange(mask.size).reshape(mask.shape)
    for unit in parts:
        if not unit.states:
            d = unit.columns[0]
            for group in _like_terms(np.flatnonzero(mask[:, d]), centers[:, d], sigmas[:, d], x[:, d]):
                centers[group, d], sigmas[group, d] = centers[group, d].mean(), sigmas[group, d].mean()
                merged[group, d] = merged[group[0], d]
    return replace(arrays, centers=centers, sigmas=sigmas), Structure.of(mask, merged)


def _like_terms(rules: np.ndarray, centers: np.ndarray, sigmas: np.ndarray, values: np.ndarray) -> list[list[int]]:
    """Groups of rules whose memberships on one column are alike: each is like the first of its group."""
    grid = np.quantile(values, np.linspace(0, 1, GRID))
    groups: list[list[int]] = []
    curves = {int(r): np.exp(log_membership(grid, centers[r], sigmas[r])) for r in rules}
    for r in sorted(curves, key=lambda r: centers[r]):
        for group in groups:
            first, own = curves[group[0]], curves[r]
            if np.minimum(first, own).sum() >= ALIKE * np.maximum(first, own).sum() > 0:
                group.append(r)
                break
        else:
            groups.append([r])
    return [group for group in groups if len(group) > 1]


def _fire(rules: Rules, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Firing levels (N, R), and each rule's mean scores weighted by its firing (R, C)."""
    firing = infer(rules, torch.from_numpy(x))[0][0].numpy()
    share = firing / np.maximum(firing.sum(0), 1e-300)
    typical = torch.from_numpy(share.T @ x)  # (R, D)
    return firing, ((rules.weights[0] @ typical.unsqueeze(2)).squeeze(2) + rules.biases[0]).numpy()


def _conclusion(firing: np.ndarray, outputs: np.ndarray, group: list[int]) -> int:
    """The class with the largest score where these rules fire."""
    return int((firing[:, group].mean(0) @ outputs[group]).argmax())


def _merged(rules: Rules, firing: np.ndarray, group: list[int]) -> tuple[torch.Tensor, ...]:
    """Centres, widths, weights and biases of one rule in place of several, averaged by support."""
    weight = torch.from_numpy(firing[:, group].sum(0) + 1e-12)
    weight = weight / weight.sum()

    def mean(values: torch.Tensor) -> torch.Tensor:
        total: torch.Tensor = torch.tensordot(weight, values[group], 1)
        return total

    center, finite = mean(rules.centers[0].nan_to_num()), torch.where(rules.sigmas[0].isfinite(), rules.sigmas[0], 1e6)
    spread = mean(finite**2) + mean((rules.centers[0].nan_to_num() - center) ** 2)
    sigma = spread.sqrt()
    return center, torch.where(sigma < 1e5, sigma, torch.inf), mean(rules.weights[0]), mean(rules.biases[0])
