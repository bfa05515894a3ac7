"""The data check on the page: a finding is mended at one press, and what was pressed can be taken back."""

import random
from dataclasses import replace

import pytest

from tests.pages.helpers import IMAGE, as_text, box, captions, labels, metric, open_page, open_tab, paragraphs, train, upload
from tsk_core.data import Finding, Remedy


def visits(rows=90):
    """Two classes; "answer" gives them away, "ward" repeats, "age" has -99."""
    noise = random.Random(0)
    lines = ["age,ward,answer,size,class"]
    for k in range(rows):
        age = -99 if k % 9 == 0 else 20 + noise.randint(0, 50)
        lines.append(f"{age},p{k % 9},{k % 2},{noise.random():.2f},{['no', 'yes'][k % 2]}")
    return "\n".join(lines).encode()


LEAK = Finding("'answer' alone predicts the class.", "", "It may be known only afterwards.", "warning", ("answer",), "roles",
               "leak", Remedy("Leave it out", {"roles": {"answer": "ignored"}}))  # fmt: skip
GROUP = Finding("'ward' repeats: 10 rows each.", "", "", "warning", ("ward",), "roles", "group",
                Remedy("Split by ward", {"roles": {"ward": "group"}}))  # fmt: skip
CODE = Finding("10 cells of 'age' are -99.", "", "", "warning", ("age",), "codes", "missing code",
               Remedy("Read -99 as missing", {"codes": {"age": ("-99",)}}))  # fmt: skip
REPEATED = Finding("3 rows are equal.", "", "", "offer", (), "repeated", "repeated rows",
                   Remedy("Keep equal rows together", {"repeated": "together"}))  # fmt: skip


def in_force(finding, choices):
    return choices.with_changes(finding.remedy.changes) == choices


@pytest.fixture
def found(monkeypatch):
    """Checks that find these, until they are mended."""

    def find(*findings):
        check = lambda table: [finding for finding in findings if not in_force(finding, table.choices)]  # noqa: E731
        monkeypatch.setattr("tsk_core.data.check.CHECKS", (check,))
        return upload(open_page(data="upload", epochs="3", rules="3"), "visits.csv", visits())

    return find


def press(app, label):
    """Press the first button of this label."""
    return next(b for b in app.button if as_text(b.label) == label).click().run()


def take_back(app):
    """Press the first Undo of the data check."""
    return next(b for b in app.button if (b.key or "").startswith("undo:")).click().run()


def roles(app):
    """The role of each column, as the table of columns shows it."""
    open_tab(app, "Columns")
    (table,) = (one.value for one in app.dataframe if "role" in one.value)
    return dict(zip(table["column"], table["role"], strict=True))


def test_a_press_leaves_a_column_out_undo_brings_it_back_and_a_role_set_by_hand_overrules_it(found):
    app = found(LEAK)
    assert roles(app)["answer"] == "number" and "Reset all" not in labels(app)
    press(app, "Leave it out")
    assert roles(app)["answer"] == "ignored" and "Leave it out" not in labels(app)
    check = "Data check: 1 issue found, 1 repaired as you chose."
    assert [*paragraphs(app), *captions(app)].count(check) == 1  # on the card
    assert ":green-badge[done] 'answer' alone predicts the class. **Leave it out**, as you chose." in paragraphs(app)
    train(app)
    app.session_state["data_box"] = True  # closed by the first run
    assert roles(app.run())["answer"] == "ignored"
    assert [*paragraphs(app), *captions(app)].count(check) == 1  # in the panel
    take_back(app)
    assert roles(app)["answer"] == "number" and "Leave it out" in labels(app) and "Reset all" not in labels(app)
    press(app, "Leave it out")
    box(app, "Column").set_value("answer").run()
    box(app, "Its role").set_value("category").run()
    assert roles(app)["answer"] == "category" and "Leave it out" in labels(app)
    assert not any("as you chose" in text for text in paragraphs(app))


def test_the_boxes_of_the_split_show_what_was_pressed_and_another_role_for_its_column_ends_the_split(found):
    app = press(found(GROUP, REPEATED), "Split by ward")
    assert (box(app, "Test on").value, box(app, "Column with the group").value) == ("group", "ward")
    assert roles(app)["ward"] == "group"
    press(app, "Keep equal rows together")
    assert box(app, "Equal rows").value == "together"
    take_back(app)
    assert box(app, "Test on").value == "random" and box(app, "Equal rows").value == "together"
    press(app, "Split by ward")
    box(app, "Column").set_value("ward").run()
    box(app, "Its role").set_value("category").run()
    assert roles(app)["ward"] == "category" and box(app, "Test on").value == "random"


