"""A difference of two scores over seeds in words: always the one less the other, never turned round. Plain text.

As "UR − MBGD: −0.1 points (95% interval −1.2 to 1.0); lower in 1, equal in 3, higher in 1 of 5 seeds".
"""

from collections.abc import Iterable

from tsk_core.evaluate.across_seeds import SeedDifference
from tsk_core.numbers import minus, signed

__all__ = ["detectable_text", "difference_text", "interval_text", "points_text", "signs_text"]

_DIGITS = 1
_MOST_DIGITS = 4


def difference_text(what: str, of: SeedDifference, unit: str = "seeds") -> str:
    """The difference, its interval, and in how many seeds it has which sign. what: as "UR − MBGD". unit: what the pairs are."""
    start = f"{what}: {points_text(of.difference)} points"
    if of.of == 1:
        return f"{start} in the only seed"
    if of.low is None or of.high is None:
        return f"{start} in each of {of.of} {unit}, so there is no spread and no interval"
    return f"{start} ({interval_text(of)}); {signs_text(of)} {unit}"


def points_text(difference: float) -> str:
    """With its sign, as "+1.9" or "−0.1"; "0.0" has none."""
    return signed(100 * difference, _DIGITS)


def interval_text(of: SeedDifference) -> str:
    """As "98.3% interval 0.7 to 9.1"; bounds get as many digits as it takes to tell on which side of 0 they are. "" for none."""
    bounds = [100 * bound for bound in (of.low, of.high) if bound is not None]
    if not bounds:
        return ""
    nearest = min(map(abs, bounds))
    digits = next((n for n in range(_DIGITS, _MOST_DIGITS) if float(f"{nearest:.{n}f}")), _MOST_DIGITS) if nearest else _DIGITS
    low, high = (minus(f"{bound:.{digits}f}") for bound in bounds)
    return f"{_level(of.level)} interval {low} to {high}"


def signs_text(of: SeedDifference) -> str:
    """In how many seeds the difference is above, at and below 0, its own sign first: "lower in 1, higher in 4 of 5"."""
    signs = [("higher", of.wins), ("equal", of.ties), ("lower", of.losses)]
    own, *others = signs[::-1] if of.difference < 0 else signs
    found = [own, *(sign for sign in others if sign[1])]
    return f"{', '.join(f'{name} in {times}' for name, times in found)} of {of.of}"


def detectable_text(differences: Iterable[SeedDifference]) -> str:
    """The smallest difference that would have been clear, as "±2.0 points" or "±1.6 to ±2.4 points"; "" where none is known."""
    halves = [100 * one.detectable for one in differences if one.detectable is not None]
    if not halves:
        return ""
    low, high = (f"±{half:.{_DIGITS}f}" for half in (min(halves), max(halves)))
    return f"{low} points" if low == high else f"{low} to {high} points"


def _level(level: float) -> str:
    """As "95%", "98.3%" or, from 99.9% on, "99.95%"."""
    text = f"{100 * level:.{1 if level < 0.999 else 2 if level < 0.9999 else 3}f}"
    return f"{text.rstrip('0').rstrip('.')}%"
