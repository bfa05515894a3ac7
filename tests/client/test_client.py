"""The modules as such: each can be loaded by itself, and the fixture of these tests tells what it should."""

import pytest
from playwright.sync_api import Error

from ui.live import CLIENT

pytestmark = pytest.mark.browser


DOCUMENTS = {"report.js"}  # the script of an exported report, which draws it when loaded
MODULES = sorted({path.name for path in CLIENT.glob("*.js")} - DOCUMENTS)


@pytest.mark.parametrize("file", MODULES)
def test_every_module_loads_by_itself_without_a_complaint(client, file):
    assert client.open().run("return Object.keys(await import(`/client/${given[0]}`)).length", file) >= 1


def test_a_number_that_is_none_is_told(client):
    assert client.call("colours.js", "percent", 0.123) == "12.3%"
    with pytest.raises(Error, match="x0 is Infinity"):
        client.call("colours.js", "straight", {"x": 10**400}, "red")
