"""Hostile files uploaded one after the other to a running page: it says one sentence, and goes on."""

import pytest

from tests.hostile.catalogue import csv_of
from tests.hostile.judge import plain
from tests.hostile.sources import SOURCES
from tests.pages.helpers import as_text, button, open_page, upload

pytestmark = pytest.mark.usefixtures("engine")


def uploaded():
    """Some of each source and expectation: ``test_files`` reads the sentences of all."""
    for files in SOURCES.values():
        for reads, most in ((True, 2), (False, 1), (None, 3)):
            yield from [(name, file) for name, file in files.items() if file.reads is reads and not file.slow][:most]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_page_survives_hostile_files():
    app = open_page(data="upload")
    for name, file in uploaded():
        upload(app, "table.csv", file.make())
        errors = [as_text(error.value) for error in app.error]
        assert not app.exception, name
        assert len(errors) <= 1 and all(map(plain, errors)) and "failed unexpectedly" not in str(errors), (name, errors)
        refused = button(app, "Train").disabled  # a target of measurements waits for an answer, which is no error
        assert refused == bool(errors or app.warning or app.info), name
        if file.reads is not None and file.target is None:
            assert file.reads != refused, (name, errors)
    upload(app, "good.csv", csv_of())
    assert not app.exception and not app.error and not button(app, "Train").disabled
