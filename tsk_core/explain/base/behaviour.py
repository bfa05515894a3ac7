"""What a rule base does as a whole: overlap and conflict of its rules, entropy, robustness, and how much the rules matter."""

import numpy as np

from tsk_core.evaluate.comparing import paired_differences
from tsk_core.evaluate.units import rows_alone
from tsk_core.explain.contributions import entropy
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import read_rules, rule_outputs, scores
from tsk_core.explain.rule import Rule
from tsk_core.explain.spaced_rows import evenly_spaced

__all__ = ["held_fixed", "of_firing", "of_rows", "of_rules", "shaken"]

MOST_ROWS = 2_000  # that robustness and what the rules matter are measured on
NOISE = 0.1  # standard deviations of a column


def of_firing(firing: np.ndarray) -> dict[str, float | None]:
    """Metrics of the firing levels (n, R) on training rows.

    "entropy": mean firing entropy as a share of log R; None for one rule. "effective": how many rules decide a row, mean of
    exp(entropy).
    """
    each, n_rules = entropy(firing), firing.shape[1]
    return {"entropy": float(each.mean() / np.log(n_rules)) if n_rules > 1 else None, "effective": float(np.exp(each).mean())}


def of_rules(rules: tuple[Rule, ...], redundancy: np.ndarray) -> dict[str, float | None]:
    """Metrics of the rules as printed. redundancy: (R, R), in the order of the model.

    "overlap": mean co-firing of two rules that fire; "redundant": the largest of two that name the same class first;
    "conflict": the largest of two that name different ones; None without such a pair. "literal": share of rules at whose centre
    the whole system says a class that they name; None where no claims were measured. "named": share of rules that name one class.
    """
    alive = [rule for rule in rules if not rule.dead]
    at, names = [rule.index - 1 for rule in alive], np.array([str(rule.conclusion) for rule in alive], object)
    upper = np.triu_indices(len(alive), 1)  # each pair once
    shared, alike = redundancy[np.ix_(at, at)][upper], (names[:, None] == names)[upper]
    claims = [rule.literal for rule in alive if rule.literal is not None]
    return {
        "overlap": float(shared.mean()) if len(shared) else None,
        "redundant": float(shared[alike].max()) if alike.any() else None,
        "conflict": float(shared[~alike].max()) if (~alike).any() else None,
        "literal": float(np.mean(claims)) if claims else None,
        "named": float(np.mean([rule.clear for rule in alive])) if alive else None,
    }


def of_rows(source: ExportedRules, support: np.ndarray, Z: np.ndarray, true: np.ndarray | None) -> dict[str, float | None]:
    """Metrics of the full model on rows Z (N, D), at most 2,000 of them. support: (R,) mean f̄ on the training rows.

    "changed": share of rows whose class changes when every row's firing levels are replaced by their means. "matter": the model's
    accuracy, less its accuracy with these; "matter_low", "matter_high": its paired 95% interval over rows; None without classes.
    "robustness": share of rows whose class stays the same when a tenth of each column's spread is added as noise.
    """
    rows = evenly_spaced(len(Z), MOST_ROWS)
    Z, full = Z[rows], scores(source, Z[rows]).argmax(1)
    fixed = held_fixed(source, support, Z)
    matter: tuple[float, ...] | list[None] = [None] * 3
    if true is not None:
        matter = paired_differences(true[rows], full, fixed, rows_alone(len(rows)), seed=0)["rca"]
    return {
        "changed": float((full != fixed).mean()),
        **dict(zip(("matter", "matter_low", "matter_high"), matter, strict=True)),
        "robustness": float((full == scores(source, shaken(source, Z)).argmax(1)).mean()),
    }


def held_fixed(source: ExportedRules, support: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """The classes (N,) that the model predicts where every row has the mean firing levels: one linear function per class."""
    weights = read_rules(source).score_weights(support)
    return np.einsum("r,nrc->nc", weights, rule_outputs(source, Z)).argmax(1)


def shaken(source: ExportedRules, Z: np.ndarray) -> np.ndarray:
    """The rows with normal noise on number columns, of a tenth of each column's standard deviation over these rows."""
    numbers = np.array([column["kind"] == "number" and "levels" not in column for column in read_rules(source).columns], bool)
    noise = np.random.default_rng(0).normal(size=Z.shape)
    return Z + np.where(numbers, NOISE * Z.std(0), 0.0) * noise
