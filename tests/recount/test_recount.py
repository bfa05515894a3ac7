"""Every number of a card and of the report is what a reader counts in the file."""

import pytest

from tests.jobs.threads import thread_workers
from tests.pages.helpers import page_engine
from tests.recount.lines import Line, differing
from tests.recount.pages import lines_of
from tests.recount.tables import TABLES

# How many lines of each kind a table has at least: a pattern that finds nothing any more would agree with everything.
EXPECTED = {
    "report: RCA": 2, "report: BCA": 2, "report: AUC": 2, "report: interval of RCA": 2, "report: majority class": 4,
    "report: recall": 4, "report: interval of precision": 2, "report: rows": 2, "report: columns": 2, "methods: features": 2,
    "methods: repeated rows": 2, "rule: test rows": 8, "rule: test rows of the class": 4, "rule: interval of test rows": 8,
    "rule: training rows of the class": 4, "rule: average firing level": 8, "rule: confidence": 8, "rule: lift": 8,
    "rule: certainty": 8, "CSV: test rows true": 8, "rule base: rows without a true sentence": 3,
    "rule base: accuracy of the model": 2, "rule base: strongest agrees": 3, "rule list: true": 3, "rule list: otherwise": 1,
}  # fmt: skip
OF_TWO_CLASSES = {
    "costs: confusion": 16, "costs: Recall": 4, "costs: Mean": 4, "costs: interval": 12, "costs: difference": 2,
    "costs: interval of the difference": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """That of the pages, with a thread for its worker."""
    with thread_workers(1), page_engine(tmp_path_factory.mktemp("runs")) as engine:
        yield engine


# votes has numbers, categories, two ordered ones, gaps and, of two classes, costs
@pytest.mark.parametrize("name", [name if name == "votes" else pytest.param(name, marks=pytest.mark.slow) for name in TABLES])
def test_what_pages_print_is_what_a_reader_counts(engine, name):
    lines = list(lines_of(engine, TABLES[name]))
    expected = EXPECTED | (OF_TWO_CLASSES if TABLES[name].raw["class"].nunique() == 2 else {})
    found = {kind: sum(line.kind == kind for line in lines) for kind in expected}
    assert {kind: n for kind, n in found.items() if n < expected[kind]} == {}
    assert differing(lines) == []


def test_a_number_that_differs_is_found():
    same, other = Line("a", "here", "0.90", "0.90"), Line("a", "there", "0.90", "0.89")
    assert differing([same, other]) == [other]
