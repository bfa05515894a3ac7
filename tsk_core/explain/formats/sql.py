"""The rules as one SQL query, which a database computes for every row of a table.

Standard SQL (2003: common table expressions and window functions), with EXP and POWER, which SQLite has from 3.35 on
where it is built with mathematical functions. Three things follow from what databases do:

- The shift by the largest log firing level takes CASE: GREATEST is not everywhere, and (a + b + |a − b|)/2 is not exact.
  Comparisons are no numbers in most databases, so a category takes CASE as well.
- Several databases refuse an EXP that underflows, so a share below exp(−600) counts as 0.
- SQLite would write each expression out wherever it is used, which grows without bound. A window function prevents that. The
  time that it takes to read a query grows with the square of its numbers: 0.1 s for 20 rules, 20 columns and 3 classes, 5 s
  for 60 rules and 60 columns.
"""

import re
from collections.abc import Sequence
from itertools import count

from tsk_core.errors import DataError
from tsk_core.explain.formats.model import Feature, LogGauss, Model, PlainRule, Table, filled, in_comment, preface

TABLE = "your_table"
_TEMPLATE = """\
{{preface}}
-- Put the name of your table in the place of "{{table}}", and name the columns that identify a row in the last SELECT.
-- Needs {{needed}}, which SQLite has from version 3.35 on. In MySQL, set sql_mode to ANSI,NO_BACKSLASH_ESCAPES, and write
-- DOUBLE for DOUBLE PRECISION and CHAR for VARCHAR.
WITH {{steps}}
SELECT
  -- the columns that identify a row, each with a comma
  CASE {{cases}} ELSE {{last_class}} END AS tsk_class,
{{listed}}
FROM {{last_step}};
"""
_ONCE = "COUNT(*) OVER () AS {name}"  # so that the columns beside it are computed once
_MOST = 40  # terms of a sum, and values compared: databases limit how deep an expression may be
_COMPARED = 6
_NUMBER, _DIGITS = re.compile(r"-?\d+(\.\d+)?"), 4  # categories that are numbers; decimals that a column writes at most
_ESCAPE = re.compile(r"\\(?=['\"]|$)", re.MULTILINE)  # which MySQL, BigQuery and Spark would take for no end of a text
_BACKSLASH = r"SUBSTR('\x', 1, 1)"


def to_sql(model: Model) -> str:
    """The query: for each row the predicted class as ``tsk_class``, then the score and the probability of each class.

    DataError where a name holds a NUL character, which SQL cannot hold, or a column's name
    a backslash that could hide its end.
    """
    steps = _Steps({feature.name for feature in model.features})
    values = steps.add({f"x{k + 1}": _value(feature) for k, feature in enumerate(model.taken)})
    tables = {f"e{d + 1}": _table(one, values) for d, one in enumerate(model.encoded) if isinstance(one, Table)}
    columns = iter(steps.add(tables) if tables else [])
    encoded = [values[one] if isinstance(one, int) else next(columns) for one in model.encoded]
    levels = {f"z{r + 1}": _log_level(rule, values) for r, rule in enumerate(model.rules)}
    z = steps.add(levels, [rule.sentence for rule in model.rules])
    if model.log_epsilon:  # LogTSK: f = 1/(ε − z)
        z = steps.add({f"l{r + 1}": f"-LN({model.log_epsilon!r} - {_largest_of([one, '0.0'], '<=')})" for r, one in enumerate(z)})
    top = _largest(steps, z, "top")
    f = steps.add({f"f{r + 1}": _share(f"{one} - {top}") for r, one in enumerate(z)})
    total = steps.add({"total": _sum(f)})[0]
    scores = steps.add({f"score_{k + 1}": f"{_score(model, k, f, encoded)} / {total}" for k in range(len(model.classes))})
    best = _largest(steps, scores, "best")
    odds, top_odds = scores, best
    if model.log_prior:  # training weighed the classes; the probabilities are those of unweighted rows
        priors = [_number(prior) for prior in model.log_prior]
        odds = steps.add({f"odds{k + 1}": f"{score} + {priors[k]}" for k, score in enumerate(scores)})
        top_odds = _largest(steps, odds, "top_odds")
    powers = steps.add({f"power{k + 1}": _share(f"{one} - {top_odds}") for k, one in enumerate(odds)})
    sum_of_powers = steps.add({"sum_of_powers": _sum(powers)})[0]
    probabilities = steps.add({f"probability_{k + 1}": f"{power} / {sum_of_powers}" for k, power in enumerate(powers)})
    named = [f"WHEN {score} = {best} THEN {_text(name)}" for score, name in zip(scores[:-1], model.classes, strict=False)]
    listed = [f"  {score}, -- {in_comment(name)}" for score, name in zip(scores, model.classes, strict=True)]
    listed += [f"  {p}, -- probability of {in_comment(name)}" for p, name in zip(probabilities, model.classes, strict=True)]
    listed[-1] = listed[-1].replace(",", "", 1)
    return filled(
        _TEMPLATE,
        preface=preface(
            model, "-- ", made="one query. Written by TSK Explorer.", row="Your table has the columns of the first SELECT",
            missing="A missing value is NULL, not empty text, and is",
        ),
        table=TABLE,
        needed="EXP, POWER and LN" if model.log_epsilon else "EXP and POWER",
        steps=steps.text,
        cases=" ".join(named),
        last_class=_text(model.classes[-1]),
        listed="\n".join(listed),
        last_step=steps.last,
    )  # fmt: skip


