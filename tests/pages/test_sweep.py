"""The page Sweep: axes and link, a sweep from its start to its sentence, its cells, and the way to Explore and back."""

import io
from dataclasses import replace

import pandas as pd
import pytest

from tests.experiments.sweeps import make_plan, make_points
from tests.pages.helpers import (
    as_text,
    busy_worker,
    button,
    last_parts,
    metric,
    open_page,
    outdated,
    run_until,
    said,
    standing,
    values,
    wait_for_end,
)  # fmt: skip
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.experiments import every_training
from tsk_core.experiments.sweep_summary import summarise
from ui.experiments.runs import experiment_name
from ui.platform.engine import get_engine
from ui.sweep.panel import cells_frame
from ui.sweep.words import caption, cell_lines

SMALL = {"data": "iris", "epochs": "4", "rules": "3", "seeds": "2", "axis1": "batch=16,32"}
WATCH = "sweep_words_watch"


def sweep(app):
    """Press Sweep and wait for the end."""
    button(app, "Sweep").click().run()
    return run_until(app, lambda: not button(app, "Sweep").disabled and app.get("download_button"))


def fed(app):
    """What the browser has of the figure."""
    return next(part["payload"] for part in last_parts(app, WATCH) if part["kind"] == "sweep")


def choose(app, variant):
    """As a click on a cell of the figure."""
    plan, dataset = app.session_state["sweep_plan"], load_dataset(app.selectbox(key="data").value)
    app.session_state["sweep_cell"] = experiment_name(plan, dataset), variant
    return app.run()


def sweeps(app):
    return get_engine().store.ledger.records(app.session_state["owner"], task="sweep")


@pytest.fixture(scope="module")
def swept(engine):
    """A page whose sweep has ended."""
    app = sweep(open_page(page="sweep", **SMALL))
    assert not app.exception and not app.error
    return app


def test_a_sweep_says_what_is_the_highest_sends_its_cells_in_other_figures_and_bands_too_and_is_found_again(swept):
    message = fed(swept)
    assert [cell["values"] for cell in message["cells"]] == [[16], [32]] and all(cell["n"] == 2 for cell in message["cells"])
    assert [len(cell["seeds"]) for cell in message["cells"]] == [2, 2]
    assert "Highest: batch size " in said(swept) and "logistic regression BCA 0." in said(swept)
    assert [level["name"] for level in message["levels"]] == ["logistic regression", "random forest", "majority class"]
    before = len(sweeps(swept))
    swept.selectbox(key="show").set_value("dead").run()
    assert fed(swept)["figure"]["short"] == "dead rules" and fed(swept)["levels"] == []
    swept.selectbox(key="show").set_value("rca").run()
    assert "RCA 0." in said(swept)
    swept.segmented_control(key="band").set_value("ci").run()
    assert "95% interval" in fed(swept)["band"]
    swept.segmented_control(key="band").set_value("sd").run()
    swept.selectbox(key="show").set_value("bca").run()
    assert len(sweeps(swept)) == before and not swept.exception
    for name in ("experiments", "experiment_points", "computed:ui.sweep.panel._cells"):
        del swept.session_state[name]
    swept.run()
    assert "Highest: batch size" in said(swept) and all(cell["n"] == 2 for cell in fed(swept)["cells"])


def test_a_sweep_opens_from_its_link_with_its_axes_and_what_it_found():
    link = SMALL | {"axis1": "batch=16,64,999", "axis2": "ur=0,1", "equal": "steps", "epochs": "6"}
    app = sweep(open_page(page="sweep", **link))
    (run,), found = (record.id for record in sweeps(app)), fed(app)["cells"]
    app.number_input(key="rules").set_value(5)
    app.selectbox(key="axis_name0").set_value("ur").run()
    app.query_params.clear()
    app.query_params["run"] = run
    app.run()
    assert not app.exception and not app.error
    assert values(app)["rules"] == 3 and values(app)["epochs"] == 6 and app.segmented_control(key="equal").value == "steps"
    assert fed(app)["cells"] == found and len(found) == 6 and len(sweeps(app)) == 1
    app = open_page(page="compare", run=run)
    assert "not a comparison" in as_text(app.toast[0].value) and values(app)["rules"] == 3


def test_a_run_of_a_cell_opens_in_explore_with_its_numbers_and_the_way_back_restores_the_settings(swept):
    choose(swept, 1)
    assert "Runs of batch size 32: 2 of 2" in said(swept)
    (second,) = [line for line in said(swept).split("Seed ") if line.startswith("1: BCA")]
    [open_button] = [b for b in swept.button if b.label == "Open in Explore" and b.key.endswith(":3")]
    open_button.click().run()
    swept.switch_page("pages/explore.py")  # the page has done so; this tells AppTest
    wait_for_end(swept)
    assert values(swept)["batch"] == 32 and values(swept)["seed"] == 1
    assert f"BCA {float(metric(swept, 'Balanced accuracy')):.3f} (last)" in second
    for key in ("batch", "seed", "run"):  # as a click on the name of a page leaves them out
        del swept.query_params[key]
    swept.switch_page("pages/sweep.py").run()
    assert values(swept)["batch"] == 64 and values(swept)["seed"] == 0
    assert "Highest: batch size" in said(swept) and not swept.exception


