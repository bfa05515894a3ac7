"""What the sidebar has in sight, and the boxes that hold the rest."""

import pytest

from tests.pages.helpers import as_text, box_mark, open_page, values

IN_SIGHT = {"data", "data:list", "rules", "ur", "bn", "bn:words", "batch"}  # people see lists of words, links the names


def boxes(app):
    """Title of each box of the sidebar -> the box."""
    return {as_text(one.label): one for one in app.sidebar.expander}


def fields(block):
    return [w.key for kind in ("number_input", "selectbox", "checkbox", "button_group") for w in getattr(block, kind)]


def is_open(app, name):
    return bool(app.session_state[f"box:{name}"])


def test_data_and_four_settings_are_in_sight_and_all_else_is_in_closed_boxes():
    app = open_page()
    inside = {key for one in boxes(app).values() for key in fields(one)}
    assert set(fields(app.sidebar)) - inside == IN_SIGHT
    titles = ["Starting point", "More settings", "Readable rules", "Find good settings", "Start from a rule base", "In a lecture"]
    assert list(boxes(app)) == ["Table and target", "All settings", *titles]
    assert [as_text(one.label) for one in boxes(app)["All settings"].expander] == titles
    assert not any(is_open(app, name) for name in ("all", "start", "more", "readable", "tuning", "rule_base", "lecture"))


def test_the_target_of_a_known_dataset_is_folded_and_batch_normalisation_is_said_in_words():
    app = open_page(data="wine", bn="gbn")
    assert fields(boxes(app)["Table and target"]) == ["target"] and not boxes(app)["Table and target"].proto.expanded
    (words,) = (one for one in app.selectbox if one.key == "bn:words")
    assert words.options == ["Off", "before THEN (paper)", "before IF and THEN", "per rule"] and words.value == "gbn"
    words.set_value("none").run()
    assert values(app)["bn"] == "none" and app.query_params["bn"] == "none"


@pytest.mark.parametrize(
    ("link", "mark"),
    [
        ({"epochs": "7"}, " · 1 set"),
        ({"lr": "0.1", "es": "true", "seed": "4", "test": "0.4"}, " · 4 set"),
        ({"test": "0.30"}, ""),
    ],
)
def test_a_closed_box_says_how_many_of_its_settings_a_link_sets(link, mark):
    app = open_page(**link)
    assert box_mark(app, "more") == mark
    assert box_mark(app.run(), "more") == mark


def test_a_link_names_its_starting_point_and_slow_training_on_closed_boxes():
    app = open_page(**{"from": "readable", "pace": "5"})
    assert box_mark(app, "start") == " · Readable"
    assert box_mark(app, "lecture") == " · slow"


def test_a_box_stays_as_its_reader_left_it_on_every_page():
    app = open_page()
    app.session_state["box:more"] = True
    app.run().switch_page("pages/compare.py").run()
    assert is_open(app, "more") and not is_open(app, "readable")
    app.session_state["box:more"] = False
    app.run()
    app.switch_page("pages/explore.py").run()
    assert not is_open(app, "more")
