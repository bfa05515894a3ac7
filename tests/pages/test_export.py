"""The tab Export and the report, without a browser: what they offer and what stands in the file."""

import io
import json
import re
import zipfile
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from html.parser import HTMLParser

import pytest

from tests.pages.helpers import ADDRESS, as_text, ended_run, look_at, open_page, open_run, train
from tsk_core.config import STARTING_POINTS, TrainConfig
from tsk_core.data import load_dataset, read_csv
from tsk_core.explain import FORMATS
from tsk_core.live import as_rules
from tsk_core.runs.archive import model_archive
from ui.charts import CHARTS
from ui.explore.export_tab import loading
from ui.live.run_subjects import run_parts
from ui.report.run_report import report

OFFERED = [one for one in FORMATS.values() if one.installed]
pytestmark = pytest.mark.slow

MADE = datetime(2026, 3, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
HOSTILE = "</script><script>alert(1)</script><!--"


class Elements(HTMLParser):
    """The elements of a page as (tag, attributes, text), and its text without scripts and styles."""

    def __init__(self, html):
        super().__init__()
        self.found, self.open, self.text = [["", {}, ""]], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append([tag, dict(attrs), ""])
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        self.found[-1][2] += data
        if not {"script", "style"} & set(self.open):
            self.text += data

    def all(self, tag):
        return [(attrs, text) for name, attrs, text in self.found if name == tag]


@pytest.fixture(scope="module")
def runs(engine):
    """A run, and the one before it."""
    iris = load_dataset("iris")
    return ended_run(engine, iris, ur_weight=10), ended_run(engine, iris, ur_weight=0)


@pytest.fixture(scope="module")
def html(runs):
    return report(*runs, f"{ADDRESS}/?run={runs[0].id}", 2, MADE).decode()


def test_the_tab_begins_with_the_report_and_describes_each_format_of_the_rules():
    app = open_run("iris", "Export")
    assert not app.exception and not app.error
    assert [title.value for title in app.subheader] == ["Report", "Rules", "Model", "Figures", "Reproduce this run"]
    downloads = {button.proto.label: button.proto for button in app.get("download_button")}
    assert list(downloads) == ["Download report (HTML)", "Download rules", "Download model", "Download everything"]
    assert all(button.deferred_file_id and not button.url for button in downloads.values())  # made when they are pressed
    choice = app.selectbox(key="rule_format_export")
    assert choice.options == [one.label for one in OFFERED]
    for one in OFFERED:
        choice.set_value(one.name).run()
        said = next(as_text(c.value) for c in app.caption if as_text(c.value).startswith(one.help))
        assert said.endswith("says how often they agree with the full model." if one.readable else "as the full model does.")
        assert bool([box for box in app.selectbox if box.key == "rule_format_which"]) != one.readable
    app.selectbox(key="rule_format_which").set_value("Rules as shown, shortened").run()
    assert any("as the shortened rules do, which agree with the full model on" in as_text(c.value) for c in app.caption)
    assert not app.exception and not app.error


def test_formats_that_cannot_hold_layer_normalised_levels_are_not_offered():
    app = open_page(rules="3", epochs="3", ln="relu")
    train(app)
    look_at(app, "Export")
    assert app.selectbox(key="rule_format_export").options == [one.label for one in OFFERED if one.readable or one.name == "json"]
    assert any("cannot hold layer-normalised firing levels; export JSON" in as_text(c.value) for c in app.caption)
    assert not app.exception and not app.error


def test_a_run_that_kept_no_rules_as_text_says_so_on_the_tab_and_in_the_report_and_still_gives_those_that_predict(engine):
    shown = ended_run(engine, load_dataset("iris"), max_epochs=2)
    (shown.result.folder / "book.json.gz").unlink()
    app = open_page(run=shown.id)
    look_at(app, "Export")
    assert app.selectbox(key="rule_format_export").options == [one.label for one in OFFERED if not one.readable]
    assert any("This run kept no rules as text" in as_text(c.value) for c in app.caption)
    html = report(shown, None, f"{ADDRESS}/?run={shown.id}", 4, MADE).decode()
    assert "This run kept no rules as text" in html and "Compared with the dashed" not in html


def test_the_lines_beside_the_model_load_it_and_predict(runs, tmp_path, monkeypatch):
    shown, table = runs[0], load_dataset("iris").X
    with zipfile.ZipFile(io.BytesIO(model_archive(shown.result))) as packed:
        assert packed.namelist() == ["model/model.safetensors", "model/model.json"]
        packed.extractall(tmp_path)
    table.to_csv(tmp_path / "NEW.csv", index=False)
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(loading(shown.data), "lines", "exec"), {})  # noqa: S102 - what it does is what is tested
    assert printed.getvalue().strip() == str(shown.result.classifier.predict(table))


def test_the_report_holds_what_the_browser_is_told_of_both_runs(engine, runs, html):
    (text,) = (text for attrs, text in Elements(html).all("script") if attrs.get("id") == "content")
    found = json.loads(text)
    parts = {part["kind"]: part["payload"] for part in found["message"] if part.get("of") != runs[1].id}
    evaluations, snapshots, rule_bases = parts["evaluations"], parts["snapshots"], parts["ruleBases"]
    classifier = runs[0].result.classifier
    assert as_rules(snapshots["base"], snapshots["list"][0]) == classifier.to_dict() and len(snapshots["list"]) == 1
    assert [base["epoch"] for base in rule_bases["list"]] == [snapshots["list"][0]["epoch"]]
    assert found["samples"]["rows"] is None
    told = [part for part in found["message"] if part["kind"] in ("runs", "pair", "about", "epochs")]
    assert told == run_parts(*runs)
    assert evaluations["list"] == engine.records(runs[0].id, "evaluations") and evaluations["list"]
    assert [chart["name"] for chart in found["charts"]] == list(CHARTS)
    assert len(parts["epochs"]["list"]) == 20


