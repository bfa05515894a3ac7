"""Hostile files uploaded one after the other to a running page: it says one sentence, and goes on."""

import pytest

from tests.hostile import test_files
from tests.hostile.catalogue import FILES, csv_of
from tests.hostile.judge import plain
from tests.pages.helpers import as_text, button, open_page, upload

pytestmark = pytest.mark.usefixtures("engine")
assert test_files.SOURCES  # the catalogue is filled where its sources are imported


def uploaded():
    """Those that may become a table, and the first refused one of each source: ``test_files`` reads the sentences of all."""
    refused = {file.make.__module__: name for name, file in reversed(FILES.items()) if file.reads is False and not file.slow}
    return {name: file for name, file in FILES.items() if name in refused.values() or (file.reads is not False and not file.slow)}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_page_survives_hostile_files():
    app = open_page(data="upload")
    for name, file in uploaded().items():
        upload(app, "table.csv", file.make())
        errors = [as_text(error.value) for error in app.error]
        assert not app.exception, name
        assert len(errors) <= 1 and all(plain(sentence) and "failed unexpectedly" not in sentence for sentence in errors), (
            name,
            errors,
        )
        refused = button(app, "Train").disabled  # a target of measurements waits for an answer, which is no error
        assert refused == bool(errors or app.warning or app.info), name
        if file.reads is not None and file.target is None:
            assert file.reads != refused, (name, errors)
    upload(app, "good.csv", csv_of())
    assert not app.exception and not app.error and not button(app, "Train").disabled
