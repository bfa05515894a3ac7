"""The page Compare: controls, link, presets, a comparison from its start to its verdict, and the ways to and from Explore."""

from collections import Counter

import pytest

from tests.pages.helpers import (
    as_text,
    busy_worker,
    button,
    last_parts,
    open_page,
    outdated,
    run_until,
    said,
    standing,
    train,
    values,
)  # fmt: skip
from tests.waiting import wait_until
from tsk_core.settings import SETTINGS
from ui.compare.presenter import PRESETS
from ui.platform.engine import get_engine

SMALL = {"data": "iris", "epochs": "4", "rules": "3", "variants": "none,ur", "seeds": "2"}
WATCH = "compare_words_watch"


def compare(app):
    """Press Compare and wait for the end."""
    button(app, "Compare").click().run()
    return run_until(app, lambda: not button(app, "Compare").disabled and app.get("download_button"))


def stop(app):
    button(app, "Stop").click().run()
    return run_until(app, lambda: not button(app, "Compare").disabled)


def fed(app):
    """What the browser has of the comparison: the payloads by their kinds."""
    return {part["kind"]: part["payload"] for part in last_parts(app, WATCH)}


def runs(app):
    return get_engine().store.ledger.records(app.session_state["owner"], task="comparison")


def test_a_comparison_gives_a_verdict_a_table_and_its_records_and_is_found_again():
    app = compare(open_page(page="compare", **SMALL))
    assert not app.exception and not app.error
    assert "95% interval" in said(app) and "paired over 2 seeds" in said(app)
    table = app.table[0].value
    assert table["Variant"].tolist() == ["MBGD", "UR"] and table["Seeds"].tolist() == ["2", "2"]
    message = fed(app)
    assert {line["point"] for line in message["records"]["list"] if line and "point" in line} == {0, 1, 2, 3}
    assert [variant["name"] for variant in message["comparison"]["variants"]] == ["MBGD", "UR"]
    assert message["comparison"]["classes"] == ["setosa", "versicolor", "virginica"]
    for name in ("experiments", "experiment_points", "computed:ui.compare.texts.verdict"):  # as after a reload
        del app.session_state[name]
    assert "95% interval" in said(app.run()) and len(runs(app)) == 1
    app.segmented_control(key="band").set_value("ci").run()
    about = fed(app)["comparison"]
    assert about["band"] == "ci" and "95% interval of the mean" in about["bandText"] and len(runs(app)) == 1


def verdicts(app):
    return [as_text(one.value) for one in app.markdown if "95% interval" in as_text(one.value)]


def test_the_link_carries_variants_and_what_it_cannot_have_is_left_out():
    app = open_page(page="compare", **SMALL | {"variants": "none,nonsense,rules=5,rules=5", "seeds": "99", "score": "worst"})
    assert app.multiselect(key="variants_box").value == ["none", "rules=5"]
    assert app.number_input(key="seeds").value == 30 and app.segmented_control(key="score").value == "mean"
    assert "unknown" in said(app) and not app.exception
    app.multiselect(key="variants_box").set_value(["bn", "ur"]).run()
    assert app.query_params["variants"] == ["bn,ur"] or app.query_params["variants"] == "bn,ur"


def test_a_preset_sets_everything_and_starts():
    app = open_page(page="compare")
    button(app, PRESETS[0].title).click().run()
    assert app.multiselect(key="variants_box").value == ["none", "ur-val"] and values(app)["epochs"] == 200
    assert app.selectbox(key="data").value in ("vehicle", "wine")  # nobody had chosen a table
    assert app.number_input(key="seeds").value == 10 and not button(app, "Stop").disabled and not app.exception
    stop(app)
    assert runs(app)[0].state in ("stopped", "finished")


@pytest.mark.parametrize("table", ["iris", "moons", "chosen by hand"])
def test_a_preset_keeps_the_table_of_the_link_or_chosen_by_hand_and_its_test_share(table):
    link = {} if table == "chosen by hand" else {"data": table}
    app = open_page(page="compare", **link, test="0.4")
    first = app.selectbox(key="data").value
    if not link:  # it stays though it is the first of the list
        app.selectbox(key="data").set_value("wine").run()
        app.selectbox(key="data").set_value(first).run()
    button(app, PRESETS[1].title).click().run()
    assert values(app)["data"] == first == link.get("data", first) and values(app)["epochs"] == 200
    assert runs(app)[0].dataset == first and app.session_state["test"] == 0.4 and not app.exception
    stop(app)


def test_ur_by_validation_says_what_it_chose_and_opens_with_that_weight():
    app = compare(open_page(page="compare", **SMALL | {"variants": "none,ur-val", "data": "wine"}))
    assert "λ by validation" in said(app) and "paper’s datasets" in said(app).replace("'", "’")
    weights = {line["point"]: line["ur_weight"] for line in fed(app)["records"]["list"] if line and "point" in line}
    times = Counter(weights[number] for number in (2, 3))
    assert all(f"λ {weight:g} in {count}" in said(app) for weight, count in times.items())
    app.session_state["compare_opened"] = 3
    app.run()
    assert app.number_input(key="ur").value == weights[3] and app.number_input(key="seed").value == 1 and not app.exception


