"""The data check finds traps that are planted in made-up tables, and raises few alarms where there are none."""

import pytest

from tests.data.traps.drafts import CHECKS
from tests.data.traps.scoring import score
from tests.data.traps.tables import trap_tables


@pytest.mark.soak
def test_the_data_check_finds_planted_traps_and_its_remedies_do_what_they_say():
    """Measured on these 120 tables: 211 of 223 found, 15 false alarms, mostly postcodes as identifiers."""
    tally = score(table for seed in (0, 1, 2) for table in trap_tables(seed))
    planted, found, false = tally.planted.total(), tally.found.total(), tally.false.total()
    assert planted > 200 and found > 0.9 * planted and false < 0.12 * found, "\n".join(tally.lines)
    assert all(tally.found[check] > 0.75 * tally.planted[check] for check in CHECKS), tally.table()
    assert tally.remedied == tally.found, "\n".join(tally.lines)
