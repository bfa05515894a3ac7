"""The page Paper: the minute at its top, tables and cells, the way to Explore, statistics, equations, missing cells, the link."""

import re
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.pages.helpers import button, open_page, run_until, said
from tests.pages.papers import BASELINE, make_results, write_study
from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_study import DATASETS, MISPRINTS, PAPER, STUDY_RESULTS, Result, mean_scores, published, read_results
from ui.paper.cell import explore_link, summary
from ui.paper.differences import FORMULAS, explanation, sentences
from ui.paper.tables import colour
from ui.platform.engine import get_engine

SHIPPED = Path(__file__).parents[2] / "study" / "results"
PUBLISHED = Path(published.__file__).with_name("published.csv")
OURS_FIRST = [
    "TSK-MBGD-UR-BN", "TSK-MBGD-UR", "TSK-MBGD-BN", "TSK-MBGD", "TSK-MBGD-UR-GBN", "TSK-MBGD-UR-RBN",
    "CART", "RF", "JRip", "PART", "TSK-FCM-LSE",
]  # fmt: skip


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("study") / "results", make_results())


@pytest.fixture
def opened(study, monkeypatch):
    """A function that opens the page by a link, with the study's results."""
    monkeypatch.setenv("TSK_STUDY_DIR", str(study))
    return partial(open_page, page="paper")


@pytest.fixture
def without_results(tmp_path, monkeypatch):
    """A server whose study is empty, and whose Vehicle is a small table."""
    monkeypatch.setenv("TSK_STUDY_DIR", str(tmp_path))
    monkeypatch.setenv("TSK_DATA_DIR", str(tmp_path))
    make_table(rows=90).frame.rename(columns={"kind": "class"}).to_csv(tmp_path / "vehicle.csv", index=False)
    yield
    (Path(get_engine().store.folder) / STUDY_RESULTS).unlink(missing_ok=True)


def keyed(results):
    return {one.key: one for one in results}


def table(app):
    """The table of the tab Results, as text."""
    return app.dataframe[0].value


def look(app, tab):
    app.session_state["part"] = tab
    return app.run()


def test_the_top_says_in_a_minute_what_came_out_and_the_table_has_every_cell_that_is_printed(opened):
    app = opened()
    assert not app.exception and not app.error
    text = said(app)
    assert "TSK-MBGD-UR-BN reaches RCA 0.8105 (paper: 0.8105) and BCA 0.7586 (paper: 0.7586)" in text
    assert "3 splits each" in text
    assert f"TSK-MBGD has an RCA of {BASELINE:.4f} on Satellite, not 0.4890" in text
    shown = table(app)  # each cell has ours, and the difference with its sign
    assert list(shown.index[:12]) == list(DATASETS.values()) and list(shown.columns) == [*OURS_FIRST, "Splits"]
    assert set(OURS_FIRST) == set(PAPER)
    assert shown.at["Satellite", "TSK-MBGD"] == "0.8600  +0.3710"
    assert shown.at["Vehicle", "RF"] == "0.7407  +0.0000"
    assert shown.at["Vehicle", "TSK-MBGD-UR-GBN"] == "0.7907"  # the paper has no RCA of it
    assert set(shown["Splits"]) == {"3"}
    shown = table(opened(values="Paper"))
    assert "TSK-MBGD-UR-GBN" not in shown and shown.at["Satellite", "TSK-MBGD"] == "0.4890"
    assert shown.at["Average", "TSK-MBGD-UR-BN"] == "0.8038"
    assert colour(np.nan) == colour(0.001) == "" and "0, 114, 178, 0.500" in colour(0.3) and "213, 94, 0, 0.250" in colour(-0.05)
    assert table(opened(values="Difference")).at["Satellite", "TSK-MBGD"] == "+0.3710"


