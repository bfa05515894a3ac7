"""The tab Predict without a browser, on a real engine: the rows of a file, and one row typed in."""

import datetime
import io
import re

import pandas as pd
import pytest

from tests.pages.helpers import as_text, button, look_at, markup, open_page, run_of, said, train, upload
from tsk_core.__main__ import main
from tsk_core.data import load_dataset
from tsk_core.data.export import to_csv

pytestmark = pytest.mark.slow

HOSTILE = "<b>size</b> **x** [y](javascript:alert(1))"
LONG = "a class whose name is so long that it has sixty characters.."
CLASSES = (LONG, "<img src=x onerror=alert(1)>", "🐢 :material/home:")


def patients(count=60, target=True, first=0):
    """Three classes told by size, colour, a date and a time of day; the first column's name is hostile."""
    lines = [f"id,{HOSTILE},colour,day,time,weight" + (",species" if target else "")]
    for k in range(first, first + count):
        c = k % 3
        cells = [f"p{k}", f"{3 * c + k % 7 / 10}", ("red", "blue", "=green")[c], f"2023-{1 + 4 * c:02d}-{1 + k % 28:02d}"]
        cells += [f"{8 + 4 * c}:{10 + k % 50}", f"{10 * c + k % 5} kg"]
        lines.append(",".join(cells + ([CLASSES[c]] if target else [])))
    return "\n".join(lines).encode()


def trained(content=None, tab="Predict", **link):
    """A page with a run that ended, its tab open."""
    settings = {"rules": "4", "epochs": "30", "seed": "1"} | link
    if content is None:
        app = open_page(**settings)
    else:
        app = upload(open_page(data="upload", target="species", **settings), "patients.csv", content)
    train(app)
    look_at(app, tab)
    return app.run()


def give(app, content, name="new.csv"):
    return app.file_uploader(key="predict_file").set_value((name, content, "text/csv")).run()


def table(app):
    """The rows shown: the last table of the page."""
    return app.dataframe[-1].value


def by_command_line(app, content, folder):
    source, out = folder / "new.csv", folder / "out.csv"
    source.write_bytes(content)
    assert main(["predict", run_of(app), str(source), "-o", str(out)]) == 0
    return out.read_bytes()


def downloaded(app):
    return to_csv(app.session_state["table:predictions"].value.table)


def one_row(app):
    app.session_state["predict_way"] = "One row"
    return app.run()


def box(app, label):
    kinds = ("number_input", "selectbox", "date_input", "time_input", "datetime_input")
    (found,) = (w for kind in kinds for w in getattr(app, kind) if as_text(w.label).startswith(label) and ":" in (w.key or ""))
    return found


@pytest.fixture(scope="module")
def clinic(engine):
    """The id of a run on the patients; its table is gone with the page that uploaded it."""
    return run_of(trained(patients()))


def opened(run):
    """A visitor who has only the run's link."""
    app = open_page(run=run)
    app.session_state["view"] = "Predict"
    return app.run()


def test_a_file_is_predicted_as_the_command_line_does(clinic, tmp_path):
    new = patients(9, target=False, first=100)
    app = give(opened(clinic), new)
    assert not app.exception and not app.error
    assert "9 rows" in said(app) and f"**3** as {CLASSES[1]}" in said(app)
    assert downloaded(app) == by_command_line(app, new, tmp_path)
    shown, written = table(app), pd.read_csv(io.BytesIO(downloaded(app)))
    assert list(shown.columns[:4]) == ["row", "predicted", "probability", "rule"]
    assert shown["predicted"].tolist() == written["predicted"].tolist() == [CLASSES[k % 3] for k in range(100, 109)]
    assert shown["rule"].tolist() == written["rule"].tolist()
    shares = written[[name for name in written.columns if name.startswith("p(")]].max(axis=1)
    assert shown["probability"].tolist() == pytest.approx((100 * shares).tolist())


def test_rows_with_their_classes_are_scored_and_the_misclassified_ones_shown(clinic):
    content = patients(12).decode().splitlines()
    content[1] = content[1].replace(CLASSES[0], CLASSES[1])  # a row that says another class than it looks like
    content[2] = content[2].replace(CLASSES[1], "a class nobody knows")
    app = give(opened(clinic), "\n".join(content).encode())
    # 11 rows count: of the classes 3 + 0 wrong, 3 of 4 right, 4; so RCA 10/11, BCA (1 + 3/4 + 1)/3.
    assert "RCA 0.909, BCA 0.917, 1 row misclassified. Not counted: 1 row without a class" in said(app).replace("**", "")
    assert table(app)["right"].tolist() == ["✗", "", *["✓"] * 10]
    (toggle,) = app.toggle
    toggle.set_value(True).run()
    assert table(app)["row"].tolist() == [1]