class _Steps:
    """Common table expressions, each with all columns of the one before and some more."""

    def __init__(self, features: set[str]) -> None:
        lower = [name.casefold() for name in features]
        self._prefix = next(p for p in (f"tsk{'_' * k}" for k in count(1)) if not any(name.startswith(p) for name in lower))
        self._steps: list[str] = []

    @property
    def last(self) -> str:
        """The name of the newest expression."""
        return f"{self._prefix}step{len(self._steps)}"

    @property
    def text(self) -> str:
        """All of them."""
        return ",\n".join(self._steps)

    def add(self, columns: dict[str, str], comments: Sequence[str] = ()) -> list[str]:
        """One step more, with these columns (name -> expression); returns the names that later steps know them by.

        comments: one for each column, or none.
        """
        source = f"{self.last} t" if self._steps else f'"{TABLE}" t'
        named = {f"{self._prefix}{name}": text for name, text in columns.items()}
        once = _ONCE.format(name=f"{self._prefix}n{len(self._steps) + 1}")
        above = [f"  -- {in_comment(comment)}\n" for comment in comments] or [""] * len(named)
        lines = [f"{comment}  {text} AS {name}" for comment, (name, text) in zip(above, named.items(), strict=True)]
        body = ",\n".join(["  t.*", *lines, f"  {once}"])
        self._steps.append(f"{self._prefix}step{len(self._steps) + 1} AS (\nSELECT\n{body}\nFROM {source})")
        return list(named)


def _value(feature: Feature) -> str:
    """A number, or a category as text; where it is missing, what replaces it."""
    column = _quoted(feature.name)
    if feature.kind == "number":
        return f"CAST(COALESCE({column}, {feature.impute!r}) AS DOUBLE PRECISION)"
    text = f"CAST({column} AS VARCHAR(4000))"
    made = (feature.unknown, feature.missing) if feature.kind == "category" else ()
    if spelled := _other_spellings([name for name in feature.categories if name not in made]):
        cases = " ".join(f"WHEN {_text(other)} THEN {_text(name)}" for other, name in spelled.items())
        text = f"CASE LOWER({text}) {cases} ELSE {text} END"
    return f"COALESCE({text}, {_text(str(feature.impute))})"


def _other_spellings(categories: Sequence[str]) -> dict[str, str]:
    """How else databases write a category as text, in small letters: a Boolean as "true", "t" or "1", a number as "1.0".

    categories: those that cells have.
    """
    if not categories:
        return {}
    if set(categories) <= {"True", "False"}:
        return {"true": "True", "t": "True", "1": "True", "false": "False", "f": "False", "0": "False"}
    if not all(map(_NUMBER.fullmatch, categories)):
        return {}
    padded = {f"{name}{zeros}": name for name in categories for zeros in _padding(name)}
    return {text: name for text, name in padded.items() if text not in categories}


