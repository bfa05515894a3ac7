"""Line: one number as printed and as recounted."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """kind: of the number, such as "rule: test rows". where: the table and the place. Both texts have as many digits."""

    kind: str
    where: str
    printed: str
    recounted: str

    @property
    def same(self) -> bool:
        """Whether the two agree in every printed digit."""
        return self.printed == self.recounted


def differing(lines: list[Line]) -> list[Line]:
    """Those that do not agree."""
    return [line for line in lines if not line.same]


def as_printed(printed: str, value: float) -> str:
    """A value with as many decimals, and such a sign, as the printed number has."""
    decimals = len(printed.partition(".")[2])
    text = f"{value:+.{decimals}f}" if printed[:1] in "+-−" else f"{value:,.{decimals}f}"
    return text.replace("-", "−") if "−" in printed else text