def test_a_sweep_says_how_it_goes_and_the_runs_of_a_cell_are_listed_as_they_come():
    app = open_page(page="sweep", **SMALL | {"rules": "2"})
    with busy_worker():
        button(app, "Sweep").click().run()
        assert standing(app, WATCH)["text"].startswith("Waiting: number ")
        assert [line["text"] for line in standing(app, WATCH)["lines"]] == [
            "The first points appear when a group of trainings has ended."
        ]
        choose(app, 1)
        assert "Runs of batch size 32: 0 of 2" in said(app) and not outdated(app)
    (run,) = (record.id for record in sweeps(app))
    wait_until(lambda: f"{run} 1" in outdated(app))  # though the cell is not drawn by the browser
    wait_until(lambda: run in outdated(app))
    (line,) = standing(app, WATCH)["lines"]
    assert "Runs of batch size 32: 2 of 2" in said(app.run()) and not outdated(app)
    assert line["bold"] and line["text"] in said(app) and fed(app)["caption"]


def test_the_page_starts_with_the_batch_sizes_of_the_paper_and_an_estimate_and_presenter_mode_has_the_sentence():
    app = open_page(page="sweep", data="iris")
    assert app.text_input(key="axis_values0").value == "16, 32, 64, 128, 256, 512, 1024, 2048"
    assert app.number_input(key="seeds").value == 5 and "axis1" not in app.query_params
    assert "20 trainings, " in said(app)
    assert "Batch sizes from 105 on have all training rows in one batch, so they are trained once." in said(app)
    assert not app.exception and not app.error
    app = open_page(page="sweep", **SMALL | {"present": "1"})
    assert "iris · Batch size B · 2 seeds" in said(app) and button(app, "Leave") and not app.exception


def test_axes_are_chosen_typed_and_removed_and_the_link_follows():
    app = open_page(page="sweep", **SMALL)
    app.selectbox(key="axis_name1").set_value("ur").run()
    assert app.text_input(key="axis_values1").value == "0, 0.1, 0.3, 1, 3, 10, 30, 100"
    app.text_input(key="axis_values1").set_value("1, 0").run()
    assert app.query_params["axis2"] in ("ur=0,1", ["ur=0,1"]) and "8 trainings" in said(app)
    assert app.segmented_control(key="draw").options == ["map", "lines"]
    app.selectbox(key="axis_name1").set_value("none").run()
    assert "axis2" not in app.query_params and "4 trainings" in said(app) and not app.exception


def test_a_link_reproduces_axes_and_options_in_codes_that_people_read_as_words():
    link = SMALL | {"axis2": "ur=0,1", "axis3": "rules=2", "axis4": "lr=0.01", "show": "dead", "band": "ci", "draw": "parallel"}
    app = open_page(page="sweep", **link)
    shown = {key: app.segmented_control(key=key).value for key in ("band", "draw", "score")}
    assert shown == {"band": "ci", "draw": "parallel", "score": "mean"} and app.selectbox(key="show").value == "dead"
    assert app.text_input(key="axis_values3").value == "0.01" and "8 trainings" in said(app)
    app = open_page(page="sweep", **SMALL | {"show": "colour", "band": "x", "seeds": "99", "draw": "parallel"})
    assert app.selectbox(key="show").value == "bca" and app.number_input(key="seeds").value == 30 and not app.exception
    app = open_page(page="sweep", **SMALL | {"axis1": "batch=16,64", "axis2": "ur=0,1", "show": "seconds_share"})
    band, draw = (app.segmented_control(key=f"{key}:shown") for key in ("band", "draw"))
    assert [one.options for one in (band, draw)] == [["SD", "95% interval"], ["heat map", "lines"]]
    shown = app.selectbox(key="show:shown")
    assert (shown.value, shown.options[3], shown.options[6]) == ("seconds_share", "Dead rules", "Seconds")
    shown.select("dead").run()
    app.segmented_control(key="band:shown").set_value("ci").run()
    assert {key: app.session_state[key] for key in ("show", "band")} == {"show": "dead", "band": "ci"}


def test_equal_gradient_steps_are_a_switch_in_the_link_where_batch_size_is_an_axis():
    app = open_page(page="sweep", **SMALL | {"axis1": "batch=16,64,2048", "equal": "steps", "batch": "16"})
    plan = app.session_state["sweep_plan"]
    assert app.segmented_control(key="equal").value == "steps" and not app.exception and not app.error
    assert [variant.config.max_epochs for variant in plan.variants] == [4, 14, 28]  # of 7, 2 and 1 steps
    app.segmented_control(key="equal").set_value("epochs").run()
    assert {variant.config.max_epochs for variant in app.session_state["sweep_plan"].variants} == {4}
    app = open_page(page="sweep", **SMALL | {"axis1": "ur=0,1", "equal": "steps"})
    assert "equal" not in [one.key for one in app.segmented_control] and app.session_state["sweep_plan"].equal == "epochs"
    app = open_page(page="sweep", **SMALL | {"axis1": "batch=16,2048", "equal": "steps", "epochs": "900", "batch": "16"})
    assert "take 6,300 epochs; at most 2,000 are possible" in said(app) and button(app, "Sweep").disabled


