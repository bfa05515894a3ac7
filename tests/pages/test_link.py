"""The Explore page without a browser, as a link opens it: what the link says, what cannot be, and the link it gives."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.pages.helpers import ADDRESS, IMAGE, LINK_KEYS, as_text, button, drawn_alone, full_link, open_page, pace, values
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset


def test_a_link_sets_every_setting():
    link = {
        "data": "wine", "target": "class", "rules": "14", "ur": "3", "bn": "rbn", "batch": "32", "lr": "0.02", "l2": "0.05",
        "epochs": "30", "es": "true", "patience": "9", "firing": "htsk", "tau": "1/R", "init": "random", "opt": "adam",
        "cw": "balanced", "seed": "11", "test": "0.25", "shrink": "0.02", "pace": "5", "cons": "constant", "sharp": "0.15",
        "cover": "0.25", "conditions": "3", "l1": "0.002", "select": "20", "drop": "0.3", "ln": "relu", "trainings": "7",
    }  # fmt: skip
    app = open_page(**link)
    assert not app.exception and not app.error and not app.info
    assert values(app) == {
        "data": "wine", "target": "class", "rules": 14, "ur": 3.0, "bn": "rbn", "batch": 32, "lr": 0.02, "l2": 0.05,
        "epochs": 30, "es": True, "patience": 9, "firing": "htsk", "tau": "1/R", "init": "random", "opt": "adam",
        "cw": "balanced", "seed": 11, "test": 0.25, "shrink": 0.02, "cons": "constant", "sharp": 0.15,
        "cover": 0.25, "conditions": 3, "l1": 0.002, "select": 20, "drop": 0.3, "ln": "relu", "trainings": 7,
    }  # fmt: skip
    assert pace(app) == 5


@pytest.mark.parametrize(
    "corrected",
    [
        {"rules": ("0", 1), "ur": ("-1", 0), "epochs": ("2001", 2000), "batch": ("1", 2), "lr": ("0", 1e-5), "l2": ("11", 10),
         "seed": ("-5", 0), "test": ("0.99", 0.9), "pace": ("51", 50)},
        {"rules": ("1000000", 200), "ur": ("1e9", 1000), "seed": ("99999999999", 2**31 - 1), "pace": ("0", 1),
         "epochs": ("7.5", 8), "batch": ("1e999", 8192)},
    ],
)  # fmt: skip
def test_numbers_that_a_setting_cannot_have_become_the_nearest_ones_each_with_a_note_and_stand_in_the_link(corrected):
    app = open_page(bn="rbn", **{key: text for key, (text, _) in corrected.items()})
    assert not app.exception and not app.error and not button(app, "Train").disabled
    shown, notes = values(app) | {"pace": pace(app)}, [as_text(note.value) for note in app.info]
    assert len(notes) == len(corrected)
    for key, (text, taken) in corrected.items():
        assert shown[key] == taken
        words = "is not a whole number" if text == "7.5" else "is outside"
        assert [f"{text} {words}" in note and f"{taken:.10g} is used" in note for note in notes].count(True) == 1
    differing = {key: f"{taken:.10g}" for key, (_, taken) in corrected.items() if (key, taken) != ("seed", 0)}  # not its default
    assert app.query_params == {"bn": "rbn"} | differing


def test_rules_that_the_separate_trainings_do_not_divide_are_refused_in_a_sentence_and_accepted_once_they_do():
    app = open_page(rules="10", trainings="8")
    (error,) = (as_text(one.value) for one in app.error)
    assert error == (
        "10 rules cannot be divided equally among 8 separate trainings with at least 2 rules each: choose a multiple of 8 for R,"
        " such as 16."
    )
    assert button(app, "Train").disabled and not app.exception
    app.number_input(key="rules").set_value(16).run()
    assert not app.error and not button(app, "Train").disabled


def test_the_buttons_of_r_and_ur_step_to_values_that_somebody_wants():
    app = open_page(rules="16", trainings="4")
    app.number_input(key="rules").increment().run()
    assert values(app)["rules"] == 20 and not app.error
    for start, weight in (("recommended", 0.1), ("paper", 1.0)):
        app = open_page(**{"from": start})
        for expected in (0, weight):
            ur = app.number_input(key="ur")
            (ur.increment() if expected else ur.decrement()).run()
            assert values(app)["ur"] == expected
    app.number_input(key="ur").increment().run()
    assert values(app)["ur"] == 2


def test_words_for_numbers_become_the_defaults_each_with_a_note():
    keys = ("rules", "lr", "ur", "seed", "test")
    app, plain = open_page(**dict.fromkeys(keys, "abc")), open_page()
    assert not app.exception and not app.error
    assert values(app) == values(plain)
    notes = [as_text(note.value) for note in app.info]
    assert len(notes) == len(keys) and all("abc" in note and "not a number" in note for note in notes)


def corrected():
    from ui.settings.link import correct_link

    correct_link()


def switched(text):
    """What becomes of this word for early stopping, before the page is drawn."""
    return drawn_alone(corrected, es=text).query_params.get("es")


def test_a_link_switches_early_stopping_by_any_plain_word_and_another_one_is_refused_in_a_sentence():
    for taken, words in {"true": ("1", "Yes", "on", "true"), "false": ("0", "off")}.items():
        assert all(switched(word) in (taken, [taken]) for word in words)
    app = open_page(es="Yes")
    assert values(app)["es"] is True and not app.info
    app = open_page(es="perhaps")
    assert values(app)["es"] is False and switched("perhaps") is None
    (note,) = (as_text(i.value) for i in app.info)
    assert note.startswith("The link's Early stopping") and "“perhaps” is neither true nor false" in note


def test_a_link_with_a_bad_ur_target_leaves_the_page_alive():
    text = IMAGE[:20]
    app = open_page(tau=text)
    (error,) = (e.value for e in app.error)
    assert "τ" in error and text in as_text(error)
    assert not any(one.error for one in app.sidebar.expander)  # it is told in sight
    assert set(values(app)) == LINK_KEYS | {"data", "target"}
    assert button(app, "Train").disabled and button(app, "Copy full link").disabled
    app.selectbox(key="tau").select("1/R").run()
    assert not app.error and not button(app, "Train").disabled


@pytest.mark.parametrize("name", [IMAGE, "../../etc/passwd"])
def test_a_link_to_an_unknown_dataset_says_so(name):
    app = open_page(data=name)
    assert not app.exception and not app.error
    (note,) = (i.value for i in app.info)
    assert name in as_text(note) and "not on this server" in note
    assert not button(app, "Train").disabled


def test_a_link_to_an_uploaded_file_asks_for_it_and_one_made_with_other_data_of_the_same_name_says_so():
    app = open_page(data="upload", sha="0123456789abcdef" * 4)
    assert any("0123456789ab" in i.value for i in app.info)
    assert button(app, "Train").disabled
    known = load_dataset("iris").sha256
    assert not open_page(data="iris", target="class", sha=known).info
    (note,) = (as_text(i.value) for i in open_page(data="iris", target="class", sha=known[::-1]).info)
    assert "SHA-256" in note


def test_the_full_link_says_everything_and_opens_the_same_page():
    app = open_page(data="wine")
    for key, value in {"rules": 7, "ur": 2.5, "lr": 0.0125, "seed": 42, "test": 0.25, "pace": 5}.items():
        app.number_input(key=key).set_value(value)
    for key, value in {"bn": "none", "tau": "1/R", "cw": "balanced"}.items():
        app.selectbox(key=key).select(value)
    app.checkbox(key="es").check()
    first = full_link(app)
    assert not app.code  # it takes no room
    assert full_link(app) == first | {"press": first["press"] + 1}  # each press copies
    address = urlsplit(first["link"])
    link = dict(parse_qsl(address.query, strict_parsing=True))
    assert f"{address.scheme}://{address.netloc}" == ADDRESS
    assert set(link) == LINK_KEYS | {"v", "data", "target", "sha", "from", "pace"}
    assert (link["v"], link["data"], link["target"], link["from"]) == ("1", "wine", "class", "paper")
    assert link["sha"] == load_dataset("wine").sha256
    assert TrainConfig.from_url(link) == TrainConfig.paper(
        n_rules=7, ur_weight=2.5, learning_rate=0.0125, random_state=42, batch_norm="none", ur_target="1/R",
        class_weight="balanced", early_stopping=True,
    )  # fmt: skip
    again = open_page(**link)
    assert not again.info and not again.error
    assert values(again) == values(app)
