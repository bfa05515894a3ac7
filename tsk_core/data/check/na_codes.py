"""NA among codes of two letters, which reads as a missing value."""

from tsk_core.data.check.checked import Checked
from tsk_core.data.clean.na_words import na_finding, na_word
from tsk_core.data.clean.roles import CHOSEN
from tsk_core.data.finding import Finding

__all__ = ["na_codes"]


def na_codes(table: Checked) -> list[Finding]:
    """A warning for each column of categories in which NA may be one of them; the target has its own."""
    found = []
    for report in table.columns:
        if report.role not in ("category", "ordinal", "ignored") or report.reason == CHOSEN or not report.missing:
            continue
        word = na_word(table.raw[report.name], table.choices.not_missing.get(report.name, ()))
        if word and word.others:
            found.append(na_finding(report.name, word, "Counted as missing.", "category"))
    return found
