"""What the tab Export gives, pressed in a real browser, and figures saved from the page."""

import csv
import io
import json
import re
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, choose, open_tab, train_to_the_end, upload
from tests.tables import pets
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.explain import FORMATS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def download(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def test_every_download_holds_the_same_run(visit, tmp_path):
    page = visit("/?data=upload&rules=3&epochs=15")
    upload(page, "table.csv", pets(classes=("=cmd()", "</script><b>dog</b>")))
    train_to_the_end(page)
    run = re.search("run=([0-9a-f]{32})", page.url)[1]
    open_tab(page, "Export")
    _, everything = download(page, "Download everything")
    everything = zipfile.ZipFile(io.BytesIO(everything))
    name, model = download(page, "Download model")
    assert name == f"model-{run[:8]}.zip"
    with zipfile.ZipFile(io.BytesIO(model)) as packed:
        assert all(packed.read(path) == everything.read(path) for path in packed.namelist())
        packed.extractall(tmp_path)
    classifier = TSKClassifier.load(tmp_path / "model")
    files = {}
    for one in FORMATS.values():
        if not one.installed:
            continue
        choose(page, "Format", one.label)
        expect(page.get_by_text(one.help.split(".")[0])).to_be_visible()  # the button below is that of this format
        at_rest(page)
        name, content = download(page, "Download rules")
        assert name == one.file
        files[one.name] = content if one.needs else content.decode()
        if not one.readable:
            assert files[one.name] == classifier.export(one.name)
    assert json.loads(files["json"]) == json.loads(everything.read("rules.json")) == classifier.to_dict()
    text, rows = files["text"], list(csv.DictReader(io.StringIO(files["csv"])))
    assert len(rows) == 3 and "at most 4 conditions each" in text
    assert all(f"Rule {row['rule']}: {row['text']}\n" in text for row in rows if row["dead"] == "False")
    assert {row["conclusion"] for row in rows} <= {"'=cmd()", "</script><b>dog</b>"}  # no formula for a spreadsheet
    name, report = download(page, "Download report (HTML)")
    assert name == f"report-{run[:8]}.html"
    assert f"/?run={run}" in report.decode() and report.endswith(b"</html>")
