"""Numbers for people and for links: as short as they can be, shares as percentages, with a minus sign where they are read."""

from typing import overload

EXACT_WHOLE = 2**53  # below it, float64 has every whole number
SIGNIFICANT = 6  # digits of a number for a browser: no eye and no chart tells more


def number_text(value: int | float) -> str:
    """The shortest text of a number that reads as the same number: "1000000", "0.05", "1e-05"."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < EXACT_WHOLE
    return str(int(value) if whole else value)


def clock_text(minutes: int) -> str:
    """A time of day, in minutes after midnight, as "14:30"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def rounded_text(value: float, digits: int = 6) -> str:
    """A number with so many significant digits, as "0.0125"; a larger one as the whole number it is nearest to: "20240219"."""
    whole = float(value).is_integer() or abs(value) >= 10**digits
    return f"{value:.0f}" if whole and abs(value) < EXACT_WHOLE else f"{value:.{digits}g}"


def minus(text: str) -> str:
    """A number's text with a minus sign in place of the hyphen: "−0.1"."""
    return text.replace("-", "−")


def signed(value: float, digits: int) -> str:
    """A difference with its sign, as "+0.12" or "−0.10"; "0.00", without one, where nothing else is left of it."""
    text = f"{value:+.{digits}f}"
    return minus(text) if float(text) else text[1:]


def counted(n: int, one: str, many: str | None = None) -> str:
    """As "1 rule" and "1,000 rules". many: the words for another number than 1, where they are not ``one`` with an s."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def percent(share: float) -> str:
    """A share as a percentage: "100%" only for 1, and "0%" only for 0."""
    if 0 < share < 0.0005:
        return "under 0.1%"
    if 0.9995 <= share < 1:
        return "over 99.9%"
    return f"{share:.0%}" if share in (0, 1) else f"{share:.1%}"


def whole_percent(share: float) -> str:
    """A share of a few rows as a percentage without decimals: "100%" only for 1, and "0%" only for 0."""
    if 0 < share <= 0.005:  # 0.5 is rounded to the even 0
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{share:.0%}"


@overload
def six_digits(value: float) -> float: ...


@overload
def six_digits(value: None) -> None: ...


def six_digits(value: float | None) -> float | None:
    """The number with as many digits as a browser needs; None stays None."""
    return None if value is None else float(f"{value:.{SIGNIFICANT}g}")
