"""The "tsk-rules" dictionary, version 1, a model in original units, as ``export.py`` writes it; and what it computes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NotRequired, TypedDict

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from tsk_core.data.splitting import row_blocks
from tsk_core.errors import DataError
from tsk_core.model.firing import inverse_log, layer_relu, log_firing

if TYPE_CHECKING:
    from tsk_core.data.clean.pipeline import CleaningPipeline, CleaningStep

Label = str | int | float  # a class's name


class ExportedDate(TypedDict):
    """How a date became a number: the fields of ``data.clean.dates.DateFormat``."""

    format: str
    scale: str
    origin: str
    midnights: NotRequired[bool]


class ExportedColumn(TypedDict):
    """One encoded column, of a number or 0/1: 1 where the feature is the category, any other category, or missing.

    impute: replaces a missing value of the feature. levels: of ordered categories, lowest first; the number is a rank from 0.
    missing: the category that a missing value is, where the table has one for them. unknown: the category that every category is
    which training did not have, where the table has one for them. codes: cells that are missing values, such as "-99". truth:
    whether "TRUE" is read as "True". flag_of: the column of whose missing values this one says "yes".
    """

    feature: str
    kind: str
    category: str | None
    impute: float | str
    date: NotRequired[ExportedDate]
    levels: NotRequired[list[str]]
    missing: NotRequired[str]
    unknown: NotRequired[str]
    codes: NotRequired[list[str]]
    truth: NotRequired[bool]
    flag_of: NotRequired[str]


class ExportedRule(TypedDict):
    """log_weight: added to the log firing level. centers, sigmas: of the D columns, σ null: no condition. consequents: C rows of
    D + 1 numbers, the constant first. scale, shift: its γ and β under the normalisation "layer-relu", which alone has them.
    """

    log_weight: NotRequired[float]
    centers: list[float]
    sigmas: list[float | None]
    consequents: list[list[float]]
    scale: NotRequired[float]
    shift: NotRequired[float]


class Normalisation(TypedDict):
    """kind: "softmax", or "paper" or "log" with its ``epsilon``; or "layer-relu", layer normalisation with its ``epsilon`` of
    the levels that the normalisation ``of`` gives.
    """

    kind: str
    epsilon: NotRequired[float]
    of: NotRequired["Normalisation"]


class ExportedRules(TypedDict):
    """format: "tsk-rules". version: 1. classes: C names. columns: D. rules: R. source: the file that they were read from.

    log_prior: C numbers, added to the scores before the softmax that gives probabilities; only of a model with class weights.
    """

    format: str
    version: int
    classes: list[Label]
    columns: list[ExportedColumn]
    normalisation: Normalisation
    rules: list[ExportedRule]
    source: NotRequired[str]
    log_prior: NotRequired[list[float]]


# Recompute a model from its exported rules alone: plain NumPy, float64, no PyTorch.
#
# Scope: the dictionary of format "tsk-rules" (original units, batch normalisation merged) and a cleaned, encoded matrix.
# Source: Cui, Wu, Huang, eq. 2-5; z_r = w_r − Σ_d (x_d − m_rd)² / (2 σ_rd²), y^c = Σ_r f̄_r (b_r0^c + Σ_d b_rd^c x_d). Under the
# normalisation "layer-relu", y^c has f̃_r in place of f̄_r (``model.firing.layer_relu``); firing levels are f̄ under each.


BLOCK = 2**21  # numbers held at once by the largest temporary array: 16 MB
LOWEST = np.finfo(float).min / 4  # replaces a log firing level of minus infinity, and stays finite when subtracted


@dataclass(frozen=True)
class RuleArrays:
    """The exported dictionary as arrays.

    log_weight: (R,); centers: (R, D), NaN where the antecedent was dropped; sigmas: (R, D), positive, inf where dropped;
    consequents: (R, C, D + 1), constant first; epsilon: of kind "paper", 0 for others; log_epsilon: of kind "log",
    0 for others; columns: D dictionaries; classes: C names. layer: γ and β, (2, R), of "layer-relu", with its layer_epsilon; None
    for others. log_prior: (C,), added to the scores before the softmax that gives probabilities; 0 without class weights.
    """

    log_weight: np.ndarray
    centers: np.ndarray
    sigmas: np.ndarray
    consequents: np.ndarray
    epsilon: float
    log_epsilon: float
    columns: list[ExportedColumn]
    classes: list[Label]
    log_prior: np.ndarray
    layer: np.ndarray | None = None
    layer_epsilon: float = 0.0

    @property
    def n_rules(self) -> int:
        """How many rules there are, R."""
        return len(self.log_weight)

    @property
    def present(self) -> np.ndarray:
        """(R, D) bool: which antecedents the export holds."""
        return np.isfinite(self.sigmas)

    def levels(self, z: np.ndarray) -> np.ndarray:
        """The logarithms of which a softmax gives f̄, from log firing levels z: z itself, or log(1/(ε − z)) under kind "log"."""
        return np.log(inverse_log(z, self.log_epsilon)) if self.log_epsilon else z

    def firing(self, z: np.ndarray) -> np.ndarray:
        """F̄ from log firing levels, (…, R)."""
        with np.errstate(under="ignore"):
            z = self.levels(np.maximum(z, LOWEST))
            top = z.max(-1, keepdims=True)
            share = np.exp(z - top)
            if not self.epsilon:
                return share / share.sum(-1, keepdims=True)
            # exp(z)/(Σ exp z + ε) with exp(top) divided out, in whichever direction cannot overflow
            scale = np.exp(np.minimum(top, 0.0))
            return share * scale / (share.sum(-1, keepdims=True) * scale + self.epsilon * np.exp(-np.maximum(top, 0.0)))

    def score_weights(self, firing: np.ndarray) -> np.ndarray:
        """What the rules' scores are multiplied by, from f̄, (…, R): f̄ itself, or f̃ under "layer-relu"."""
        return firing if self.layer is None else layer_relu(firing, self.layer[0], self.layer[1], self.layer_epsilon)


