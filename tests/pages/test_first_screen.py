"""The first screen of each page that trains: two equal ways to a table, the card of an uploaded one, what a classifier is."""

import re

import pytest

from tests.pages.helpers import as_text, button, labels, open_page, said, train, upload, values
from tests.tables import pets

WAYS = ("Upload your table", "Choose a dataset")
PAGES = {"explore": "Train", "compare": "Compare", "sweep": "Sweep"}
HTML = b"<!doctype html><html><body><table><tr><td>1</td></tr></table></body></html>"


def has_picture(app):
    return any(part.key == "picture" for part in app.get("bidi_component"))


@pytest.mark.parametrize("page", PAGES)
def test_each_page_that_trains_has_both_ways_and_one_primary_button(page):
    app = open_page(page=page)
    assert not app.exception and all(labels(app).count(way) == 1 for way in WAYS)
    assert [b.label for b in app.button if b.proto.type == "primary" and not b.disabled] == [PAGES[page]]


def test_the_empty_page_says_what_a_classifier_is_until_a_table_comes_or_a_run():
    app = open_page(epochs="3", rules="2")
    assert has_picture(app) and "IF petal length is near 4.3 AND petal width is near 1.3" in said(app).replace("*", "")
    upload(app, "pets.csv", pets())
    assert not has_picture(app) and all(way in labels(app) for way in WAYS)
    app.selectbox(key="data:list").select("iris").run()
    assert has_picture(app) and (values(app)["data"], values(app)["target"]) == ("iris", "class")
    assert app.selectbox(key="data:list").options[0] == "Your table (pets.csv)"  # the file stays in the list
    app.selectbox(key="data:list").select("upload").run()
    assert values(app)["target"] == "species" and not button(app, "Train").disabled
    train(app)
    assert not has_picture(app) and not any(way in labels(app) for way in WAYS)


def test_a_file_is_the_data_from_then_on_and_its_card_says_what_was_read_and_changes_what_is_predicted():
    app = upload(open_page(), "my pets.csv", pets())
    assert not app.exception and values(app)["data"] == "upload" and values(app)["target"] == "species"
    assert app.selectbox(key="data:list").options[0] == "Your table (my pets.csv)"
    text = said(app)
    assert "**my pets**: 60 rows, 3 columns." in text and "Read as UTF-8, separated by commas." in text
    assert "2 classes: cat (30 rows), dog (30). Chosen as the target since" in text
    assert len(re.findall(r"Data check: \d issues? found", text)) == 1
    assert not button(app, "Train").disabled
    app.selectbox(key="card:target").select("colour").run()
    assert values(app)["target"] == "colour" and "Chosen as the target since" not in said(app)
    button(app, "Show").click().run()
    assert app.session_state["data_view"] == "Data check" and app.session_state["data_box"] is True


def test_a_table_goes_from_page_to_page_with_its_target_and_its_decisions():
    app = upload(open_page(rules="2", epochs="3"), "pets.csv", pets("size,colour,species"))
    app.selectbox(key="card:target").select("colour").run()
    (way,) = (box for box in app.selectbox if box.label == "Test on")
    way.set_value("time").run()
    decided = way.key
    for page in (*list(PAGES)[1:], "explore"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception and not app.error
        assert (values(app)["data"], values(app)["target"]) == ("upload", "colour")
        assert app.session_state[decided] == "time" and "pets: 60 rows, 3 columns" in said(app).replace("*", "")
        assert not button(app, PAGES[page]).disabled


@pytest.mark.parametrize("page", PAGES)
def test_an_unreadable_file_is_one_sentence_and_the_ways_stay(page):
    app = upload(open_page(page=page), "table.csv", HTML)
    assert len(app.error) == 1 and as_text(app.error[0].value).endswith(".") and not app.exception
    assert all(way in labels(app) for way in WAYS) and button(app, PAGES[page]).disabled
    assert all(error not in app.sidebar.error for error in app.error)  # a phone hides the sidebar
