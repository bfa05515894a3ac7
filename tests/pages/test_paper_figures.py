"""The figures on the page Paper: drawn from files, beside the paper's."""

import json
import shutil

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tsk_study.figures import FIGURES, FigureOptions, make_figures, read_figure
from tsk_study.names import FOUR
from tsk_study.results import Result
from ui.charts.drawn import CLASS_COLOURS, ON_DARK
from ui.paper.figures import chart, numbers

RESULTS = {
    one.key: one
    for split in (0, 1)
    for k, name in enumerate(FOUR)
    for one in [Result("vehicle", name, split, 0.7 + k / 100, 0.6 + k / 100, 0.1, 1.0 if k > 1 else None, 2, split, "0")]
}


def firing(splits=2):
    """Made-up levels of four rules."""
    levels = [[0.7, 0.1, 0.1, 0.1], [0.6, 0.2, 0.1, 0.1], [0.3, 0.3, 0.2, 0.2], [0.25, 0.25, 0.25, 0.25]]
    return pd.DataFrame(
        [
            {"dataset": "vehicle", "algorithm": name, "split": split, "rule": rule, "firing": level + split / 1000}
            for name, values in zip(FOUR, levels, strict=True)
            for split in range(splits)
            for rule, level in enumerate(values, 1)
        ]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of two figures, which no test changes."""
    folder = tmp_path_factory.mktemp("figures")
    firing().to_csv(folder / "firing.csv", index=False)
    make_figures(FigureOptions(RESULTS), folder, ["improvement", "firing"])
    return folder


@pytest.fixture
def own(folder, tmp_path):
    """A copy of them, which a test may change."""
    return shutil.copytree(folder, tmp_path / "own")


@pytest.fixture(scope="module")
def shown(folder):
    """The page with both figures."""
    return drawn(folder, RESULTS)


def drawn(folder, results):
    def page(folder, results):
        from pathlib import Path

        from ui.paper.figures import figures_section

        figures_section(results, Path(folder))

    app = AppTest.from_function(page, args=(str(folder), results), default_timeout=60).run()
    assert not app.exception
    return app


def test_each_figure_has_its_claims_its_charts_of_one_range_with_a_text_and_its_numbers(shown):
    app = shown
    assert [one.value for one in app.subheader] == [one.heading for one in FIGURES.values()]
    charts = app.get("plotly_chart")
    assert len(charts) == 4 + 1  # RCA and BCA, the paper's and ours; one dataset's firing levels
    assert [table.value.columns.tolist() for table in app.table] == [["The paper", "Ours", "In numbers"]] * 2
    assert "yes" in app.table[1].value["Ours"].tolist()
    captions = " ".join(caption.value for caption in app.caption)
    assert "Means over 2 splits of Vehicle; bands: ± one SD over the splits." in captions
    paper, ours = (json.loads(one.proto.spec)["layout"]["yaxis"]["range"] for one in charts[:2])
    assert paper == ours
    assert paper[0] < 0.489  # what the paper prints of TSK-MBGD on Satellite
    for one in shown.get("plotly_chart"):
        assert "in the table below" in one.proto.alt
    app.session_state["figure_data_firing"] = True
    app.run()
    (table,) = app.dataframe
    assert table.value["MBGD"].tolist()[0].startswith("0.7005 ± ")
    assert {button.label for button in app.get("download_button")} == {"Download CSV", "Download SVG"}


def test_a_figure_that_is_not_computed_says_so_and_the_others_are_drawn(folder):
    app = drawn(folder, {})
    captions = " ".join(caption.value for caption in app.caption)
    assert "No dataset has results of TSK" in captions
    assert captions.count("has not been computed") == 3
    assert len(app.get("plotly_chart")) == 1


def test_a_file_that_changes_is_read_again_and_a_damaged_one_is_a_sentence(own):
    (own / "entropy.csv").write_text("dataset,algorithm\nx,y\n")
    assert "delete the file" in " ".join(caption.value for caption in drawn(own, RESULTS).caption)
    drawn(own, RESULTS)
    firing(splits=3).to_csv(own / "firing.csv", index=False)
    assert "Means over 3 splits" in " ".join(caption.value for caption in drawn(own, RESULTS).caption)


@pytest.mark.parametrize(("dark", "colours"), [(False, CLASS_COLOURS), (True, ON_DARK)])
def test_lines_differ_in_colour_dash_and_marker(folder, dark, colours):
    (panel,) = FIGURES["firing"].panels(read_figure(folder, "firing"))
    lines = [trace for trace in chart(panel, dark=dark).data if trace.mode == "lines+markers"]
    assert [line.name for line in lines] == ["MBGD", "MBGD-BN", "MBGD-UR", "MBGD-UR-BN"]
    assert [line.line.color for line in lines] == list(colours[:4])
    assert len({line.line.dash for line in lines}) == len({line.marker.symbol for line in lines}) == 4


def test_a_band_is_one_standard_deviation_to_both_sides_bars_are_shares_and_a_logarithmic_axis_names_its_sizes(folder):
    (panel,) = FIGURES["firing"].panels(read_figure(folder, "firing"))
    low, high, line = chart(panel, dark=False).data[:3]
    assert [(a + b) / 2 for a, b in zip(low.y, high.y, strict=True)] == pytest.approx(list(line.y))
    assert [(b - a) / 2 for a, b in zip(low.y, high.y, strict=True)] == pytest.approx(list(panel.series[0].sd))
    (panel,) = FIGURES["firing"].panels(firing(splits=1))
    assert len(chart(panel, dark=False).data) == 4
    assert "±" not in " ".join(numbers(panel)["MBGD"])
    (panel,) = FIGURES["firing"].panels(read_figure(folder, "firing"))
    bars = chart(panel._replace(kind="bars"), dark=False)
    assert {trace.type for trace in bars.data} == {"bar"}
    sizes = chart(panel._replace(log_x=True), dark=False).layout.xaxis
    assert (sizes.type, list(sizes.ticktext)) == ("log", ["1", "2", "3", "4"])


def test_reading_effort_is_drawn_as_points_bars_and_levels():
    efforts = {"Readable-10": 8, "Readable-20": 17, "CART": 120, "RF": None}
    efforts |= {"JRip": 30, "PART": 40, "LR": 50, "LR-weighted": 50, "EBM": 90}  # each a mark of its own
    results = {
        one.key: one
        for split in (0, 1)
        for name, effort in efforts.items()
        for one in [Result("vehicle", name, split, 0.7, 0.6 + split / 100, 0.1, None, None, split, "0", effort)]
    }
    figure = FIGURES["effort"]
    (panel,) = figure.panels(figure.compute(FigureOptions(results), lambda share: None))
    drawn = chart(panel, dark=False)
    points = {trace.name: trace for trace in drawn.data if trace.name and trace.showlegend is not False}
    assert list(points["Readable"].x) == [8, 17] and points["Readable"].mode == "lines+markers"
    assert points["CART"].mode == "markers" and list(points["CART"].error_y.array) == pytest.approx([0.00707], abs=1e-5)
    assert [shape.y0 for shape in drawn.layout.shapes] == pytest.approx([0.605])
    assert len({(trace.marker.symbol, trace.line.color) for trace in points.values()}) == 7
    table = numbers(panel)
    assert table[""].tolist() == ["Readable", "Readable", "CART", "JRip", "PART", "LR", "LR-weighted", "EBM", "RF"]
    assert table["Reading effort"].tolist() == ["8", "17", "120", "30", "40", "50", "50", "90", ""]
    assert table["BCA"].iloc[-1] == "0.605"