def read_rules(rules: ExportedRules) -> RuleArrays:
    """Parse an exported dictionary; DataError names the part that does not fit."""
    if rules.get("format") != "tsk-rules" or rules.get("version") != 1:
        got = f"{rules.get('format')!r}, version {rules.get('version')!r}"
        raise DataError(f"Expected rules of format 'tsk-rules', version 1, got {got}; export them again.")
    if not rules["rules"]:
        raise DataError("Expected at least 1 rule, got none; export a trained model.")
    n_columns, n_classes = len(rules["columns"]), len(rules["classes"])
    for number, rule in enumerate(rules["rules"], 1):
        sizes = (len(rule["centers"]), len(rule["sigmas"]), [len(row) for row in rule["consequents"]])
        if sizes != (n_columns, n_columns, [n_columns + 1] * n_classes):
            raise DataError(
                f"Rule {number} does not fit {n_columns} columns and {n_classes} classes: it has {sizes[0]} centres, "
                f"{sizes[1]} widths and consequents of {sizes[2]} numbers."
            )
    sigmas = _floats([r["sigmas"] for r in rules["rules"]], missing=np.inf)
    centers = _floats([r["centers"] for r in rules["rules"]], missing=np.nan)
    if not sigmas.all():
        rule, column = np.argwhere(sigmas == 0)[0]
        raise DataError(f"Rule {rule + 1} has width 0 on column {rules['columns'][column]['feature']!r}; widths must not be 0.")
    dropped = np.isinf(sigmas) | np.isnan(centers)
    of_levels, layer, layer_epsilon = rules["normalisation"], None, 0.0
    if of_levels["kind"] == "layer-relu":
        layer = np.array([[rule[name] for rule in rules["rules"]] for name in ("scale", "shift")], float)
        of_levels, layer_epsilon = of_levels["of"], float(of_levels["epsilon"])
        if not (np.isfinite(layer).all() and 0 < layer_epsilon < np.inf):
            raise DataError("The layer normalisation of the rules has a number that is not finite, or an epsilon of 0.")
    return RuleArrays(
        log_weight=np.array([r.get("log_weight", 0.0) for r in rules["rules"]], float),
        centers=np.where(dropped, np.nan, centers),
        sigmas=np.where(dropped, np.inf, np.abs(sigmas)),
        consequents=np.array([r["consequents"] for r in rules["rules"]], float),
        epsilon=_epsilon(of_levels, "paper"),
        log_epsilon=_epsilon(of_levels, "log"),
        columns=rules["columns"],
        classes=list(rules["classes"]),
        log_prior=_log_prior(rules),
        layer=layer,
        layer_epsilon=layer_epsilon,
    )