def test_the_limit_of_a_file_is_said_before_one_is_chosen_and_what_is_smaller(clinic, monkeypatch):
    monkeypatch.setenv("TSK_MAX_UPLOAD_MB", "7")
    limit = "At most 7 MB; a larger table may fit as Parquet, zip or gzip."
    app = opened(clinic)
    assert limit in said(app) and limit in app.file_uploader(key="predict_file").help
    first = open_page(data="upload")
    assert limit in as_text(first.info[0].value) and limit in button(first, "Upload your table").help


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"id,colour\n1,red\n2,blue\n", "The table has no columns"),
        (b"id,colour\n", "no data rows"),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "."),
        (b"", "empty"),
    ],
)
def test_what_cannot_be_predicted_is_refused_in_a_sentence_and_the_next_file_is_welcome(clinic, content, sentence):
    app = give(opened(clinic), content)
    (error,) = app.error
    assert sentence in as_text(error.value) and "failed unexpectedly" not in error.value and not app.exception
    give(app, patients(3))
    assert not app.error and len(table(app)) == 3


def test_too_many_rows_and_too_many_cells_are_refused(clinic, monkeypatch):
    monkeypatch.setenv("TSK_MAX_ROWS", "5")
    (error,) = give(opened(clinic), patients(6)).error
    assert "limit of 5" in as_text(error.value)
    monkeypatch.delenv("TSK_MAX_ROWS")
    monkeypatch.setenv("TSK_MAX_PREDICTED_CELLS", "59")
    (error,) = give(opened(clinic), patients(6)).error  # 6 rows of 7 columns and 3 classes
    assert "table of predictions: 60" in as_text(error.value)


def test_a_table_with_a_column_called_predicted_keeps_it(clinic, tmp_path):
    frame = pd.read_csv(io.BytesIO(patients(3, target=False))).assign(predicted="mine", probability=7, row=1, rule="r")
    new = frame.to_csv(index=False).encode()
    app = give(opened(clinic), new)
    assert not app.exception and not app.error
    assert downloaded(app) == by_command_line(app, new, tmp_path)
    assert table(app)["predicted"].tolist() == ["mine"] * 3 and table(app)["predicted (2)"].tolist() == list(CLASSES)


def test_names_of_columns_and_classes_stay_text(clinic):
    app = give(opened(clinic), patients(3))
    said = markup(app)
    one_row(app)
    labels = [w.label for kind in ("number_input", "selectbox", "date_input") for w in getattr(app, kind)]
    assert any("size" in label for label in labels)
    for text in (*said, *markup(app), *labels):
        assert not re.search(r"(?<!\\)(<|\]\()|:material/home:", text), text


def test_the_file_stays_when_another_tab_is_looked_at_and_goes_when_it_is_taken_away(clinic):
    app = give(opened(clinic), patients(3))
    look_at(app, "Rules")
    look_at(app, "Predict")
    assert len(table(app)) == 3 and "File: new" in said(app)
    button(app, "Remove").click().run()
    assert "File: new" not in said(app)
    assert ", colour, day, time, weight. If it also has the target 'species'" in said(app)


def test_another_run_predicts_the_same_file_and_what_was_typed_stays_when_another_tab_is_looked_at():
    app = give(trained(), load_dataset("iris").frame.to_csv(index=False).encode())
    before = downloaded(app)
    app.number_input(key="rules").set_value(7).run()
    train(app)
    assert not app.error and len(table(app)) == 150
    assert downloaded(app) != before
    one_row(app)
    box(app, "petal length").set_value(1.1).run()
    box(app, "petal width").set_value(None).run()
    look_at(app, "Rules")
    look_at(app, "Predict")
    assert (box(app, "petal length").value, box(app, "petal width").value) == (1.1, None)
    button(app, "Typical values").click().run()
    assert box(app, "petal length").value > 2 and box(app, "petal width").value is not None


def test_one_row_is_predicted_at_once_with_its_probabilities_and_rules(clinic):
    app = one_row(opened(clinic))
    assert not app.exception and not app.error
    box(app, "<b>size").set_value(6.2).run()
    box(app, "colour").set_value("=green").run()
    box(app, "day").set_value(datetime.date(2023, 9, 12)).run()
    box(app, "time").set_value(datetime.time(16, 20)).run()
    box(app, "weight").set_value(22.0).run()
    probabilities = table(app)
    assert probabilities["class"].tolist()[0] == CLASSES[2] and sorted(probabilities["class"]) == sorted(CLASSES)
    assert probabilities["probability"].sum() == pytest.approx(100)
    assert f"Predicted by the final model: **{CLASSES[2]}**" in said(app)
    assert "fires most:** **IF**" in said(app) and "Contribution to the score of" in said(app)
    assert re.search(r"[✓✗] [01]\.\d\d \*\*(AND|THEN)", said(app))  # each condition with its membership
    shown = [float(level) for level in re.findall(r"Firing level ([\d.]+)", said(app).replace("\\", ""))]
    assert len(shown) > 1 and shown == sorted(shown, reverse=True)
