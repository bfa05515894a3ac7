"""Each module can be loaded by itself, and the fixture of these tests reports errors."""

import pytest
from playwright.sync_api import Error

from ui.platform.assets import modules

pytestmark = pytest.mark.browser


DOCUMENTS = {"report.js", "compare_report.js"}  # scripts of exported reports, which draw them when loaded
MODULES = sorted(set(modules()) - DOCUMENTS)


@pytest.mark.parametrize("file", MODULES)
def test_every_module_loads_by_itself_without_an_error(client, file):
    assert client.open().run("return Object.keys(await import(`/client/${given[0]}`)).length", file) >= 1


def test_the_fixture_reports_infinity(client):
    assert client.call("core/text.js", "percent", 0.123) == "12.3%"
    with pytest.raises(Error, match="x0 is Infinity"):
        client.call("core/layout.js", "straightLine", {"x": 10**400}, "red")
