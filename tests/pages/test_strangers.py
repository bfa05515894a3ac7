"""Who has the link of a run, and nothing else, does not learn what its owner's file is called."""

import io
import json
import zipfile
from datetime import UTC, datetime

import pytest

from tests.pages.helpers import ended_run, look_at, open_page, said
from tests.tables import pets
from tsk_core.data import load_dataset, read_csv
from tsk_core.runs import methods_text
from ui.platform.engine import get_engine
from ui.report.run_report import report
from ui.runs import run_view
from ui.runs.run_view import RunView

pytestmark = pytest.mark.usefixtures("engine")

NAME = "Dr Grey, room 12"


@pytest.fixture(scope="module")
def uploaded(engine):
    """The id of a run of a file, which a page of another browser opens."""
    return ended_run(engine, read_csv(pets(), target="species", name=NAME), max_epochs=3).id


def told(view):
    """Everything that the report, the methods section and the zip of a run say."""
    store = get_engine().store
    with zipfile.ZipFile(io.BytesIO(store.archive(view.id, named=view.owned))) as files:
        content = [files.read(name).decode("utf-8", "replace") for name in files.namelist()]
    html = report(view, None, "http://localhost/?run=1", 2, datetime(2026, 3, 1, tzinfo=UTC)).decode()
    return "\n".join([*content, html, methods_text(view.result), json.dumps(view.data)])


def test_a_stranger_sees_no_name_of_a_file_in_exports_and_the_report_and_its_owner_does(uploaded, monkeypatch):
    stranger = RunView.load(uploaded)
    assert not stranger.owned and NAME not in told(stranger) and "uploaded table" in told(stranger)
    with monkeypatch.context() as patch:
        patch.setattr(run_view, "owner", lambda: get_engine().store.record(uploaded).owner)
        its_owner = RunView.load(uploaded)
    assert its_owner.owned and told(its_owner).count(NAME) >= 5


@pytest.mark.parametrize("tab", ["Predict", "Export", "Rules", "Mistakes"])
def test_nor_does_the_page(uploaded, tab):
    app = open_page(run=uploaded)
    look_at(app, tab)
    assert not app.exception and NAME not in said(app)


def test_tables_of_the_gallery_keep_their_name(engine):
    run = ended_run(engine, load_dataset("iris"), max_epochs=2).id
    stranger = RunView.load(run)
    assert not stranger.owned and stranger.data["name"] == stranger.result.dataset["name"] == "iris"