@pytest.mark.parametrize(
    ("axes", "sentence"),
    [
        ({"axis1": "batch=16,many"}, "needs numbers separated by commas"),
        ({"axis1": "colour=1,2"}, "There is no axis 'colour'"),
        ({"axis1": "batch=-5"}, "-5"),
        ({"axis1": "batch=16,32", "axis2": "batch=64"}, "is given twice"),
        ({"axis1": "batch", "axis2": "ur", "axis3": "lr", "axis4": "l2"}, "combinations"),
    ],
)
def test_axes_that_cannot_be_give_one_sentence(axes, sentence):
    app = open_page(page="sweep", **SMALL | axes)
    assert [sentence in as_text(one.value) for one in app.error] == [True] and button(app, "Sweep").disabled
    assert not app.exception


def test_one_value_and_one_seed_have_no_interval_and_runs_that_explore_has_no_control_for_no_button():
    app = sweep(open_page(page="sweep", **SMALL | {"seeds": "1", "axis1": "batch=32"}))
    assert "reaches BCA" in said(app) and "one seed, so no interval" in said(app)
    assert not any(cell["highest"] for cell in fed(app)["cells"]) and "choose more seeds" in fed(app)["caption"]
    app = choose(sweep(open_page(page="sweep", **SMALL | {"seeds": "1", "axis1": "sigma=0.5,1"})), 0)
    assert "Explore has no control for the width" in said(app) and not any(b.label == "Open in Explore" for b in app.button)
    choose(app, 1)  # the usual width
    assert sum(b.label == "Open in Explore" for b in app.button) == 1
    button(app, "Close").click().run()
    assert "Runs of" not in said(app) and not app.exception


def test_a_stopped_sweep_keeps_its_points_and_continues():
    app = open_page(page="sweep", **SMALL | {"epochs": "2000", "axis1": "batch=16,17,18,19,20,21,22,23,24,25,26,27"})
    button(app, "Sweep").click().run()
    run_until(app, lambda: not button(app, "Stop").disabled)
    button(app, "Stop").click().run()
    run_until(app, lambda: not button(app, "Sweep").disabled)
    assert "Stopped after" in said(app) and not button(app, "Continue").disabled
    known = sum(cell["n"] for cell in fed(app)["cells"])
    button(app, "Continue").click().run()
    assert button(app, "Sweep").disabled
    wait_until(lambda: sum(cell["n"] for cell in fed(app)["cells"]) >= known)
    button(app, "Stop").click().run()
    run_until(app, lambda: not button(app, "Sweep").disabled)
    assert not app.exception


def test_the_exports_have_a_row_for_each_run_and_each_cell():
    plan = make_plan("batch=16,32", "ur=0,1", seeds=3)
    points = make_points(plan, [0.7, 0.8, 0.79, 0.6])
    runs = every_training(plan, points)
    assert runs[["batch", "ur", "seed"]].values.tolist()[4] == [16, 1, 1] and len(runs) == 12
    assert runs["bca_mean"].tolist() == [point["scores"]["mean"][1] for point in points]
    cells = cells_frame(plan, summarise(plan, points))
    again = pd.read_csv(io.StringIO(cells.to_csv(index=False)))
    assert again["highest"].tolist() == [False, True, False, False] and again["n"].tolist() == [3] * 4
    assert again["bca_mean"][1] == pytest.approx(runs["bca_mean"][3:6].mean())


def test_a_cell_and_the_caption_say_what_the_figure_means():
    plan = make_plan(seeds=8, config=replace(TrainConfig(), max_epochs=10))
    cells = summarise(plan, make_points(plan, [0.7, 0.8, 0.797]))
    lines = cell_lines(plan, cells[2], "bca")
    assert lines[0] == "Batch size 64" and "8 runs" in lines and lines[-1] == "not separated from the highest"
    assert lines[-3].startswith("BCA, this − highest: −0.") and "(97.5% interval −" in lines[-3] and "of 8 seeds" in lines[-2]
    assert cell_lines(plan, cells[0], "bca")[-1] == "lower than the highest"
    assert cell_lines(plan, cells[1], "bca")[-1] == "highest by BCA"
    text = caption(plan, cells, "bca", "mean", "map")
    assert text.startswith("Star: highest by BCA; ring: not separated from it.") and "adjusted for all 3 pairs" in text
    halves = sorted(100 * cells[at].difference.detectable for at in (0, 2))
    assert f"These 8 seeds could detect a difference of about ±{halves[0]:.1f} to ±{halves[1]:.1f} points." in text
    assert "the same test rows" in caption(plan, cells, "bca", "mean", "map", corrected=False)
    assert "A dead rule" in caption(plan, cells, "dead", "mean", "map")
    assert caption(plan, summarise(plan, []), "bca", "mean", "map") == "Scores: the mean of the last epochs."
