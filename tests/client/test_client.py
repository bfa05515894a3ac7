"""The fixture of these tests reports what has no JSON."""

import pytest
from playwright.sync_api import Error

pytestmark = pytest.mark.browser


def test_the_fixture_reports_infinity(client):
    assert client.call("core/text.js", "percent", 0.123) == "12.3%"
    with pytest.raises(Error, match="x0 is Infinity"):
        client.call("core/layout.js", "straightLine", {"x": 10**400}, "red")
