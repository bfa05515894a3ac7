"""Cats and dogs: a rule base of two rules with six rows, open in the views of the tab Samples."""

from tests.client.rulebases import make_rows, show_samples
from tests.explain.examples import base, category, number, rule
from tsk_core.live import as_snapshot

COLUMNS = [number("size"), category("colour", "red"), category("colour", "blue")]


def pets(classes=("cat", "dog"), columns=COLUMNS):
    """Two rules: the first for small ones that are cats, the second for large ones that are dogs."""
    small = rule([1.0, 0.9, 0.1], [1.0, 0.5, None], [[1.0, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0]])
    large = rule([4.0, 0.1, 0.9], [1.0, None, 0.5], [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.5]])
    return base(columns, [small, large], classes)


PETS = make_rows(
    [[1.0, 1, 0], [1.5, 1, 0], [2.0, 0, 1], [4.0, 0, 1], [4.5, 0, 1], [1.2, 1, 0]], [0, 0, 0, 1, 1, 1], [0, 1, 1, 0, 1, 1]
)


def open_pets(client, **how):
    rules = pets(**how)
    return rules, show_samples(client, [as_snapshot(rules, 1)], rules, rows=PETS)


def choose_row(page, row):
    page.get_by_role("spinbutton", name="Row", exact=True).fill(str(row))
    page.keyboard.press("Enter")


def said(page, part):
    return page.locator(f".tsk-{part}")
