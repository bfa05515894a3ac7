"""The Explore page without a browser, on a real engine: links, uploads, runs."""

import random
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.pages.helpers import (
    ADDRESS,
    WIDGETS,
    as_text,
    button,
    look_at,
    markup,
    metric,
    open_page,
    progress,
    rules,
    run_until,
    told,
    train,
    upload,
    values,
    wait_for_end,
)
from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.data import load_dataset

pytestmark = pytest.mark.usefixtures("engine")

LINK_KEYS = {setting.key for setting in SETTINGS.values() if setting.key} | {"test"}
IMAGE, FORMULA, ADDRESS_NAME = "<img src=x onerror=alert(1)>", "$x$", "[x](javascript:alert(1))"


def table(header="size,colour,species", colours=("red", "blue"), classes=("cat", "dog"), rows=60):
    """A CSV with a number, a category and a class; each of the first two columns has a gap."""
    noise = random.Random(0)
    lines = [header]
    for k in range(rows):
        size = "" if k == 7 else f"{3 * (k % 2) + noise.random():.2f}"
        colour = "" if k == 9 else colours[k % 2]
        lines.append(f"{size},{colour},{classes[k % 2]}")
    return "\n".join(lines).encode()


# Opening.


def test_the_page_opens_with_its_controls():
    app = open_page()
    assert not app.exception and not app.error and not app.info
    assert app.title[0].value == "TSK Explorer"
    steering = {"Train", "Stop", "Pause", "Step", "Reset", "New seed", "Copy full link"}
    assert {b.label for b in app.button} == steering | {"Browse datasets", "Present", "Undo"}
    assert (button(app, "Train").disabled, button(app, "Stop").disabled) == (False, True)
    assert set(values(app)) == LINK_KEYS | {"data", "target"}
    assert values(app)["data"] == "iris" and values(app)["target"] == "class"


def test_every_setting_starts_at_its_default_and_shows_its_symbol_and_help():
    app = open_page()
    texts = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in values(app).items()}
    seedless = {key: text for key, text in texts.items() if key != "seed"}
    assert TrainConfig.from_url(seedless) == TrainConfig()
    widgets = {w.key: w for kind in WIDGETS for w in getattr(app, kind)}
    for setting in SETTINGS.values():
        if setting.key:
            widget = widgets[setting.key]
            assert setting.label in widget.label and setting.symbol in widget.label and widget.help == setting.help


def test_the_table_is_shown_before_the_first_run():
    app = open_page(data="wine")
    (preview,) = (e for e in app.expander if e.label.startswith("Data"))
    assert preview.label == "Data – wine: 178 rows, 13 features, 3 classes"
    assert [len(d.value) for d in app.dataframe] == [178, 3, 14]  # the table, its classes, its columns
    assert app.dataframe[1].value["rows"].sum() == 178


# Running.


def test_training_shows_scores_charts_and_rules():
    app = open_page(epochs="10")
    train(app)
    assert not app.exception and not app.error
    assert 0.5 < float(metric(app, "Test RCA")) <= 1 and 0.5 < float(metric(app, "Test BCA")) <= 1
    assert metric(app, "Epoch") == "10 / 10"
    tabs = ["Training", "Firing", "Entropy", "Mistakes", "Samples", "Rules", "Predict", "Export"]
    assert [tab.label for tab in app.tabs][-8:] == tabs
    assert progress(app).startswith("Finished")
    assert any(c.value.startswith("On the same split") and "logistic regression" in c.value for c in app.caption)
    shown = told(app)["shown"]
    assert shown["since"] + len(shown["epochs"]) == 10  # messages repeat only what the last few brought
    assert rules(app)
    for rule in rules(app):
        assert " IF " in rule and " THEN " in rule
        assert rule.endswith(("setosa", "versicolor", "virginica"))
    assert all(name in " ".join(rules(app)) for name in load_dataset("iris").X.columns)


def test_a_second_run_shows_the_first_as_a_ghost():
    app = open_page(epochs="10", rules="5")
    train(app)
    first = told(app)
    assert first["shown"]["run"] and first["ghost"] is None
    assert not any("Against the run before" in c.value for c in app.caption)
    app.number_input(key="ur").set_value(10.0).run()
    train(app)
    (against,) = (as_text(c.value) for c in app.caption if "Against the run before" in c.value)
    assert against == "Against the run before (dashed): λ 1 → 10."
    assert told(app)["ghost"]["run"] == first["shown"]["run"]
    (rca,) = (m for m in app.metric if m.label == "Test RCA")
    assert rca.delta