@pytest.mark.parametrize("start", ["recommended", "paper"])
def test_the_report_compares_the_settings_with_the_nearest_starting_point(engine, monkeypatch, start):
    monkeypatch.setitem(STARTING_POINTS, "recommended", TrainConfig.paper(n_rules=8, firing="scaled", learning_rate=0.03))
    nearest = replace(STARTING_POINTS[start], ur_weight=3.0, max_epochs=5)
    shown = ended_run(engine, load_dataset("iris"), **nearest.to_dict() | {"random_state": 0})
    page = Elements(report(shown, None, ADDRESS, 2, MADE).decode())
    assert f"{start.capitalize()}, if different" in [text.strip() for _, text in page.all("th")]
    differing = [k for k, (tag, attrs, _) in enumerate(page.found) if tag == "tr" and attrs.get("class") == "own"]
    rows = [[text.strip() for _, _, text in page.found[k + 1 : k + 4]] for k in differing]  # that of the scores first
    assert rows[1:] == [["Uniform regularisation λ", "3", "1"], ["Epochs T", "5", "200"]]


def test_the_report_holds_rows_only_where_they_are_wanted_and_no_samples_of_a_model_too_large(runs, html, monkeypatch):
    assert "It does not contain the table." in html and "The file holds no rows of the table." in html
    with_rows = report(runs[0], None, ADDRESS, 2, MADE, with_rows=True).decode()
    assert "It contains 150 rows of the table." in with_rows
    (text,) = (text for attrs, text in Elements(with_rows).all("script") if attrs.get("id") == "content")
    assert json.loads(text)["samples"]["rows"] == json.loads(json.dumps(runs[0].rows().to_show))
    monkeypatch.setattr("ui.report.run_report.MOST_NUMBERS", 10)
    page = Elements(report(runs[0], None, ADDRESS, 2, MADE, with_rows=True).decode())
    assert "Samples" not in page.text and "plane" not in [attrs.get("data-views") for attrs, _ in page.all("div")]


def test_the_report_says_scores_settings_data_rules_link_python_and_versions(runs, html):
    shown, ghost = runs
    text, versions = Elements(html).text, shown.result.versions
    for number in (shown.metrics["rca"], ghost.metrics["bca"], shown.metrics["baselines"]["logistic_regression"]["rca"]):
        assert f"{number:.3f}" in text
    assert "Compared with the dashed or outlined run: λ 0 → 10." in text
    assert shown.data["sha256"] in text and "150" in text and "virginica" in text
    summary = shown.result.rules(2)
    assert all(sentence in text for sentence in summary.measured_text.splitlines())
    assert all(str(rule).splitlines()[0] in text for rule in summary.rules)
    assert f"{ADDRESS}/?run={shown.id}" in text and "TSKClassifier(n_rules=4" in text
    assert all(name in text and version in text for name, version in versions.items())
    assert "2026-02-28 23:30 UTC" in text  # made at half past one, two hours east


def test_the_report_leaves_scores_on_other_test_rows_out_and_says_so(engine, runs):
    other = ended_run(engine, load_dataset("iris"), max_epochs=2, random_state=7)
    text = Elements(report(runs[0], other, ADDRESS, 2, MADE).decode()).text
    assert "It has other test rows: its scores cannot be compared with these, and are left out." in text
    assert "Comparison (dashed or outlined in the charts)" not in text


def test_headings_of_the_report_are_in_order_and_links_inside_it_lead_somewhere(html):
    page = Elements(html)
    levels = [int(tag[1]) for tag, _, _ in page.found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    assert all(page.all(tag) for tag in ("header", "nav", "main", "footer", "title"))
    assert page.all("html")[0][0]["lang"] == "en"
    names = {attrs["id"] for _, attrs, _ in page.found if "id" in attrs}
    inside = {attrs["href"][1:] for attrs, _ in page.all("a") if attrs["href"].startswith("#")}
    assert inside and inside <= names


def test_names_from_data_are_text_in_the_report_and_its_cells_are_not_in_it(engine):
    rows = "".join(f'{k % 2 + k / 7:.5f},"{(HOSTILE, "{{ 7*7 }} &amp;")[k % 2]}"\n' for k in range(60))
    dataset = read_csv(f'"<img src=x onerror=alert(2)>",kind\n{rows}'.encode())
    html = report(ended_run(engine, dataset, n_rules=2, max_epochs=3), None, f"{ADDRESS}/?run=x", 4, datetime.now(UTC)).decode()
    assert "alert(1)</script>" not in html and "<img" not in html and HOSTILE not in html
    page = Elements(html)
    _, (_, plotly), (_, client) = page.all("script")  # the data come first
    assert {HOSTILE, "{{ 7*7 }} &amp;"} <= {text.strip() for _, text in page.all("li")}
    cells = [f"{k % 2 + k / 7:.5f}" for k in range(20, 60)]
    assert not [cell for cell in cells if cell in html.replace(plotly, "").replace(client, "")]
