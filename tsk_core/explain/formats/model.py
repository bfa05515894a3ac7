"""What a program needs to predict as the exported rules do: features, sparse conditions and linear functions, as plain Python.

Source: the dictionary of format "tsk-rules" (METHOD: z_r = w_r − Σ_d (x_d − m_rd)²/(2σ_rd²), f̄ = softmax(z), y = Σ_r f̄_r y_r).
Under the normalisation "paper", f̄_r = exp(z_r)/(Σ_s exp(z_s) + ε). That is a softmax with one rule more, which has no
condition, the log-weight log ε and the score 0 for every class; so no format needs a case of its own for it. Under "log",
f̄ = softmax(−log(ε − z)): one step more between z and the softmax. Under "layer-relu" no format here predicts (``refusals.py``).
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.data.naming import identifier as stem_of
from tsk_core.errors import DataError
from tsk_core.explain.antecedents import HOLDS, in_sentence
from tsk_core.explain.exported import ExportedColumn, ExportedRules, RuleArrays, is_zero_order, read_rules
from tsk_core.explain.labels import number
from tsk_core.model.firing import HALF_HEIGHT


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


# What code needs of a zero-order rule base: the features that a rule has a condition on, and each rule as a few terms.
#
# A condition adds to the logarithm of its rule's firing level: one on a number −(x − m)²/(2σ²), one on a category what its
# columns of 0 and 1 add together, which is a table of the categories.


_LOWEST = -1e300  # a log firing level that every language can write and subtract


@dataclass(frozen=True)
class OnNumber:
    """A condition on a number. feature: its position among ``ZeroOrder.features``. sigma: positive."""

    feature: int
    center: float
    sigma: float


@dataclass(frozen=True)
class OnCategory:
    """A condition on a category. feature: its position among ``ZeroOrder.features``.

    levels: what a category adds to the log firing level, in [-1e300, 0], at least one; other: what each other category adds.
    """

    feature: int
    levels: tuple[tuple[str, float], ...]
    other: float


@dataclass(frozen=True)
class ZeroOrderRule:
    """sentence: such as "Rule 1: IF size is between 40 and 60 THEN yes", with the range of membership 0.5 and above.

    terms: the conditions, in the order of the features. scores: (C,), the constant of each class.
    """

    sentence: str
    log_weight: float
    terms: tuple[OnNumber | OnCategory, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True)
class ZeroOrder:
    """features: those with a condition in some rule. rules: those of the ``Model``, among them the one of ε."""

    features: tuple[Feature, ...]
    rules: tuple[ZeroOrderRule, ...]


def read_zero_order(model: Model) -> ZeroOrder:
    """The rules of a model whose slopes are all 0."""
    columns = {column for rule in model.rules for column, _, _ in rule.conditions}
    features = tuple(feature for feature in model.features if columns & set(_columns(feature)))
    rules = (_zero_order_rule(model, features, rule, name) for rule, name in zip(model.rules, model.rule_names, strict=True))
    return ZeroOrder(features, tuple(rules))


def _columns(feature: Feature) -> range:
    return range(feature.first, feature.first + feature.width)


def _zero_order_rule(model: Model, features: tuple[Feature, ...], rule: PlainRule, name: str) -> ZeroOrderRule:
    by_column = {column: (center, sigma) for column, center, sigma in rule.conditions}
    terms: list[OnNumber | OnCategory] = []
    for at, feature in enumerate(features):
        if not by_column.keys() & set(_columns(feature)):
            continue
        if feature.kind == "number":
            terms.append(OnNumber(at, *by_column[feature.first]))
        elif feature.kind == "ordinal":
            terms.append(_on_rank(at, feature, *by_column[feature.first]))
        else:
            terms.append(_on_category(at, feature, by_column))
    scores = tuple(row[0] for row in rule.consequents)
    conditions = [text for term in terms if (text := _condition(features[term.feature], term))]
    then = in_sentence(model.classes[scores.index(max(scores))]) if len(set(scores)) > 1 else "no class"
    sentence = f"{name.capitalize()}: IF {' AND '.join(conditions) or 'anything'} THEN {then}"
    return ZeroOrderRule(sentence, rule.log_weight, tuple(terms), scores)


def _on_category(at: int, feature: Feature, by_column: dict[int, tuple[float, float]]) -> OnCategory:
    levels = tuple((name, _level(feature, by_column, k)) for k, name in enumerate(feature.categories))
    other = dict(levels)[feature.unknown] if feature.unknown else _level(feature, by_column, None)
    return OnCategory(at, tuple((name, level) for name, level in levels if level != other) or levels, other)


def _on_rank(at: int, feature: Feature, center: float, sigma: float) -> OnCategory:
    """A condition on ordered categories as a table of them; an unknown one is what replaces it."""
    distances = [(rank - center) / sigma for rank in range(len(feature.categories))]
    levels = tuple(
        (name, max(-0.5 * distance * distance, _LOWEST)) for name, distance in zip(feature.categories, distances, strict=True)
    )
    other = dict(levels)[str(feature.impute)]
    return OnCategory(at, tuple((name, level) for name, level in levels if level != other) or levels, other)


def _level(feature: Feature, by_column: dict[int, tuple[float, float]], chosen: int | None) -> float:
    """What the columns of a category add where its ``chosen`` one is 1, or none."""
    level = 0.0
    for k, column in enumerate(_columns(feature)):
        if column in by_column:
            center, sigma = by_column[column]
            distance = (float(k == chosen) - center) / sigma
            level -= 0.5 * distance * distance
    return max(level, _LOWEST)


def _condition(feature: Feature, term: OnNumber | OnCategory) -> str:
    """The words of a condition; "" for one that holds for every category."""
    feature_name = in_sentence(feature.name)
    if isinstance(term, OnNumber):
        half = HALF_HEIGHT * term.sigma
        low, high = (number(value, term.sigma) for value in (term.center - half, term.center + half))
        return f"{feature_name} is between {low} and {high}"
    levels = dict.fromkeys(feature.categories, term.other) | dict(term.levels)
    least = max(levels.values()) + math.log(HOLDS)
    chosen = [in_sentence(name) for name, level in levels.items() if level >= least]
    return f"{feature_name} is {' or '.join(chosen)}" if len(chosen) < len(levels) else ""


# Names of columns and classes in files of other languages: as identifiers, and in comments. They come from users' tables.


_WORDS = (  # that mean something in C or MATLAB, or in a language to which somebody may translate the file
    "and as assert async auto await bool break case catch char class const continue def default del delete do double elif else"
    " end enum except export extends extern false finally float for from function global goto if import in inline int is lambda"
    " long new none nonlocal not null or pass raise register restrict return short signed sizeof static struct switch this"
    " throw true try typedef typeof union unsigned var void volatile while with yield"
)
_RESERVED = frozenset(_WORDS.split())


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """A valid identifier for each name, in small ASCII letters, digits and underscores: distinct, and none of ``taken``."""
    chosen: list[str] = []
    used = {*taken, *_RESERVED}
    for name in names:
        stem = stem_of(name)
        identifier, number = stem, 1
        while identifier in used:
            number += 1
            identifier = f"{stem}_{number}"
        used.add(identifier)
        chosen.append(identifier)
    return chosen


def in_comment(text: str, forbidden: str = "") -> str:
    """Text on one line of printable ASCII for a comment; other characters, and each of ``forbidden``, become "?"."""
    return "".join(c if " " <= c <= "~" and c not in forbidden else "?" for c in " ".join(text.split()))


# Cells that training read otherwise than they stand in the table: comments at the top of code, which takes them as they are.


_CONTINUES = "\\"  # a comment of C on the next line


def raw_cell_comments(rules: ExportedRules, sign: str, *, reads_truth: bool) -> str:
    """A line for each such column, after the sign of a comment; "" where there is none.

    reads_truth: whether the code reads "TRUE" as "True".
    """
    notes = list(dict.fromkeys(_notes(rules, reads_truth)))
    return "".join(f"{sign} {in_comment(note, _CONTINUES)}\n" for note in notes)


def _notes(rules: ExportedRules, reads_truth: bool) -> Iterator[str]:
    for column in rules["columns"]:
        name = column["feature"]
        if codes := column.get("codes"):
            yield f"{name}: in the table, {', '.join(codes)} stood for a missing value; pass a missing value in its place."
        if (source := column.get("flag_of")) is not None:
            yield f"{name}: pass yes where {source} is missing, else no."
        if column.get("truth") and not reads_truth:
            yield f"{name}: pass True and False as these words, not as TRUE, true or 1."


# What of exported rules a format cannot hold: functions that say so in a sentence, and "" where there is none of it.


def layer_normalised(rules: ExportedRules) -> str:
    """For formats without the step between firing levels and scores."""
    if rules["normalisation"]["kind"] != "layer-relu":
        return ""
    return "Code, SQL, ONNX, .fis and FML cannot hold layer-normalised firing levels; export JSON instead."


def log_levels(rules: ExportedRules) -> str:
    """For formats that multiply memberships."""
    if rules["normalisation"]["kind"] != "log":
        return ""
    return "A fuzzy system of .fis or FML cannot hold firing levels of kind log; export JSON, ONNX or code instead."


def empty_category(rules: ExportedRules) -> str:
    """For formats that take empty text as missing."""
    for column in rules["columns"]:
        if "" in (column["category"], *column.get("levels", ())):
            return f"An ONNX file takes empty text as missing, but it is a category of {column['feature']!r}; rename that."
    return ""