def test_the_same_settings_again_give_the_same_numbers():
    app = open_page(epochs="5", rules="4", seed="3")
    scores = []
    for _ in range(2):
        train(app)
        scores.append((metric(app, "Test RCA"), metric(app, "Test BCA"), rules(app)))
    assert scores[0] == scores[1]
    assert any("nothing changed" in c.value for c in app.caption)


def test_stop_ends_a_long_run_early_and_keeps_its_model():
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
    assert (button(app, "Train").disabled, button(app, "Stop").disabled) == (True, False)
    run_until(app, lambda: not metric(app, "Epoch").startswith("0 "))
    assert len(told(app)["shown"]["epochs"]) > 0
    look_at(app, "Rules")
    assert any("press Stop" in note.value for note in app.info)  # the tab of rules says how to see them
    button(app, "Stop").click().run()
    wait_for_end(app)
    assert not app.exception and not app.error
    assert progress(app).startswith("Stopped")
    assert 1 <= int(metric(app, "Epoch").split(" / ")[0]) < 2000
    assert "pixel" in rules(app)[0]


def test_a_run_with_one_rule_is_drawn():
    app = open_page(rules="1", epochs="3")
    train(app)
    assert not app.exception and not app.error
    assert len(rules(app)) == 1


def test_shorter_rules_have_fewer_conditions():
    app = open_page(rules="4", epochs="3")
    train(app)
    look_at(app, "Rules")
    app.slider[0].set_value(1).run()
    assert not app.exception
    assert not any(" AND " in rule for rule in rules(app))


# Links.


def test_a_link_sets_every_setting():
    link = {
        "data": "wine", "target": "class", "rules": "7", "ur": "3", "bn": "rbn", "batch": "32", "lr": "0.02", "l2": "0.05",
        "epochs": "30", "es": "true", "patience": "9", "firing": "htsk", "tau": "1/R", "init": "random", "opt": "adam",
        "cw": "balanced", "seed": "11", "test": "0.25",
    }  # fmt: skip
    app = open_page(**link)
    assert not app.exception and not app.error and not app.info
    assert values(app) == {
        "data": "wine", "target": "class", "rules": 7, "ur": 3.0, "bn": "rbn", "batch": 32, "lr": 0.02, "l2": 0.05,
        "epochs": 30, "es": True, "patience": 9, "firing": "htsk", "tau": "1/R", "init": "random", "opt": "adam",
        "cw": "balanced", "seed": 11, "test": 0.25,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "text", "taken"),
    [("rules", "1000000", 200), ("rules", "0", 1), ("ur", "-1", 0), ("ur", "1e9", 1000), ("epochs", "2001", 2000),
     ("batch", "1", 2), ("lr", "0", 1e-5), ("l2", "11", 10), ("seed", "-5", 0), ("test", "0.99", 0.9)],
)  # fmt: skip
def test_a_link_out_of_range_takes_the_nearest_value_and_says_so(key, text, taken):
    app = open_page(**{key: text})
    assert not app.exception and not app.error
    assert values(app)[key] == taken
    (note,) = (as_text(i.value) for i in app.info)
    assert text in note and f"{taken:g} is used" in note
    assert not button(app, "Train").disabled


def test_a_link_with_a_fraction_for_a_whole_number_is_rounded_and_says_so():
    app = open_page(rules="7.5")
    assert values(app)["rules"] == 8
    (note,) = (as_text(i.value) for i in app.info)
    assert "7.5 is not a whole number" in note and "8 is used" in note


def test_a_link_with_too_large_a_seed_takes_the_largest_one():
    app = open_page(seed="99999999999")
    assert values(app)["seed"] == 2**31 - 1
    assert app.query_params == {"seed": "2147483647"}
    assert "2147483647 is used" in as_text(app.info[0].value)


def test_the_value_taken_instead_stands_in_the_link():
    assert open_page(rules="1000000", ur="1e9", bn="rbn").query_params == {"rules": "200", "ur": "1000", "bn": "rbn"}