def _padding(number: str) -> list[str]:
    """The zeros that a column of REAL or DECIMAL numbers writes after a number."""
    whole, _, digits = number.partition(".")
    return [("" if digits else ".") + "0" * k for k in range(1, _DIGITS + 1 - len(digits))]


def _log_level(rule: PlainRule, values: list[str]) -> str:
    """The sum of a rule's terms, those on numbers first."""
    of_numbers = [
        f"POWER(({values[term.feature]} - {_number(term.center)}) / {term.sigma!r}, 2)"
        for term in rule.terms if isinstance(term, LogGauss)
    ]  # fmt: skip
    terms = [f"CAST({rule.log_weight!r} AS DOUBLE PRECISION)"] if rule.log_weight or not rule.terms else []
    if of_numbers:
        terms.append(f"-0.5 * {f'({_sum(of_numbers)})' if len(of_numbers) > 1 else of_numbers[0]}")
    return _sum([*terms, *(_table(term, values) for term in rule.terms if isinstance(term, Table))], "\n    + ")


def _table(table: Table, values: list[str]) -> str:
    chosen = " ".join(f"WHEN {_text(category)} THEN {value!r}" for category, value in table.entries)
    return f"CAST(CASE {values[table.feature]} {chosen} ELSE {table.other!r} END AS DOUBLE PRECISION)"


def _share(level: str) -> str:
    return f"CASE WHEN {level} < -600 THEN 0.0 ELSE EXP({level}) END"


def _score(model: Model, k: int, f: list[str], encoded: list[str]) -> str:
    outputs = []
    for level, rule in zip(f, model.rules, strict=True):
        constant, *slopes = rule.consequents[k]
        pairs = zip(slopes, encoded, strict=False)  # nothing is encoded where all slopes are 0
        terms = [f"{_number(slope)} * {value}" for slope, value in pairs if slope]
        outputs.append(f"{level} * " + (f"({_sum([repr(constant), *terms])})" if terms else _number(constant)))
    return f"({_sum(outputs)})"


def _largest(steps: _Steps, values: list[str], name: str) -> str:
    """A column with the largest of these columns, found a few at a time."""
    for level in count(1):
        groups = [values[start : start + _COMPARED] for start in range(0, len(values), _COMPARED)]
        values = steps.add({f"{name}{level}_{k + 1}": _largest_of(group) for k, group in enumerate(groups)})
        if len(values) == 1:
            return values[0]
    raise AssertionError


def _largest_of(values: list[str], sign: str = ">=") -> str:
    if len(values) == 1:
        return values[0]
    cases = [
        f"WHEN {' AND '.join(f'{value} {sign} {other}' for other in values[k + 1 :])} THEN {value}"
        for k, value in enumerate(values[:-1])
    ]
    return f"CASE {' '.join(cases)} ELSE {values[-1]} END"


def _sum(terms: list[str], plus: str = " + ") -> str:
    """A sum, in brackets where it has many terms."""
    while len(terms) > _MOST:
        terms = [f"({' + '.join(terms[start : start + _MOST])})" for start in range(0, len(terms), _MOST)]
    return plus.join(terms)


def _number(value: float) -> str:
    return f"({value!r})" if value < 0 else repr(value)


def _quoted(name: str) -> str:
    if _ESCAPE.search(name):
        raise DataError(
            f"The column '{name[:40]}' has a backslash before a quotation mark or at its end. Where a backslash"
            " escapes, as in MySQL, what follows would run as SQL; rename it, or export another format."
        )
    return '"' + _checked(name).replace('"', '""') + '"'


def _text(text: str) -> str:
    """A text that ends where it should also in databases in which a backslash escapes the quotation mark after it."""
    if not _ESCAPE.search(text):
        return _literal(text)
    return f"({f' || {_BACKSLASH} || '.join(map(_literal, text.split(chr(92))))})"


def _literal(text: str) -> str:
    return "'" + _checked(text).replace("'", "''") + "'"


def _checked(text: str) -> str:
    if "\0" in text:
        raise DataError("A name holds a NUL character, which SQL cannot hold; export another format.")
    return text
