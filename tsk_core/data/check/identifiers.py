"""Identifiers: how columns that name things rather than measure them are told by their name and by their words."""

import re

import numpy as np

from tsk_core.data.clean.cells import Cells

__all__ = ["are_codes", "name_words", "names_a_subject", "whole"]

_WORD = re.compile(r"[A-ZÄÖÜ]?[a-zäöüß]+|[A-ZÄÖÜ]+(?![a-zäöüß])|#")
_NUMBERS = {"id", "ids", "nr", "no", "number", "nummer", "num", "kennung", "identifier", "uuid", "guid", "#"}
_SUBJECTS = {
    "account", "animal", "author", "batch", "bearing", "case", "charge", "child", "client", "course", "customer", "device",
    "donor", "driver", "experiment", "family", "house", "household", "instructor", "job", "lot", "machine", "member", "mother",
    "operator", "order", "owner", "participant", "patient", "person", "plot", "pupil", "recording", "respondent", "sensor",
    "session", "sitzung", "speaker", "station", "student", "subj", "subject", "teacher", "unit", "user", "vehicle", "visitor",
    "volunteer", "worker", "writer", "fahrer", "fahrzeug", "familie", "gerät", "geraet", "haushalt", "kind", "kunde", "kundin",
    "lehrer", "maschine", "mitarbeiter", "nutzer", "patientin", "probandin", "proband", "schüler", "sprecher", "teilnehmer",
    "tier", "versuchsperson",
}  # fmt: skip
_COUNTS = {"of", "per", "n", "count", "how", "many", "mean", "total", "anzahl", "pro"}
_CODE = re.compile(r"[\w#/.:-]*\d[\w#/.:-]*")  # one word with a digit
_SHARE = 0.9  # of words that are codes


def name_words(name: str) -> list[str]:
    """The words of a column's name in small letters: "PatientID" and "patient_id" have "patient" and "id"."""
    return [word.lower() for word in _WORD.findall(name[:200])]


def names_a_subject(name: str) -> bool:
    """Whether a column's name ends as names of subjects do: "patient", "ID", "job number"; a count ("n patient") does not."""
    words = name_words(name)
    if not words or _COUNTS & set(words):
        return False
    last = words[-1]
    return last in _SUBJECTS | _NUMBERS or last.endswith(("nummer", "nr")) or (last.endswith("id") and last[:-2] in _SUBJECTS)


def are_codes(cells: Cells) -> bool:
    """Whether (almost) all words of a column are codes, such as "P017" or "a3-f9"."""
    if cells.kind != "text" or not len(cells.words):
        return False
    return float(cells.words.str.fullmatch(_CODE).mean()) >= _SHARE


def whole(values: np.ndarray) -> bool:
    """Whether all numbers are whole and not negative; NaN counts as missing."""
    return bool((np.isnan(values) | ((values >= 0) & (values % 1 == 0))).all())
