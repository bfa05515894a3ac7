"""What a program needs to predict as the exported rules do: features, sparse conditions and linear functions, as plain Python.

Source: the dictionary of format "tsk-rules" (METHOD: z_r = w_r − Σ_d (x_d − m_rd)²/(2σ_rd²), f̄ = softmax(z), y = Σ_r f̄_r y_r).
Under the normalisation "paper", f̄_r = exp(z_r)/(Σ_s exp(z_s) + ε). That is a softmax with one rule more, which has no
condition, the log-weight log ε and the score 0 for every class; so no format needs a case of its own for it. Under "log",
f̄ = softmax(−log(ε − z)): one step more between z and the softmax. Under "layer-relu" no format here predicts (``refusals.py``).
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.errors import DataError
from tsk_core.explain.exported import ExportedColumn, ExportedRules
from tsk_core.explain.reader import RuleArrays, is_zero_order, read_rules

__all__ = ["Feature", "Model", "PlainRule", "read_model"]


@dataclass(frozen=True)
class Feature:
    """One feature of the table, with the encoded columns ``first``, ``first`` + 1, … that it becomes.

    kind: "number", one column; "category", one column for each of ``categories``, which is 1 where the value is that category; or
    "ordinal", one column with the rank of the value among ``categories``, from 0.
    impute: replaces a missing value, and an unknown one of ordered categories: a number, or a category.
    unknown: the category that counts for one which is not among ``categories``; None where none does.
    missing: the category that stands for missing values alone; None where there is none.
    """

    name: str
    kind: str
    first: int
    categories: tuple[str, ...]
    impute: float | str
    unknown: str | None = None
    missing: str | None = None

    @property
    def width(self) -> int:
        """How many encoded columns it has."""
        return len(self.categories) if self.kind == "category" else 1

    @property
    def fallback(self) -> float:
        """The rank that replaces a missing or unknown value of ordered categories."""
        return float(self.categories.index(str(self.impute)))


@dataclass(frozen=True)
class PlainRule:
    """One rule.

    conditions: (column, centre, σ > 0) of each antecedent that was not dropped. consequents: C rows of D + 1, constant first.
    """

    log_weight: float
    conditions: tuple[tuple[int, float, float], ...]
    consequents: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Model:
    """Exported rules as plain values.

    columns: the name of each of the D encoded columns, such as "size" or "colour is red". rules: at least one; under the
    normalisation "paper" the last one stands for ε (``has_epsilon``), the others are those of the model, in their order.
    zero_order: whether every consequent is constant. log_epsilon: ε of the normalisation "log", 0 of others. log_prior: what is
    added to the scores before the softmax that gives probabilities, C numbers; none without class weights.
    """

    classes: tuple[str, ...]
    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    rules: tuple[PlainRule, ...]
    has_epsilon: bool
    log_epsilon: float
    zero_order: bool
    log_prior: tuple[float, ...] = ()

    @property
    def rule_names(self) -> list[str]:
        """A name for each rule."""
        names = [f"rule {number}" for number in range(1, len(self.rules) + 1)]
        return [*names[:-1], "epsilon"] if self.has_epsilon else names

    def if_log(self, code: str, **values: str) -> str:
        """Code that only the normalisation "log" needs, with its ε in the place of {epsilon}; for others none."""
        return code.format(epsilon=self.log_epsilon, **values) if self.log_epsilon else ""

    def weights(self) -> list[float]:
        """The rules' weights in [0, 1] for formats that have no logarithm: exp(log-weight), the largest one being 1.

        A common factor of all firing levels does not change their normalised values.
        """
        top = max(rule.log_weight for rule in self.rules)
        return [math.exp(rule.log_weight - top) for rule in self.rules]


def read_model(rules: ExportedRules) -> Model:
    """Parse an exported dictionary that no format refuses. DataError for what is none, and for columns of another kind."""
    arrays = read_rules(rules)
    plain = [_rule(arrays, r) for r in range(arrays.n_rules)]
    if arrays.epsilon:
        nothing = tuple((0.0,) * (len(arrays.columns) + 1) for _ in arrays.classes)
        plain.append(PlainRule(math.log(arrays.epsilon), (), nothing))
    return Model(
        classes=tuple(str(name) for name in arrays.classes),
        features=_features(arrays.columns),
        columns=tuple(_column_name(column) for column in arrays.columns),
        rules=tuple(plain),
        has_epsilon=arrays.epsilon > 0,
        log_epsilon=arrays.log_epsilon,
        zero_order=is_zero_order(arrays),
        log_prior=tuple(arrays.log_prior.tolist()) if arrays.log_prior.any() else (),
    )


def _rule(arrays: RuleArrays, r: int) -> PlainRule:
    kept = np.flatnonzero(arrays.present[r])
    return PlainRule(
        float(arrays.log_weight[r]),
        tuple((int(d), float(arrays.centers[r, d]), float(arrays.sigmas[r, d])) for d in kept),
        tuple(tuple(row) for row in arrays.consequents[r].tolist()),
    )


def _features(columns: list[ExportedColumn]) -> tuple[Feature, ...]:
    features: list[Feature] = []
    for d, column in enumerate(columns):
        name, kind, category = column["feature"], column["kind"], str(column["category"])
        if kind not in ("number", "category"):
            raise DataError(f"Column {d + 1} of the rules is of kind {kind!r}; only numbers and categories can be exported.")
        if kind == "category" and features and features[-1].name == name:
            known = features[-1]
            features[-1] = replace(known, categories=(*known.categories, category))
        elif levels := tuple(column.get("levels", ())):
            features.append(Feature(name, "ordinal", d, levels, levels[int(column["impute"])]))
        else:
            impute = float(column["impute"]) if kind == "number" else column.get("missing", column["impute"])
            categories, unknown = ((), None) if kind == "number" else ((category,), column.get("unknown"))
            features.append(Feature(name, kind, d, categories, impute, unknown, column.get("missing")))
    return tuple(features)


def _column_name(column: ExportedColumn) -> str:
    return column["feature"] if column["kind"] == "number" else f"{column['feature']} is {column['category']}"
