"""What a file needs to predict as the exported rules do: features, sparse conditions and linear functions, as plain Python.

Source: the dictionary of format "tsk-rules" (METHOD: z_r = w_r − Σ_d (x_d − m_rd)²/(2σ_rd²), f̄ = softmax(z), y = Σ_r f̄_r y_r).
Under the normalisation "paper", f̄_r = exp(z_r)/(Σ_s exp(z_s) + ε). That is a softmax with one rule more, which has no
condition, the log-weight log ε and the score 0 for every class; so no format needs a case of its own for it. Under "log",
f̄ = softmax(−log(ε − z)): one step more between z and the softmax. Under "layer-relu" no format predicts (``layer_normalised``).

Code takes features of the table, fuzzy systems and ONNX take encoded columns; a rule has its conditions in both forms.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from textwrap import fill

import numpy as np

from tsk_core.data.naming import identifier as stem_of
from tsk_core.errors import DataError
from tsk_core.explain.antecedents import HOLDS, in_sentence
from tsk_core.explain.exported import ExportedColumn, ExportedRules, RuleArrays, is_zero_order, read_rules
from tsk_core.explain.labels import number
from tsk_core.model.firing import HALF_HEIGHT

_LOWEST = -1e300  # a log firing level that every language can write and subtract


@dataclass(frozen=True)
class Feature:
    """One feature of the table, with the encoded columns ``first``, ``first`` + 1, … that it becomes.

    kind: "number", one column; "category", one column for each of ``categories``, which is 1 where the value is that category; or
    "ordinal", one column with the rank of the value among ``categories``, from 0.
    impute: replaces a missing value: a number, or a category.
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
    def columns(self) -> range:
        """The positions of its encoded columns."""
        return range(self.first, self.first + (len(self.categories) if self.kind == "category" else 1))

    def encoded(self, category: str | None) -> list[float]:
        """The encoded columns of one of its categories; of another one where it is None."""
        chosen = self.unknown if category is None else category
        if self.kind == "ordinal":
            return [float(self.categories.index(str(chosen)))]
        return [float(name == chosen) for name in self.categories]


@dataclass(frozen=True)
class LogGauss:
    """A condition on a number: −(x − center)²/(2 sigma²). feature: its position among ``Model.taken``. sigma: positive."""

    feature: int
    center: float
    sigma: float


@dataclass(frozen=True)
class Table:
    """A number for each category of a feature: what a condition on it, or an encoded column, is.

    feature: its position among ``Model.taken``. entries: at least one category with its number; other: that of each other one.
    """

    feature: int
    entries: tuple[tuple[str, float], ...]
    other: float


@dataclass(frozen=True)
class PlainRule:
    """One rule.

    name: "rule 1" or "epsilon". conditions: (column, centre, σ > 0) of each antecedent that was not dropped. terms: the same on
    features, in their order; the logarithm of the firing level is the log-weight and their sum. consequents: C rows of D + 1,
    constant first. sentence: such as "Rule 1: IF size is between 40 and 60 THEN yes", with the range of membership 0.5 and above;
    the name alone where scores are no constants.
    """

    name: str
    log_weight: float
    conditions: tuple[tuple[int, float, float], ...]
    terms: tuple[LogGauss | Table, ...]
    consequents: tuple[tuple[float, ...], ...]
    sentence: str


@dataclass(frozen=True)
class Model:
    """Exported rules as plain values.

    columns: the name of each of the D encoded columns, such as "size" or "colour is red". rules: at least one; under the
    normalisation "paper" the last one stands for ε (``has_epsilon``), the others are those of the model, in their order.
    taken: the features that code takes: all, but of a zero-order base those with a condition in some rule. encoded: of the D
    columns the position of the number among ``taken``, or the table of the category; none in a zero-order base, where every
    consequent is constant. log_epsilon: ε of the normalisation "log", 0 of others. log_prior: what is added to the scores before
    the softmax that gives probabilities, C numbers; none without class weights.
    """

    classes: tuple[str, ...]
    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    rules: tuple[PlainRule, ...]
    taken: tuple[Feature, ...]
    encoded: tuple[int | Table, ...]
    has_epsilon: bool
    log_epsilon: float
    log_prior: tuple[float, ...] = ()

    @property
    def zero_order(self) -> bool:
        """Whether every consequent is constant."""
        return not self.encoded

    def weights(self) -> list[float]:
        """The rules' weights in [0, 1] for formats that have no logarithm: exp(log-weight), the largest one being 1.

        A common factor of all firing levels does not change their normalised values.
        """
        top = max(rule.log_weight for rule in self.rules)
        return [math.exp(rule.log_weight - top) for rule in self.rules]


