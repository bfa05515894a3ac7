"""From one's own file to predictions, in a real browser: the one journey that every change is judged by."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import metric, open_tab, progress, rules, train_to_the_end, upload
from tests.tables import pets

pytestmark = [pytest.mark.browser, pytest.mark.journey]


def test_an_own_table_is_uploaded_trained_read_as_rules_and_used_for_predictions(visit):
    page = visit("/?data=upload&rules=3&epochs=40&target=species&seed=0")
    upload(page, "pets.csv", pets())
    train_to_the_end(page)
    assert float(metric(page, "Accuracy").inner_text()) > 0.8
    sentences = rules(page)
    expect(sentences.first).to_contain_text(re.compile(r"IF .*(size|colour).* THEN .*(cat|dog)"))
    open_tab(page, "Predict")
    panel = page.get_by_role("tabpanel", name="Predict")
    new = {"name": "new.csv", "mimeType": "text/csv", "buffer": b"size,colour\n0.4,red\n3.6,blue\n,red\n"}
    panel.locator("input[type=file]").set_input_files(new)
    with page.expect_download() as waiting:
        panel.get_by_role("button", name=re.compile("Download")).first.click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    assert len(rows) == 3 and [row["size"] for row in rows] == ["0.4", "3.6", ""]
    assert [next(value for value in row.values() if value in ("cat", "dog")) for row in rows][:2] == ["cat", "dog"]
    expect(progress(page)).to_contain_text("Finished")
