"""A condition on a category in words: the states that it names, and those of an ordered feature as a range."""

from collections.abc import Sequence

import numpy as np

from tsk_core.data.orders import order_of
from tsk_core.explain.one_line import in_sentence

__all__ = ["names_others", "said"]

MANY = 3  # with more named states than this, the text of a feature without an order may name the others instead


def said(feature: str, names: Sequence[str], listed: np.ndarray, *, ordered: bool = False) -> tuple[str, str]:
    """The label and the text of a condition: "red or blue", "colour is red or blue"; of ordered states "≥ 2", "clubbing ≥ 2".

    names: of the feature's states. listed: those that the condition names, bool: at least one, not all. ordered: whether the
    names stand in their order; else ``order_of`` finds it.
    """
    label, is_range, _ = _words(names, listed, ordered)
    shown, text = [in_sentence(name) for name in names], label
    if shown != [*names]:
        text = _words(shown, listed, ordered)[0]
    return label, f"{in_sentence(feature)} {text}" if is_range else f"{in_sentence(feature)} is {text}"


def names_others(names: Sequence[str], listed: np.ndarray, *, ordered: bool = False) -> bool:
    """Whether ``said`` names the states that are left out, as in "not red", which a state that nobody knows satisfies."""
    return _words(names, listed, ordered)[2]


def _words(names: Sequence[str], listed: np.ndarray, ordered: bool) -> tuple[str, bool, bool]:
    """The label, whether it is a range, and whether it names the others."""
    chosen = [name for name, yes in zip(names, listed, strict=True) if yes]
    others = [name for name, yes in zip(names, listed, strict=True) if not yes]
    if order := tuple(range(len(names))) if ordered else order_of(tuple(names)):
        runs = _runs(order, listed)
        if len(runs) == 1 and len(chosen) == runs[0][1] - runs[0][0] + 1 and (ends := _half_open(names, order, *runs[0])):
            return ends, True, False
        every = runs == [(0, len(order) - 1)]
        named, rest = _pieces(names, order, listed), _pieces(names, order, ~listed)
        by_others = every or len(rest) < len(named)
    else:
        named, rest = chosen, others
        by_others = len(chosen) > MANY and len(others) < len(chosen)
    return "not " + " or ".join(rest) if by_others else " or ".join(named), False, by_others


def _runs(order: Sequence[int], listed: np.ndarray) -> list[tuple[int, int]]:
    """The runs of listed states that follow each other, as first and last place in the order."""
    places = np.flatnonzero(listed[list(order)])
    parts = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    return [(int(part[0]), int(part[-1])) for part in parts if len(part)]


def _half_open(names: Sequence[str], order: Sequence[int], first: int, last: int) -> str:
    """As "≥ 2" or "≤ 1" for a run of several states at one end of the order; else ""."""
    at_start, at_end = first == 0, last == len(order) - 1
    if first == last or at_start == at_end:
        return ""
    return f"≤ {names[order[last]]}" if at_start else f"≥ {names[order[first]]}"


def _pieces(names: Sequence[str], order: Sequence[int], listed: np.ndarray) -> list[str]:
    """The listed states: runs such as "1 to 2", then those outside the order."""
    runs = [
        names[order[first]] if first == last else f"{names[order[first]]} to {names[order[last]]}"
        for first, last in _runs(order, listed)
    ]
    return runs + [name for k, name in enumerate(names) if listed[k] and k not in order]
