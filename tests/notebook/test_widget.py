"""``watch`` and ``show`` without a browser: what the widget's state holds, what a saved notebook keeps, what is refused."""

import base64
import json
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.testing.globalipapp import start_ipython

from tests.tables import make_table
from tsk_core import TSKClassifier
from tsk_core.errors import DataError, TSKError
from tsk_core.notebook import view, watching
from tsk_core.notebook.view import PARTS, View
from ui.charts import TABS

PNG = "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(20)).decode()


@pytest.fixture(scope="module")
def table():
    """Training and test rows: X, y, X_test, y_test."""
    dataset = make_table(classes=3)
    split = dataset.split()
    return [part for rows in (split.train, split.test) for part in (dataset.X.iloc[rows], np.asarray(dataset.y)[rows])]


@pytest.fixture(autouse=True)
def _often(monkeypatch):
    monkeypatch.setattr(watching, "INTERVAL", 0.0)  # a message an epoch


@pytest.fixture
def cell(monkeypatch):
    """What a notebook's cell is given to show: a list of (MIME bundle, display_id, whether it replaces one)."""
    start_ipython()
    shown = []

    def take(data, display_id=None, raw=True, update=False):
        shown.append((data, display_id, update))

    monkeypatch.setattr("tsk_core.notebook.view.display", take)
    monkeypatch.setattr("tsk_core.notebook.view.update_display", lambda *args, **kw: take(*args, update=True, **kw))
    return shown


def parts_of(view):
    """The messages in the widget's state, the oldest first."""
    return [part for k in reversed(range(PARTS)) for part in json.loads(getattr(view, f"part{k}"))]


def received(view):
    """What a browser has after these messages: kind -> entries of a list, or the newest value; a list lacks nothing."""
    lists, values = defaultdict(list), {}
    for part in parts_of(view):
        entries = part["payload"].get("list") if isinstance(part["payload"], dict) else None
        if entries is None:
            values[part["kind"]] = part["payload"]
            continue
        have = lists[part["kind"]]
        assert part["since"] <= len(have), part["kind"]
        have += entries[len(have) - part["since"] :]
    return lists, values


def small(**settings):
    return TSKClassifier(**{"n_rules": 3, "max_epochs": 9, "random_state": 0} | settings)


def test_a_watched_classifier_is_trained_as_by_fit(table, cell):
    X, y, X_test, _ = table
    watched, fitted = small(), small().fit(X, y)
    view = watched.watch(*table)
    assert view.classifier is watched and view.status.startswith("Finished after 9 epochs")
    np.testing.assert_allclose(watched.predict_proba(X_test), fitted.predict_proba(X_test), rtol=1e-6)


def test_the_state_of_the_widget_has_every_epoch_once_and_in_order(table, cell):
    view = small().watch(*table)
    lists, values = received(view)
    assert lists["epochs"] == [epoch.to_dict() for epoch in view.classifier.history_]
    assert [entry["epoch"] for entry in lists["epochs"]] == list(range(1, 10))
    assert values["about"]["ended"] and sum(map(sum, values["about"]["confusion"])) == len(table[3])
    recorded = [{entry["epoch"] for entry in lists[kind]} for kind in ("snapshots", "ruleBases")]
    assert recorded == [set(range(1, 10))] * 2
    assert [entry["epoch"] for entry in lists["ruleBases"] if entry["end"]] == [9]


@given(st.lists(st.integers(0, 3), max_size=60))
def test_however_many_messages_come_the_state_has_all_of_them_in_order(sizes):
    view, sent = View(small(), [], {}, conditions=False), []
    for size in sizes:
        message = [{"kind": "x", "since": len(sent) + k, "payload": None} for k in range(size)]
        sent += message
        view.add(message, "")
    assert parts_of(view) == sent
    assert view.sent == len(sizes)


def test_few_messages_are_sent_again(table, cell, monkeypatch):
    view, sent = View(small(), [], {}, conditions=False), []

    def send(keys):
        sent.append(sum(len(getattr(view, name)) for name in keys if name.startswith("part")))

    monkeypatch.setattr(view, "send_state", send)
    for k in range(64):
        view.add([{"kind": "x", "since": k, "payload": "y" * 100}], "")
    whole = sum(len(getattr(view, f"part{k}")) for k in range(PARTS))
    assert sum(sent) < 8 * whole  # a state sent whole each time would be 32 times as much


def test_the_widget_is_displayed_at_the_first_epoch_and_once_a_cell(table, cell):
    view = small().watch(*table)
    (widget, _, _), (copy, name, _) = [one for one in cell if not one[2]]
    assert "application/vnd.jupyter.widget-view+json" in widget and name in copy["text/html"]
    assert "Training: epoch 1 of 9." in copy["text/html"] and "epoch" not in widget["text/plain"]
    before = len(cell)
    view._ipython_display_()  # as the value of the cell's last line
    assert len(cell) == before
    view._shown_in -= 1  # another cell
    view._ipython_display_()
    assert len(cell) == before + 2


def test_the_tabs_are_those_of_the_page(table, cell):
    views = small().watch(*table), small().watch(*table[:2]), small().fit(*table[:2]).show()
    tabs = [json.loads(view.given)["tabs"] for view in views]
    assert set().union(*tabs) <= set(TABS)
    assert "Mistakes" in tabs[0] and "Mistakes" not in tabs[1]
    assert tabs[2] == ["Firing", "Entropy", "Samples", "Rules"]  # `fit` measured one epoch, of which there is no curve