def read_model(rules: ExportedRules) -> Model:
    """Parse an exported dictionary that no format refuses. DataError for what is none, and for columns of another kind."""
    arrays = read_rules(rules)
    classes, zero_order = tuple(str(name) for name in arrays.classes), is_zero_order(arrays)
    features = _features(arrays.columns)
    taken = tuple(one for one in features if not zero_order or arrays.present[:, one.columns].any())
    plain = [_rule(arrays, r, taken) for r in range(arrays.n_rules)]
    if arrays.epsilon:
        nothing = tuple((0.0,) * (len(arrays.columns) + 1) for _ in classes)
        plain.append(PlainRule("epsilon", math.log(arrays.epsilon), (), (), nothing, "Epsilon of the normalisation"))
    return Model(
        classes=classes,
        features=features,
        columns=tuple(_column_name(column) for column in arrays.columns),
        rules=tuple(replace(rule, sentence=_sentence(rule, taken, classes)) if zero_order else rule for rule in plain),
        taken=taken,
        encoded=() if zero_order else tuple(one for at, feature in enumerate(taken) for one in _encoded(at, feature)),
        has_epsilon=arrays.epsilon > 0,
        log_epsilon=arrays.log_epsilon,
        log_prior=tuple(arrays.log_prior.tolist()) if arrays.log_prior.any() else (),
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
            usual = levels[int(column["impute"])]
            features.append(Feature(name, "ordinal", d, levels, usual, usual))
        else:
            impute = float(column["impute"]) if kind == "number" else column.get("missing", column["impute"])
            categories, unknown = ((), None) if kind == "number" else ((category,), column.get("unknown"))
            features.append(Feature(name, kind, d, categories, impute, unknown, column.get("missing")))
    return tuple(features)


def _column_name(column: ExportedColumn) -> str:
    return column["feature"] if column["kind"] == "number" else f"{column['feature']} is {column['category']}"


def _rule(arrays: RuleArrays, r: int, taken: tuple[Feature, ...]) -> PlainRule:
    kept = np.flatnonzero(arrays.present[r]).tolist()
    by_column = {d: (float(arrays.centers[r, d]), float(arrays.sigmas[r, d])) for d in kept}
    return PlainRule(
        name=f"rule {r + 1}",
        log_weight=float(arrays.log_weight[r]),
        conditions=tuple((d, *condition) for d, condition in by_column.items()),
        terms=tuple(_term(at, one, by_column) for at, one in enumerate(taken) if by_column.keys() & set(one.columns)),
        consequents=tuple(tuple(row) for row in arrays.consequents[r].tolist()),
        sentence=f"Rule {r + 1}",
    )


def _term(at: int, feature: Feature, by_column: dict[int, tuple[float, float]]) -> LogGauss | Table:
    if feature.kind == "number":
        return LogGauss(at, *by_column[feature.first])
    conditions = [(k, *by_column[d]) for k, d in enumerate(feature.columns) if d in by_column]

    def level(encoded: list[float]) -> float:
        distances = [(encoded[k] - center) / sigma for k, center, sigma in conditions]
        return max(-0.5 * sum(distance * distance for distance in distances), _LOWEST)

    return _table(at, feature, level)


def _encoded(at: int, feature: Feature) -> Iterator[int | Table]:
    """The encoded columns of a feature that is taken."""
    if feature.kind == "number":
        yield at
        return
    for k in range(len(feature.columns)):
        yield _table(at, feature, itemgetter(k))


def _table(at: int, feature: Feature, value: Callable[[list[float]], float]) -> Table:
    """What ``value`` makes of the encoded columns of each category."""
    entries = tuple((name, value(feature.encoded(name))) for name in feature.categories)
    other = value(feature.encoded(None))
    return Table(at, tuple(entry for entry in entries if entry[1] != other) or entries[:1], other)


def _sentence(rule: PlainRule, taken: tuple[Feature, ...], classes: tuple[str, ...]) -> str:
    """The sentence of a rule whose scores are constants."""
    scores = [row[0] for row in rule.consequents]
    conditions = [text for term in rule.terms if (text := _condition(taken[term.feature], term))]
    then = in_sentence(classes[scores.index(max(scores))]) if len(set(scores)) > 1 else "no class"
    return f"{rule.name.capitalize()}: IF {' AND '.join(conditions) or 'anything'} THEN {then}"


def _condition(feature: Feature, term: LogGauss | Table) -> str:
    """The words of a condition; "" for one that holds for every category."""
    feature_name = in_sentence(feature.name)
    if isinstance(term, LogGauss):
        half = HALF_HEIGHT * term.sigma
        low, high = (number(value, term.sigma) for value in (term.center - half, term.center + half))
        return f"{feature_name} is between {low} and {high}"
    levels = dict.fromkeys(feature.categories, term.other) | dict(term.entries)
    least = max(levels.values()) + math.log(HOLDS)
    chosen = [in_sentence(name) for name, level in levels.items() if level >= least]
    return f"{feature_name} is {' or '.join(chosen)}" if len(chosen) < len(levels) else ""


# Code is a template of its language, in which each part stands as {{its name}}.


_PLACE = re.compile(r"^\{\{(\w+)\}\}\n|\{\{(\w+)\}\}", re.MULTILINE)
_WIDTH = 127


def filled(template: str, **parts: str) -> str:
    """A template with its parts, which may hold braces; a place that is a line of its own goes where its part is empty."""

    def part(place: re.Match[str]) -> str:
        text = parts[place[1] or place[2]]
        return f"{text}\n" if place[1] and text else text

    return _PLACE.sub(part, template)


def preface(model: Model, sign: str, *, made: str, row: str, missing: str, text: str = "text") -> str:
    """What the head of code says, each line after the sign of a comment.

    made: what the classifier is written as, and what it needs. row: what holds the columns. missing: what stands for a missing
    value, with a verb. text: what a category is.
    """
    readable, output, taken, sentence = "", "linear function", "", ""
    if model.zero_order:
        readable, output, taken = "readable ", "score", ", those that some rule has a condition on; other columns are not used"
        sentence = " A sentence gives the range in which a condition's membership is at least one half."
    said = [
        f"A {readable}fuzzy classifier as {made}",
        f"Each rule is its conditions and a {output} for each class. The predicted scores are the mean of the rules' {output}s,"
        f" weighted by their firing levels.{sentence}",
        f"{row}{taken}. Numbers have no unit, and a date is the number that the name of its column says. {missing} replaced as in"
        f' training. A category is {text}; one that training did not have counts as none of them, as "other" where training'
        " merged rare categories into that, and where they have an order as missing.",
    ]
    return f"\n{sign.rstrip()}\n".join(fill(one, _WIDTH, initial_indent=sign, subsequent_indent=sign) for one in said)


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


# What of exported rules a format cannot hold: functions that say so in a sentence, "" where there is none of it.


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