@pytest.mark.parametrize("key", ["rules", "lr", "ur", "seed", "test"])
def test_a_link_with_a_word_for_a_number_takes_the_default_and_says_so(key):
    app, plain = open_page(**{key: "abc"}), open_page()
    assert not app.exception and not app.error
    assert values(app) == values(plain)
    (note,) = (as_text(i.value) for i in app.info)
    assert "abc" in note and "not a number" in note


@pytest.mark.parametrize("text", ["inf", "-inf", "1e999"])
def test_a_link_with_an_infinite_number_leaves_the_page_alive(text):
    app = open_page(rules=text)
    assert not app.error and len(app.info) == 1
    assert not button(app, "Train").disabled


@pytest.mark.parametrize("text", ["abc", "nan", "-1", IMAGE[:20]])
def test_a_link_with_a_bad_ur_target_leaves_the_page_alive(text):
    app = open_page(tau=text)
    (error,) = (e.value for e in app.error)
    assert "τ" in error and text in as_text(error)
    assert set(values(app)) == LINK_KEYS | {"data", "target"}
    assert button(app, "Train").disabled and button(app, "Copy full link").disabled
    app.selectbox(key="tau").select("1/R").run()
    assert not app.error and not button(app, "Train").disabled


def test_a_server_with_a_low_limit_of_rules_opens(monkeypatch):
    monkeypatch.setenv("TSK_MAX_RULES", "10")
    app = open_page()
    assert not app.error
    assert values(app)["rules"] == 10


def test_a_link_with_a_ur_target_in_numbers_is_taken():
    app = open_page(tau="0.25")
    assert not app.exception and not app.error
    assert values(app)["tau"] == "0.25"


@pytest.mark.parametrize("name", ["nonsense", IMAGE, "../../etc/passwd"])
def test_a_link_to_an_unknown_dataset_says_so(name):
    app = open_page(data=name)
    assert not app.exception and not app.error
    (note,) = (i.value for i in app.info)
    assert name in as_text(note) and "not on this server" in note
    assert not button(app, "Train").disabled


def test_a_link_to_an_uploaded_file_asks_for_it():
    app = open_page(data="upload", sha="0123456789abcdef" * 4)
    assert any("0123456789ab" in i.value for i in app.info)
    assert button(app, "Train").disabled


def test_a_link_made_with_other_data_of_the_same_name_says_so():
    known = load_dataset("iris").sha256
    assert not open_page(data="iris", target="class", sha=known).info
    (note,) = (as_text(i.value) for i in open_page(data="iris", target="class", sha=known[::-1]).info)
    assert "SHA-256" in note


def test_the_full_link_says_everything_and_opens_the_same_page():
    app = open_page(data="wine")
    app.number_input(key="rules").set_value(7)
    app.number_input(key="ur").set_value(2.5)
    app.number_input(key="lr").set_value(0.0125)
    app.number_input(key="seed").set_value(42)
    app.number_input(key="test").set_value(0.25)
    app.selectbox(key="bn").select("none")
    app.selectbox(key="tau").select("1/R")
    app.selectbox(key="cw").select("balanced")
    app.checkbox(key="es").check()
    button(app, "Copy full link").click().run()
    address = urlsplit(app.code[0].value)
    link = dict(parse_qsl(address.query, strict_parsing=True))
    assert f"{address.scheme}://{address.netloc}" == ADDRESS
    assert set(link) == LINK_KEYS | {"v", "data", "target", "sha"}
    assert (link["v"], link["data"], link["target"]) == ("1", "wine", "class")
    assert link["sha"] == load_dataset("wine").sha256
    assert TrainConfig.from_url(link) == TrainConfig(
        n_rules=7, ur_weight=2.5, learning_rate=0.0125, random_state=42, batch_norm="none", ur_target="1/R",
        class_weight="balanced", early_stopping=True,
    )  # fmt: skip
    again = open_page(**link)
    assert not again.info and not again.error
    assert values(again) == values(app)