def test_two_presses_before_the_page_has_answered_are_both_decided(found):
    size = replace(CODE, fact="size", columns=("size",), remedy=Remedy("Read 0.50 as missing", {"codes": {"size": ("0.50",)}}))
    app = found(CODE, size)
    next(b for b in app.button if as_text(b.label) == "Read 0.50 as missing").click()
    press(app, "Read -99 as missing")
    for column, code in (("age", "-99"), ("size", "0.50")):
        box(app, "Column").set_value(column).run()
        assert box(app, "Cells that mean missing").value == [code]


def test_reset_all_takes_every_decision_back(found):
    app = press(press(found(LEAK, GROUP, CODE), "Leave it out"), "Split by ward")
    box(app, "Equal rows").set_value("drop").run()
    press(app, "Reset all")
    assert roles(app) == {"age": "number", "ward": "category", "answer": "number", "size": "number", "class": "target"}
    assert (box(app, "Test on").value, box(app, "Equal rows").value) == ("random", "keep")
    assert "Reset all" not in labels(app)


def test_open_findings_come_first_and_the_rest_is_folded(found):
    app = found(REPEATED, LEAK)
    titles = [as_text(one.label) for one in app.expander]
    (rest,) = (one for one in app.expander if as_text(one.label) == "1 note")
    assert titles.count("Data – visits: 90 rows, 4 features, 2 classes") == 1
    texts = [text for text in paragraphs(app) if "-badge[" in text]
    assert texts[0].startswith(":orange-badge[warning] 'answer'") and texts[1].startswith(":violet-badge[suggestion] 3 rows")
    assert [as_text(m.value) for m in rest.markdown] == texts[2:] and texts[2:]


def test_sixty_findings_are_shown_as_text_whatever_their_names(found):
    names = [f"{IMAGE} $x$ **{k}** " + "x" * 180 for k in range(60)]
    findings = [Finding(f"'{name}' is odd.", kind="offer", columns=(name,), remedy=Remedy(f"Mend {k} *now*", {"rare": "merge"}))
                for k, name in enumerate(names)]  # fmt: skip
    app = found(*findings)
    assert not app.exception
    assert any(one.label == "48 more for you to decide" for one in app.expander)
    assert sum(names[k] in text for text in paragraphs(app) for k in range(60)) == 60
    press(app, "Mend 0 *now*")
    assert not app.exception


def test_after_a_split_by_groups_the_page_says_what_the_score_was_with_rows_at_random(found):
    app = train(found(GROUP))
    at_random = metric(app, "Balanced accuracy")
    press(app, "Split by ward")
    assert any("The data in the sidebar differ and apply to the next run." in text for text in [*captions(app), *paragraphs(app)])
    train(app)
    by_group = metric(app, "Balanced accuracy")
    wanted = f"Split by “ward”: test BCA {by_group}; with rows at random it was {at_random} (other test rows)."
    assert wanted in captions(app)
    app.number_input(key="rules").set_value(4).run()  # with another setting the difference is not of the split alone
    take_back(app)
    train(app)
    assert not any("it was" in text for text in captions(app))


def test_the_order_of_categories_is_shown_and_can_be_written_anew():
    lines = [f"{k % 7},{('few', 'some', 'lots')[k % 3]},{'xy'[k % 3 == 1]}" for k in range(60)]
    app = upload(open_page(data="upload"), "amounts.csv", "\n".join(["size,amount,kind", *lines]).encode())
    box(app, "Column").set_value("amount").run()
    assert not app.text_area
    box(app, "Its role").set_value("ordinal").run()
    assert app.text_area[0].value == "few\nlots\nsome"  # the names tell no order
    press(app, "Use this order")
    assert "Use this order" not in labels(app)
    app.text_area[0].set_value("few\nsome\n\n lots ").run()
    assert app.text_area[0].value == "few\nsome\nlots" and roles(app)["amount"] == "ordinal"
    app.text_area[0].set_value("few\nmany\nlots").run()
    assert app.text_area[0].value == "few\nsome\nlots"
    assert any("“many” is not a category of this column" in as_text(w.value) for w in app.warning)
    box(app, "Its role").set_value("category").run()
    assert not app.text_area and not app.exception
