"""The "tsk-rules" dictionary, version 1, as types: a model in original units. ``export.py`` writes it, ``reader.py`` reads it."""

from typing import NotRequired, TypedDict

__all__ = ["ExportedColumn", "ExportedDate", "ExportedRule", "ExportedRules", "Label", "Normalisation"]

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
