"""The faults of this folder fit the code as it is now, and the tests that are to notice them exist."""

from collections import Counter

import pytest

from tests.mutations.__main__ import EXPRESSIONS, ROOT, mutations

ALL = mutations()


@pytest.mark.parametrize("mutation", ALL, ids=[one.name for one in ALL])
def test_a_fault_fits_the_code(mutation):
    assert mutation.sentence.endswith(".") and mutation.tier in EXPRESSIONS and mutation.tests
    assert all((ROOT / test).exists() for test in mutation.tests)
    assert mutation.apply(ROOT, "--check"), f"{mutation.name}.patch does not apply any more: write it anew"


def test_the_faults_are_spread_over_the_product():
    places = Counter("/".join(file.split("/")[:2]) for mutation in ALL for file in mutation.files)
    assert len(ALL) >= 40
    assert places["ui/client"] >= 10 and places["ui/platform"] >= 5 and places["tsk_core/jobs"] >= 5
    assert len(places) >= 15
