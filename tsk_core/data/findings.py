"""Finding: one line of the data check; DataCheck: all of them as a person reads them, those that ask for a decision first."""

import html
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tsk_core.errors import UNPRINTED
from tsk_core.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("note", "repaired", "left out", "warning", "offer")  # all but a note are issues


@dataclass(frozen=True)
class Remedy:
    """What mends a finding at one press.

    label: of its button, such as "Leave it out". changes: fields of ``Choices`` -> values, see ``Choices.with_changes``.
    """

    label: str
    changes: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Finding:
    """One fact about a table. Each text is one sentence or empty; names in it are quoted.

    fact: what was found, with its count and an example. done: what was done about it. advice: what the reader may do.
    kind: one of ``KINDS``. columns: those concerned. choice: the field of ``Choices`` that settles it, or "".
    check: which check found it, such as "missing code", or "". remedy: what mends it at one press, or None.
    """

    fact: str
    done: str = ""
    advice: str = ""
    kind: str = "repaired"
    columns: tuple[str, ...] = ()
    choice: str = ""
    check: str = ""
    remedy: Remedy | None = None

    def __str__(self) -> str:
        return UNPRINTED.sub(" ", " ".join(filter(None, (self.fact, self.done))))


# DataCheck: the findings about a table as a person reads them, those that ask for a decision first.


OPEN = ("warning", "offer")  # kinds of findings that ask for a decision
_ORDER = (*OPEN, "note", "repaired", "left out")
_WIDTH, _INDENT = 110, "   "


@dataclass(frozen=True)
class DataCheck:
    """The findings about a table, by kind; ``print`` it, or look at it in a notebook.

    about: the table in a sentence. findings: warnings, offers, then the rest; number n of the text is ``findings[n - 1]``.
    """

    about: str
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, about: str, findings: tuple[Finding, ...]) -> "DataCheck":
        """The findings in the order of a data check."""
        return cls(about, tuple(sorted(findings, key=lambda finding: _ORDER.index(finding.kind))))

    @property
    def open(self) -> tuple[Finding, ...]:
        """The warnings and offers."""
        return tuple(finding for finding in self.findings if finding.kind in OPEN)

    @property
    def heading(self) -> str:
        """How many findings there are."""
        count, rest = len(self.open), len(self.findings) - len(self.open)
        decide = f"{counted(count, 'finding')} for you to decide" if count else "nothing to decide"
        return f"Data check: {decide}, {counted(rest, 'other')}." if rest else f"Data check: {decide}."

    def text(self, how: Callable[[int, Finding], str]) -> str:
        """The whole as text. how: number and finding -> how to take its remedy; asked only where there is one."""
        lines = [self.about, self.heading]
        for number, finding in enumerate(self.findings, 1):
            mend = f"→ {_label(finding)}{how(number, finding)}" if changes_of(finding) else ""
            parts = filter(None, (f"{number}. {finding.kind}: {finding}", *_advice(finding), mend))
            lines += ["", *(_indented(part, first=not at) for at, part in enumerate(parts))]
        return "\n".join(lines)

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame, one row per finding, in the order of ``findings``."""
        import pandas as pd

        rows = [(one.kind, one.check, one.fact, one.done, one.advice, one.columns, changes_of(one)) for one in self.findings]
        return pd.DataFrame(rows, columns=["kind", "check", "fact", "done", "advice", "columns", "changes"])

    def __iter__(self) -> Iterator[Finding]:
        """The findings in the order of the text."""
        return iter(self.findings)

    def __str__(self) -> str:
        return self.text(_in_python)

    def _repr_html_(self) -> str:
        """The same as a table, for notebooks."""
        rows = "".join(_html_row(number, finding) for number, finding in enumerate(self.findings, 1))
        return f"<div>{html.escape(self.about)}<br>{html.escape(self.heading)}</div><table>{rows}</table>"


def changes_of(finding: Finding) -> Mapping[str, Any]:
    """What mends a finding, as ``Choices.with_changes`` takes it; empty where nothing does."""
    if finding.remedy is not None:
        return finding.remedy.changes
    if finding.kind == "offer" and finding.choice in ("flags", "missing"):
        return {finding.choice: finding.columns}
    return {"rare": "drop"} if finding.kind == "offer" and finding.choice == "rare" else {}


def _label(finding: Finding) -> str:
    return f"{finding.remedy.label}: " if finding.remedy else ""


def _advice(finding: Finding) -> list[str]:
    return [finding.advice] if finding.advice else []


def _in_python(number: int, _: Finding) -> str:
    return f"dataset.with_remedy({number})"


def _html_row(number: int, finding: Finding) -> str:
    texts = [str(finding), *_advice(finding)]
    cells = [str(number), html.escape(finding.kind), "<br>".join(map(html.escape, texts))]
    if changes_of(finding):
        cells.append(f"{html.escape(_label(finding))}<code>{html.escape(_in_python(number, finding))}</code>")
    row = "".join(f"<td style='text-align:left'>{cell}</td>" for cell in cells)
    return f"<tr>{row}</tr>"


def _indented(text: str, *, first: bool) -> str:
    start, text = "" if first else _INDENT, UNPRINTED.sub(" ", text)
    form = textwrap.TextWrapper(
        _WIDTH, initial_indent=start, subsequent_indent=_INDENT, break_long_words=False, break_on_hyphens=False
    )
    return form.fill(text)
