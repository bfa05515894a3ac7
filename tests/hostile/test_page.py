"""Hostile files uploaded one after the other to a running page: it says one sentence, and goes on."""

import pytest

from tests.hostile import test_files
from tests.hostile.catalogue import FILES, csv_of
from tests.hostile.judge import plain
from tests.pages.helpers import as_text, button, open_page, upload

pytestmark = pytest.mark.usefixtures("engine")
assert test_files.SOURCES  # the catalogue is filled where its sources are imported


def survives(names):
    """Upload these files to one page, one after the other."""
    app = open_page(data="upload")
    for name in names:
        upload(app, "table.csv", FILES[name].make())
        errors = [as_text(error.value) for error in app.error]
        assert not app.exception, name
        assert len(errors) <= 1 and all(plain(sentence) and "failed unexpectedly" not in sentence for sentence in errors), (
            name,
            errors,
        )
        refused = button(app, "Train").disabled  # a target of measurements waits for an answer, which is no error
        assert refused == bool(errors or app.warning or app.info), name
        if FILES[name].reads is not None and FILES[name].target is None:
            assert FILES[name].reads != refused, (name, errors)
    upload(app, "good.csv", csv_of())
    assert not app.exception and not app.error and not button(app, "Train").disabled


def test_the_page_survives_every_twelfth_hostile_file():
    survives(list(FILES)[::12])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_page_survives_all_hostile_files():
    survives(FILES)
