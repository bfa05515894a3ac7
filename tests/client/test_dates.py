"""Dates in the browser are those that Python writes."""

import numpy as np
import pytest

from tests.explain.test_dates import column
from tsk_core.explain.dates import writer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("scale", "origin"), [("years", ""), ("days", "2019-12-30"), ("hours", "2024-02-28"), ("clock", "")])
def test_dates_are_written_as_in_python(client, scale, origin):
    rng = np.random.default_rng(0)
    values = {"years": rng.uniform(1900, 2100, 60), "days": rng.uniform(-900, 900, 60), "hours": rng.uniform(0, 900, 60)}
    pairs = [(v, s) for v in values.get(scale, rng.uniform(0, 24, 60)).tolist() for s in (0.01, 1.0, 20.0, 400.0)]
    found = client.run(
        'const m = await import("/client/model/dates.js"); return given[1].map(([v, s]) => m.dateText(given[0], v, s / 30));',
        column(scale, origin), pairs,
    )  # fmt: skip
    assert found == [writer(column(scale, origin)["date"], spread)(value) for value, spread in pairs]


def test_what_is_no_date_is_left_to_be_a_number(client):
    assert client.call("model/dates.js", "dateText", {"feature": "size", "kind": "number"}, 1.5, 0.1) is None
    assert client.call("model/dates.js", "dateText", column("clock"), 25.0, 0.1) is None
    assert client.call("model/dates.js", "dateText", column("years"), 12345.6, 0.1) is None