def is_zero_order(arrays: RuleArrays) -> bool:
    """Whether every consequent is constant, all slopes are 0, and weighted by the firing level itself."""
    return arrays.layer is None and not arrays.consequents[:, :, 1:].any()


def firing_levels(rules: ExportedRules, Z: ArrayLike, mask: np.ndarray | None = None) -> np.ndarray:
    """Normalised firing levels f̄, shape (N, R).

    Z: (N, D) cleaned, encoded rows in original units. mask: (R, D) bool, the antecedents to use; all of them by default.
    Rows sum to 1; to less under kind "paper" where every rule underflows. DataError if Z does not fit the columns.
    """
    arrays = read_rules(rules)
    Z, mask = check_rows(Z, arrays), _check_mask(mask, arrays)
    firing = np.empty((len(Z), arrays.n_rules))
    for rows in _blocks(len(Z), arrays):
        firing[rows] = _firing(arrays, Z[rows], mask)
    return firing


def rule_outputs(rules: ExportedRules, Z: ArrayLike) -> np.ndarray:
    """Each rule's own score of each class, y_r^c = b_r0^c + Σ_d b_rd^c x_d, shape (N, R, C)."""
    arrays = read_rules(rules)
    return _outputs(arrays, check_rows(Z, arrays))


def scores(rules: ExportedRules, Z: ArrayLike, mask: np.ndarray | None = None) -> np.ndarray:
    """Every class's score y^c = Σ_r f̄_r y_r^c, with f̃_r under "layer-relu", shape (N, C).

    Arguments and errors as ``firing_levels``.
    """
    arrays = read_rules(rules)
    Z, mask = check_rows(Z, arrays), _check_mask(mask, arrays)
    total = np.empty((len(Z), len(arrays.classes)))
    for rows in _blocks(len(Z), arrays):
        weights = arrays.score_weights(_firing(arrays, Z[rows], mask))
        total[rows] = np.einsum("nr,nrc->nc", weights, _outputs(arrays, Z[rows]))
    return total


def check_rows(Z: ArrayLike, arrays: RuleArrays) -> np.ndarray:
    """Z as (N, D) float64; DataError unless it has the rules' columns and only finite numbers."""
    Z = np.asarray(Z, float)
    if Z.ndim != 2 or Z.shape[1] != len(arrays.columns):
        got = f"{Z.shape[1]} columns" if Z.ndim == 2 else f"{Z.ndim} dimensions"
        raise DataError(f"Expected rows of {len(arrays.columns)} columns as in the rules, got {got}.")
    if not np.isfinite(Z).all():
        row, column = np.argwhere(~np.isfinite(Z))[0]
        feature = arrays.columns[column]["feature"]
        raise DataError(f"Row {row} of column {feature!r} is {Z[row, column]}; fill missing values before applying the rules.")
    return Z


def _firing(arrays: RuleArrays, Z: np.ndarray, mask: np.ndarray) -> np.ndarray:
    centers, sigmas = np.where(mask, arrays.centers, 0.0), np.where(mask, arrays.sigmas, np.inf)
    with np.errstate(over="ignore", under="ignore"):
        return arrays.firing(arrays.log_weight + log_firing(Z[:, None, :], centers, sigmas))  # (B, R)


def _outputs(arrays: RuleArrays, Z: np.ndarray) -> np.ndarray:
    flat = arrays.consequents[:, :, 1:].reshape(-1, Z.shape[1])  # (R·C, D)
    return (Z @ flat.T).reshape(len(Z), arrays.n_rules, -1) + arrays.consequents[:, :, 0]  # (N, R, C)


def _blocks(n_rows: int, arrays: RuleArrays) -> Iterator[slice]:
    return row_blocks(n_rows, arrays.n_rules * max(len(arrays.columns), len(arrays.classes), 1), BLOCK)


def _check_mask(mask: np.ndarray | None, arrays: RuleArrays) -> np.ndarray:
    if mask is None:
        return arrays.present
    mask = np.asarray(mask, bool)
    if mask.shape != arrays.sigmas.shape:
        raise DataError(f"Expected a mask of shape {arrays.sigmas.shape} (rules, columns), got {mask.shape}.")
    return mask & arrays.present


