"""Checks: what in a table misleads training or its test. Each finds, explains and offers to mend; none changes anything.

One module a check, with one public function that takes a ``Checked`` table and returns findings.
"""

from collections.abc import Callable

from tsk_core.data.check.categories import find_orders, numbered_categories
from tsk_core.data.check.codes import missing_codes, na_codes
from tsk_core.data.check.groups import ids, subjects, times
from tsk_core.data.check.leaks import leaks
from tsk_core.data.check.table import Checked, repeated_rows, untrained_classes
from tsk_core.data.findings import Finding

__all__ = ["CHECKS", "Checked", "check_table"]

# In the order in which their findings are shown.
CHECKS: tuple[Callable[[Checked], list[Finding]], ...] = (
    untrained_classes, subjects, leaks, missing_codes, na_codes, repeated_rows, ids, times, find_orders, numbered_categories,
)  # fmt: skip


def check_table(table: Checked) -> list[Finding]:
    """The findings of all checks about a cleaned table. Of several that offer another role for a column, the first is kept."""
    found: list[Finding] = []
    offered: set[str] = set()
    for check in CHECKS:
        for finding in check(table):
            columns = set(finding.remedy.changes.get("roles", {})) if finding.remedy else set()
            if not columns & offered:
                found.append(finding)
            offered |= columns
    return found