# Uploads.


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", "PDF"),
        (random.Random(0).randbytes(3000), "binary"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "image"),
        (b"a,b,class\n", "no data rows"),
        (b"a,b,class\n1,2,x\n2,3,x\n1,3,x\n2,2,x\n", "single class"),
        (b"a,b,class\n1,2,x\n1,2,3,y\n", "Line 3"),
        (b"a\n1\n2\n3\n1\n", "column"),
    ],
    ids=["empty", "pdf", "random-bytes", "image", "header-only", "one-class", "ragged", "one-column"],
)
def test_a_bad_file_is_refused_in_one_sentence(content, said):
    app = open_page(data="upload", rules="3", epochs="3")
    assert button(app, "Train").disabled and not app.error
    upload(app, "table.csv", content)
    assert not app.exception
    (error,) = (as_text(e.value) for e in app.error)
    assert said in error and error.endswith((".", "?")) and "Traceback" not in error
    assert button(app, "Train").disabled and button(app, "Copy full link").disabled
    upload(app, "good.csv", table())  # the page goes on
    assert not app.error and not button(app, "Train").disabled


def test_a_file_with_a_category_and_gaps_trains():
    app = open_page(data="upload", rules="3", epochs="30")
    upload(app, "my pets.csv", table())
    assert not app.exception and not app.error
    assert values(app)["target"] == "species"
    assert any("2 cells are gaps" in as_text(m.value) for m in app.markdown)
    assert any(e.label == "Data – my pets: 60 rows, 2 features, 2 classes" for e in app.expander)
    train(app)
    assert 0 <= float(metric(app, "Test RCA")) <= 1
    assert rules(app)
    assert all(rule.endswith(("cat", "dog")) for rule in rules(app))
    assert "size is" in " ".join(rules(app)) and "colour is red" in " ".join(rules(app))


def test_hostile_names_show_as_text_everywhere():
    colours, classes = ("=cmd()", "<b>blue</b>"), ("**cat** :red[x]", "<script>dog</script>")
    hostile = [IMAGE, FORMULA, ADDRESS_NAME, "<b>blue</b>", *classes]
    app = open_page(data="upload", rules="3", epochs="3")
    upload(app, f"{IMAGE} {FORMULA} {ADDRESS_NAME}.csv", table(f'"{IMAGE}",{FORMULA},{ADDRESS_NAME}', colours, classes))
    for step in (lambda: None, lambda: train(app), lambda: app.selectbox(key="data").select("iris").run(), lambda: train(app)):
        step()
        assert not app.exception and not app.error
        for text in markup(app):
            assert not any(name in text for name in hostile), text
        if app.selectbox(key="data").value == "upload" and rules(app):
            assert any(IMAGE in rule or FORMULA in rule for rule in rules(app))
            assert all(rule.endswith(classes) for rule in rules(app))
    assert not any("Against the run before" in c.value for c in app.caption)  # runs on other data do not compare


def test_another_file_brings_its_own_target():
    app = open_page(data="upload")
    upload(app, "one.csv", table())
    app.selectbox(key="target").select("colour").run()
    assert not app.error
    upload(app, "two.csv", table("length,shade,kind"))
    assert not app.exception and not app.error
    assert values(app)["target"] == "kind"


def test_a_target_of_numbers_waits_for_its_ranges():
    app = open_page(target="sepal length (cm)", data="wine")
    assert values(app)["target"] == "class"  # wine has no such column
    app = open_page(data="wine", target="proline")
    (warning,) = (as_text(w.value) for w in app.warning)  # it can be grouped into ranges
    assert "proline" in warning
    assert button(app, "Train").disabled
    app.selectbox(key="target").select("class").run()
    assert not app.warning and not app.error and not button(app, "Train").disabled


def test_the_browser_is_told_every_epoch_once_and_again_if_it_misses_some():
    app = open_page(rules="3", epochs="40")
    train(app)
    shown = told(app)["shown"]
    assert shown["about"]["ended"] and shown["about"]["classes"] == ["setosa", "versicolor", "virginica"]
    assert shown["since"] + len(shown["epochs"]) == 40
    for _ in range(3):
        app.run()
    assert told(app)["shown"]["epochs"] == []  # it has them all
    del app.session_state["told"]  # what the feed does when something is missing
    app.run()
    again = told(app)["shown"]
    assert again["since"] == 0
    epochs = [dict(zip(again["fields"], values, strict=True)) for values in again["epochs"]]
    assert [epoch["epoch"] for epoch in epochs] == list(range(1, 41))
    assert all(epoch["ur"] >= 0 and len(epoch["firing"]) == 3 and sum(epoch["entropy"]) == 105 for epoch in epochs)