def _epsilon(normalisation: Normalisation, kind: str) -> float:
    """ε of this kind; 0 where the rules are of another one."""
    if normalisation["kind"] not in ("softmax", "paper", "log"):
        known = "'softmax', 'paper', 'log' and 'layer-relu' of one of these"
        raise DataError(f"Normalisation is {normalisation['kind']!r}; this version reads {known}.")
    return float(normalisation["epsilon"]) if normalisation["kind"] == kind else 0.0


def _log_prior(rules: ExportedRules) -> np.ndarray:
    found = np.array(rules.get("log_prior", [0.0] * len(rules["classes"])), float)
    if found.shape != (len(rules["classes"]),) or not np.isfinite(found).all():
        raise DataError("The rules' log_prior must be a finite number for each class.")
    return found


def _floats(rows: Sequence[Sequence[float | None]], missing: float) -> np.ndarray:
    return np.array([[missing if value is None else value for value in row] for row in rows], float)


# Why a row got its class: how much each rule fired, and what each added to each class's score.


@dataclass(frozen=True)
class Contributions:
    """The contributions of each rule to the scores of N rows.

    firing: (N, R) f̄. weights: (N, R), of the rules' scores, which are f̄, or f̃ under layer normalisation. contribution: (N, R, C)
    weight times y_r^c. scores: (N, C), its sum over rules.
    entropy: (N,) in [0, log R]. effective: (N,) in [1, R], exp(entropy), the effective number of rules.
    """

    firing: np.ndarray
    weights: np.ndarray
    contribution: np.ndarray
    scores: np.ndarray
    entropy: np.ndarray
    effective: np.ndarray


def contributions(rules: ExportedRules, Z: ArrayLike, mask: np.ndarray | None = None) -> Contributions:
    """The contributions of an exported rule base's rules.

    Z: (N, D) cleaned, encoded rows in original units. Returns N·R·C numbers, so pass only the rows to show.
    mask: (R, D) bool, the antecedents to use. DataError if Z does not fit the columns.
    """
    firing = firing_levels(rules, Z, mask)
    weights = read_rules(rules).score_weights(firing)
    contribution = weights[:, :, None] * rule_outputs(rules, Z)
    spread = entropy(firing)
    return Contributions(firing, weights, contribution, contribution.sum(1), spread, np.exp(spread))


def entropy(firing: np.ndarray) -> np.ndarray:
    """E = −Σ_r f̄_r log f̄_r with 0·log 0 = 0, shape (N,), from 0 (one rule fires) to log R (all fire equally).

    firing: (N, R) ≥ 0. Rows that sum to less than 1 (kind "paper" where all rules underflow) are not normalised.
    """
    total: np.ndarray = entr(firing).sum(1)
    return np.maximum(total, 0.0)


# What exported columns say of how the table was cleaned, so that other programs read raw cells as training did.


def with_cleaning(columns: list[ExportedColumn], cleaning: "CleaningPipeline | None") -> list[ExportedColumn]:
    """Exported columns, with what ``cleaning`` has of "date", "missing", "unknown", "codes", "truth" and "flag_of"."""
    steps = {step.feature: step for step in cleaning.steps} if cleaning else {}
    flags = {step.flag: step.column for step in cleaning.steps if step.flag} if cleaning else {}
    names = {(column["feature"], column["category"]) for column in columns}

    def told(column: ExportedColumn) -> ExportedColumn:
        if (feature := column["feature"]) in flags:
            return {**column, "flag_of": flags[feature]}
        return _with_step(column, steps[feature], names) if feature in steps else column

    return list(map(told, columns))


def _with_step(column: ExportedColumn, step: "CleaningStep", names: set[tuple[str, str | None]]) -> ExportedColumn:
    from tsk_core.data.clean.categories import OTHER  # pandas: only where a table was cleaned

    exported = column.copy()
    if column["kind"] == "number" and step.date:
        form = step.date
        date: ExportedDate = {"format": form.format, "scale": form.scale, "origin": form.origin, "midnights": form.midnights}
        exported["date"] = date
    if (step.feature, step.missing) in names:
        exported["missing"] = step.missing
    if step.kept is not None and (step.feature, OTHER) in names:
        exported["unknown"] = OTHER
    if step.codes:
        exported["codes"] = list(step.codes)
    if step.truth:
        exported["truth"] = True
    return exported