def test_the_gain_at_the_top_comes_back_from_the_raw_tables():
    """With pandas and SciPy alone: UR and BN's gain over MBGD, its interval over datasets, and its share of the paper's."""
    rows, printed = pd.read_csv(SHIPPED / "results.csv"), pd.read_csv(PUBLISHED)
    text = next(one for one in sentences(read_results(SHIPPED / "results.csv")) if one.startswith("UR and BN together"))
    for of in ("rca", "bca"):
        means = rows[rows["dataset"] != "abalone"].pivot_table(index="dataset", columns="algorithm", values=of)
        gain = 100 * (means["TSK-MBGD-UR-BN"] - means["TSK-MBGD"])
        low, high = stats.t.interval(0.95, len(gain) - 1, gain.mean(), stats.sem(gain))
        of_metric = printed[(printed["metric"] == of) & ~printed["dataset"].isin(["Abalone", "Average"])]
        of_metric = of_metric.drop_duplicates(["dataset", "algorithm"]).astype({"value": float})
        of_metric = of_metric.pivot(index="dataset", columns="algorithm", values="value")
        paper = 100 * (of_metric["TSK-MBGD-UR-BN"] - of_metric["TSK-MBGD"]).mean()
        interval = f"95% interval over datasets {low:.1f} to {high:.1f}"
        share = f"{gain.mean() / paper:.0%} of the paper's {paper:.1f}"
        assert len(gain) == 11 and f"{gain.mean():.1f} points of {of.upper()} ({interval}), {share}" in text


@pytest.mark.parametrize(
    ("name", "row", "column", "cell"),
    [
        ("BCA", "Vehicle", "RF", "0.7440  +0.0000"),
        ("BN variants", "MAGIC", "TSK-MBGD-UR-GBN", "0.8319  +0.0000"),
        ("RCA ranks", "Satellite", "TSK-MBGD-UR-BN", "1  +0"),
        ("Datasets", "Satellite", "samples", "6,435  +0"),
        ("Seconds", "Vehicle", "RF", "1.5"),
    ],
)
def test_every_table_can_be_chosen_by_the_link(opened, name, row, column, cell):
    app = opened(table=name)
    assert not app.error
    assert table(app).at[row, column] == cell


def test_a_selected_cell_is_the_one_below_the_table(opened):
    app = opened(dataset="Satellite", algorithm="TSK-MBGD")
    found = app.table[0].value
    assert list(found.loc["Ours"]) == [f"{BASELINE:.4f}".replace(".", "\\."), "0\\.4337"]
    assert "Epochs of the final training: 8 to 10, median 9." in said(app)


def test_rows_beyond_the_paper_can_be_switched_on(study, opened, tmp_path, monkeypatch):
    more = write_study(tmp_path / "more", [*make_results(1), *make_results(1, ("TSK-recommended", "LR"))])
    monkeypatch.setenv("TSK_STUDY_DIR", str(more))
    assert "LR" not in table(open_page(page="paper"))
    assert list(table(open_page(page="paper", beyond="true")).columns[-3:]) == ["TSK-recommended", "LR", "Splits"]


def test_what_a_link_cannot_have_is_told(opened):
    app = opened(table="RMSE", dataset="<b>", values="Difference", algorithm="SVM")
    assert not app.exception
    assert re.search(r"The link's table “RMSE” is unknown", said(app)) and "The link's dataset “<b>” is unknown" in said(app)
    assert "The link's algorithm “SVM” is unknown, so the usual one is shown." in said(app)
    assert app.selectbox(key="algorithm").value == "TSK-MBGD-UR-BN"  # which is not the first
    assert table(app).at["Satellite", "TSK-MBGD"] == "+0.3710"


def test_only_models_of_this_app_have_a_link_and_the_summary_of_one_split_has_no_spread():
    config = TrainConfig.from_url(linked(explore_link(result_of("TSK-MBGD-UR-RBN", ur_weight=20.0, epochs=33))))
    assert (config.batch_norm, config.ur_weight, config.max_epochs, config.early_stopping) == ("rbn", 20.0, 33, False)
    assert explore_link(result_of("TSK-recommended")) is not None
    assert explore_link(result_of("RF")) is None
    rca = summary("vehicle", "RF", [result_of("RF")])["RCA"]
    assert (rca["Ours"], rca["SD over splits"], rca["95% interval of the mean"], rca["Paper"]) == ("0.8000", "–", "–", "0.7407")
    assert rca["Ours − paper"] == "+0.0593"


def linked(link):
    return dict(parse_qsl(urlsplit(link).query))