def test_a_comparison_says_how_it_goes_and_its_trainings_open_with_what_is_known_since_the_page_was_drawn():
    link = SMALL | {"variants": "none,ur-val", "data": "wine", "seed": "3"}
    app = open_page(page="compare", **link)
    with busy_worker():
        button(app, "Compare").click().run()
        said_now = standing(app, WATCH)
        assert said_now["text"].startswith("Waiting: number ") and "table" not in said_now
        assert [line["text"] for line in said_now["lines"]] == ["The verdict appears when the first trainings have ended."]
        assert not outdated(app)
    (run,) = (record.id for record in runs(app))
    wait_until(lambda: outdated(app) == [run])
    said_now = standing(app, WATCH)
    assert said_now["table"]["columns"][0] == "Variant" and [row[0] for row in said_now["table"]["rows"]][0] == "MBGD"
    text = said(open_page(page="compare", owner=app.session_state["owner"], **link))
    assert len(said_now["lines"]) > 1 and all(line["text"] in text for line in said_now["lines"])
    weights = {line["point"]: line["ur_weight"] for line in fed(app)["records"]["list"] if line and "point" in line}
    number = next((number for number in (2, 3) if weights[number] != 1), 2)  # where 1, of the settings, was not chosen
    app.session_state["compare_opened"] = number  # as after a click on its line, before the page is drawn again
    app.run()
    assert app.number_input(key="ur").value == weights[number] and values(app)["seed"] == 1 + number and not app.exception


def test_a_link_may_name_any_number_of_trainings_that_divides_the_rules_and_no_two_variants_alike():
    few, many = "base,trainings=32,trainings=100", "base,trainings=0,trainings=1000,trainings=" + "9" * 5000
    for variants, taken in ((few, few.split(",")), (many, ["base"])):
        app = open_page(page="compare", **SMALL | {"rules": "64", "variants": variants})
        assert app.multiselect(key="variants_box").value == taken and not app.exception
    app = open_page(page="compare", **SMALL | {"variants": "ur-bn,base"})
    assert "have the same settings" in said(app) and button(app, "Compare").disabled and not app.exception


def test_a_variant_with_one_changed_knob_is_added():
    app = open_page(page="compare", **SMALL)
    app.selectbox(key="added_knob").set_value("l2").run()
    app.text_input(key="added:l2").set_value("0.1").run()
    button(app, "Add variant").click().run()
    assert app.multiselect(key="variants_box").value == ["none", "ur", "l2=0.1"]
    app.text_input(key="added:l2").set_value("0.2")  # and at once, before the page has answered
    button(app, "Add variant").click().run()
    assert app.multiselect(key="variants_box").value == ["none", "ur", "l2=0.1", "l2=0.2"]
    app.text_input(key="added:l2").set_value("much").run()
    button(app, "Add variant").click().run()
    assert "must be a number" in said(app) and not app.exception


def test_a_training_of_the_comparison_opens_in_explore_with_its_settings_and_seed():
    app = compare(open_page(page="compare", **SMALL))
    app.session_state["compare_opened"] = 3  # as after a click on its line
    app.run()
    assert {key: values(app)[key] for key in ("seed", "ur", "rules", "bn")} == {"seed": 1, "ur": 1, "rules": 3, "bn": "none"}
    assert "run" in app.query_params and not app.exception
    app.query_params.clear()
    app.switch_page("pages/compare.py").run()
    assert "95% interval" in said(app) and app.number_input(key="seed").value == 0  # what was compared is there again


def test_explore_offers_to_compare_its_run_with_one_knob_changed():
    app = train(open_page(data="iris", epochs="4", rules="3", seed="5"))
    button(app, "without UR").click().run()
    assert app.multiselect(key="variants_box").value == ["base", "ur=0"]
    assert app.number_input(key="seed").value == 5 and not button(app, "Stop").disabled and not app.exception
    stop(app)


def test_a_comparison_opens_from_its_link_with_its_settings_and_what_it_found():
    app = compare(open_page(page="compare", **SMALL | {"data": "wine", "ur": "5", "score": "best"}))
    (run,) = (record.id for record in runs(app))
    shown = verdicts(app)
    app.number_input(key="rules").set_value(9)
    app.selectbox(key="data").set_value("iris")
    app.multiselect(key="variants_box").set_value(["bn"]).run()
    assert not verdicts(app)
    app.query_params.clear()
    app.query_params["run"] = run
    app.run()
    assert app.multiselect(key="variants_box").value == ["none", "ur"] and "run" not in app.query_params
    assert (values(app)["data"], values(app)["rules"], values(app)["ur"]) == ("wine", 3, 5.0)
    assert app.number_input(key="seeds").value == 2 and app.segmented_control(key="score").value == "best"
    assert verdicts(app) == shown and len(runs(app)) == 1
    other = open_page(page="compare", run=run)  # somebody else, who has not computed it
    assert other.multiselect(key="variants_box").value == ["none", "ur"] and values(other)["ur"] == 5.0
    assert not verdicts(other) and verdicts(compare(other)) == shown


def test_what_a_comparison_does_not_use_is_said_beside_the_settings():
    app = open_page(page="compare", **SMALL)
    assert "has no effect here" not in said(app)
    app = open_page(page="compare", **SMALL | {SETTINGS["early_stopping"].key: "1"})
    app.session_state["rule_base"] = "{}"
    app.run()
    assert "Early stopping has no effect here" in said(app) and "rule base is not used here" in said(app)
