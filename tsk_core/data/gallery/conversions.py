"""Convert tables of OpenML to those of the paper. Each function takes a table, target last, and returns one with ``class``.

Unexpected values stay unchanged; ``canonical_hash`` then detects the difference from the paper's table.
"""

from collections.abc import Callable

import pandas as pd

from tsk_core.data.naming import printed

__all__ = ["abalone", "clave", "magic", "waveform", "with_class_names"]

_RINGS = {"rings_le_9": 9, "rings_10_15": 15, "rings_ge_16": float("inf")}
_CLAVES = ["neutral", "reverse_clave", "forward_clave", "incoherent"]


def with_class_names(names: dict[str, str] | None = None) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """A conversion that renames classes: ``{"1": "text", …}``; other classes keep their names."""

    def convert(frame: pd.DataFrame) -> pd.DataFrame:
        words = frame.iloc[:, -1].map(printed, na_action="ignore")
        words = words.map(lambda word: (names or {}).get(word, word), na_action="ignore")
        return frame.iloc[:, :-1].assign(**{"class": words.astype("str")})

    return convert


def waveform(frame: pd.DataFrame) -> pd.DataFrame:
    """The first 21 columns; the other 19 are only noise, which the paper's version lacks."""
    both = pd.concat([frame.iloc[:, :-1].iloc[:, :21], frame.iloc[:, -1:]], axis=1)
    return with_class_names({str(k): f"wave_{k}" for k in range(3)})(both)


def abalone(frame: pd.DataFrame) -> pd.DataFrame:
    """Rings, a measure of age, in three classes: up to 9, 10 to 15, 16 and more."""
    rings = pd.to_numeric(frame.iloc[:, -1].astype(object), errors="coerce")
    classes = pd.cut(rings, [-1, *_RINGS.values()], labels=list(_RINGS))
    return frame.iloc[:, :-1].assign(**{"class": classes.astype("str")})


def magic(frame: pd.DataFrame) -> pd.DataFrame:
    """Without the row numbers of OpenML's table."""
    numbers = [name for name in frame.columns[:-1] if name.strip(":").casefold() == "id"]
    return with_class_names({"g": "gamma", "h": "hadron"})(frame.drop(columns=numbers))


def clave(frame: pd.DataFrame) -> pd.DataFrame:
    """The four outputs of the original, one for each class, as one column; rows without exactly one class are left out."""
    if frame.shape[1] != 16 + len(_CLAVES):
        return with_class_names()(frame)
    outputs = (frame.iloc[:, 16:].apply(pd.to_numeric, errors="coerce") > 0).set_axis(_CLAVES, axis=1)
    single = outputs.sum(axis=1) == 1
    classes = outputs[single].idxmax(axis=1).astype("str")
    return frame.iloc[:, :16][single].assign(**{"class": classes}).reset_index(drop=True)