def result_of(algorithm, ur_weight=None, epochs=None):
    return Result("vehicle", algorithm, 4, 0.8, 0.7, 1.0, ur_weight, epochs, 4, "0.1.0")


def test_a_missing_cell_is_computed_and_is_then_in_the_table_and_a_dataset_to_fetch_is_told(
    without_results, monkeypatch, tmp_path
):
    app = open_page(page="paper", algorithm="CART")
    assert "There are no results of ours yet" in said(app)
    button(app, "Compute 5 splits").click().run()
    path = Path(get_engine().store.folder) / STUDY_RESULTS
    run_until(app, lambda: len(read_results(path)) == 5 and app.dataframe and not app.get("progress"))
    found = mean_scores(read_results(path), "rca").at["vehicle", "CART"]
    assert table(app).at["Vehicle", "CART"].startswith(f"{found:.4f}")
    assert "5 of 30 splits have been computed" in said(app)
    assert button(app, "Compute 5 splits more")
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setenv("TSK_MAX_FETCH_SECONDS", "1")
    app = open_page(page="paper", dataset="Satellite", algorithm="CART")
    assert "Satellite is fetched from OpenML first" in said(app)


def test_statistics_name_their_assumptions_and_equations_are_of_the_family_alone(opened):
    app = look(opened(), "Statistics")
    assert not app.error
    text = said(app)
    assert "Friedman's χ² is" in text and "for 9 algorithms on 12 datasets" in text
    assert text.count("independent draws") >= 3
    averages = next(one.value for one in app.table if "Average rank" in one.value)
    printed = averages["Paper's, from its printed ranks"].str.replace("\\", "").astype(float)
    ours = averages["Average rank"].str.replace("\\", "").astype(float)
    assert (ours - printed).abs().max() < 0.5  # all but one cell are the paper's
    app = look(opened(algorithm="RF"), "Equations")
    assert "choose one of the MBGD family instead of RF" in said(app)


def test_differences_say_what_does_not_come_back_and_what_is_not_known(opened):
    app = look(opened(), "Differences")
    text = said(app)
    assert "farther than 0.05 from the paper's: 1 higher, 0 lower" in text
    for words in ("Abalone's classes.", "Batch size.", "“β D”", "τ: 1/C or 1/R.", "Table VI.", "What we could not reproduce"):
        assert words in text
    assert len(FORMULAS) == 2 and text.count("1/R") == sum(part.count("1/R") for pair in FORMULAS.items() for part in pair)
    assert not [one.text for one in MISPRINTS if "τ" in one.text or "β" in one.text]  # they are formulas, listed above


def test_without_results_every_tab_says_so(without_results):
    app = open_page(page="paper")
    for tab in ("Results", "Statistics", "Equations", "Differences"):
        look(app, tab)
        assert not app.exception and not app.error, tab


def test_the_authors_way_is_shown_with_what_it_explains_of_the_same_splits(study, tmp_path, monkeypatch):
    family = tuple(name for name in PAPER if name.startswith("TSK-MBGD"))
    folder = write_study(tmp_path / "both", make_results(raised=0.04))
    write_study(folder, make_results(3, family, ("vehicle",), raised=0.01), "authors.csv")
    monkeypatch.setenv("TSK_STUDY_DIR", str(folder))
    app = open_page(page="paper", authors="true")
    shown = table(app)
    assert list(shown.index) == ["Vehicle"] and list(shown.columns) == [*OURS_FIRST[: len(family)], "Splits"]
    assert "0.0400 away from the paper's when run as its text says, and 0.0100 as the authors ran it" in said(app)
    assert "a change of −0.0300. 4 of 4 cells come nearer." in said(app)
    ours, theirs = keyed(make_results(1)), keyed(make_results(1, ("TSK-MBGD",), ("vehicle",)))
    assert "cannot be compared" in explanation({}, theirs, "rca")
    assert "0.0010 away" in explanation(ours, theirs, "rca")


def test_sentences_are_left_out_where_cells_are_missing():
    assert sentences(keyed(make_results(1, ("RF",), ("vehicle",)))) == []
    assert len(sentences(keyed(make_results(1)))) == 4
