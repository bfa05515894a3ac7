"""The data check finds traps that are planted in made-up tables, and raises few alarms about tables that have none."""

from collections import Counter

import pytest

from tests.data.traps.scoring import score
from tests.data.traps.tables import CHECKS, trap_tables