def test_an_interrupted_training_keeps_its_weights(table, cell, monkeypatch):
    classifier, report = small(max_epochs=500), watching._Shown.add

    def interrupt(self, epoch):
        report(self, epoch)
        if epoch.epoch == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(watching._Shown, "add", interrupt)
    view = classifier.watch(*table)
    assert view.status.startswith("Interrupted after 5 epochs")
    assert len(classifier.history_) == 5 and classifier.predict(table[2]).shape == table[3].shape
    assert received(view)[1]["about"]["ended"]


@pytest.mark.parametrize("kind", ["array", "numbers as classes", "readable", "early stopping", "one test class"])
def test_other_tables_and_settings_are_watched_too(table, cell, kind):
    X, y, X_test, y_test = table
    settings = {}
    if kind == "array":
        columns = X.select_dtypes("number").columns
        X, X_test = (part[columns].to_numpy() for part in (X, X_test))
    elif kind == "numbers as classes":
        y, y_test = (np.unique(table[1], return_inverse=True)[1] + 0.0, np.searchsorted(np.unique(table[1]), table[3]) + 0.0)
    elif kind == "readable":
        settings = {"consequents": "constant", "max_conditions": 2}
    elif kind == "early stopping":
        settings = {"early_stopping": True, "patience": 2}
    else:
        one = y_test == y_test[0]
        X_test, y_test = X_test[one], y_test[one]
    view = small(**settings).watch(X, y, X_test, y_test)
    lists, values = received(view)
    assert values["about"]["ended"] and lists["evaluations"] and lists["ruleBases"][-1]["rules"]
    assert bool(lists["strengths"]) == json.loads(view.given)["conditions"] == (kind == "readable")


def test_a_fitted_classifier_is_shown_with_its_training_rows(table, cell):
    X, y, X_test, y_test = table
    classifier = small().fit(X, y)
    drawn = [json.loads(view.given)["samples"]["rows"] for view in (classifier.show(), classifier.show(X_test, y_test))]
    assert [set(rows["part"]) for rows in drawn] == [{0}, {0, 1}]
    view = classifier.show(X_test, y_test)
    lists, values = received(view)
    assert len(lists["snapshots"]) == 1 and sum(map(sum, values["about"]["confusion"])) == len(y_test)
    assert "watch(X, y) draws every epoch" in view.status


def test_a_loaded_classifier_is_shown_without_rows_or_with_those_given(table, cell, tmp_path):
    X, y, X_test, y_test = table
    small().fit(X, y).save(tmp_path / "model")
    classifier = TSKClassifier.load(tmp_path / "model")
    alone, beside = classifier.show(), classifier.show(X_test, y_test)
    assert json.loads(alone.given)["samples"]["rows"] is None and "show(X, y)" in json.loads(alone.given)["samples"]["note"]
    assert json.loads(beside.given)["samples"]["rows"]["row"]
    assert all(received(view)[0]["ruleBases"][0]["rules"] for view in (alone, beside))


def test_a_script_and_what_fit_refuses_display_nothing(table, cell, monkeypatch):
    with pytest.raises(DataError):
        small().watch(table[0], table[1][:-1])
    with pytest.raises(ValueError, match="n_rules"):
        small(n_rules=0).watch(*table)
    monkeypatch.setattr("tsk_core.notebook.view.get_ipython", lambda: None)
    assert small().watch(*table).classifier.history_ and not cell


def test_a_saved_notebook_keeps_scores_rules_and_pictures(table, cell):
    view = small().watch(*table)
    view._take(view, {"kind": "pictures", "pictures": [{"title": "Loss <b>", "text": 'falls "fast"', "image": PNG}]}, [])
    copy = cell[-1][0]["text/html"]
    assert cell[-1][2] and PNG in copy and "Loss &lt;b&gt;" in copy and "falls &quot;fast&quot;" in copy
    assert f"{view.classifier.history_[-1].rca_test:.3f}" in copy and "THEN" in copy


@pytest.mark.parametrize("image", [
    None, 3, "", "javascript:alert(1)", "data:text/html;base64,PGI+", "data:image/svg+xml;base64,PHN2Zz4=",
    PNG + '" onload="x', "data:image/png;base64,AAAA", PNG + "A" * 2_000_000, "data:image/png;base64,é",
])  # fmt: skip
def test_what_is_no_picture_is_left_out_and_another_message_of_a_browser_ignored(image):
    content = {"kind": "pictures", "pictures": [{"title": "a", "text": "b", "image": image}, 7, {}]}
    assert view.pictures_of(content) == []
    for other in (None, [], "pictures", {"kind": "other"}, {"kind": "pictures"}, {"kind": "pictures", "pictures": "x"}):
        assert view.pictures_of(other) is None


def test_names_of_a_table_are_text_in_the_copy():
    copy = view.saved_copy("tsk-copy-1", "<script>alert(1)</script>", None, None)
    assert "<script>" not in copy and "&lt;script&gt;" in copy


WITHOUT = """
import sys
sys.modules["anywidget"] = None
from tsk_core import TSKClassifier, load_dataset
iris = load_dataset("iris")
try:
    TSKClassifier(max_epochs=2).watch(iris.X, iris.y)
except Exception as error:
    print(type(error).__name__, error)
assert "IPython" not in sys.modules
"""


def test_without_anywidget_a_sentence_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = f"{TSKError.__name__} This needs anywidget, which is not installed: pip install 'tsk-explorer[notebook]'."
    assert done.stdout.strip() == said
