"""Choosing data on the page: the gallery, the read options, the data check, ranges of a numeric target, the split."""

import random
from dataclasses import replace

import pytest

from tests.pages.helpers import as_text, box, button, open_page, open_tab, rules, run_of, said, train, upload, values
from tsk_core.config import STARTING_POINTS
from tsk_core.data.gallery import GALLERY, MeasuredSettings
from ui.platform import memory
from ui.settings.controls import widget_values


def patients(rows=90, target="diagnosis", extra=""):
    """Three classes; missing values of 'pressure' depend on one of them; 'ward' is a group, 'day' a date."""
    noise = random.Random(0)
    lines = [f"age,pressure,smoker,ward,day,{target}"]
    for k in range(rows):
        c = k % 3
        pressure = "" if c == 2 and noise.random() < 0.7 else f"{100 + 15 * c + noise.randint(0, 9)} mmHg"
        day = f"2023-{1 + k // 30:02d}-{1 + k % 28:02d}"
        name = ("well", "ill", "unsure")[c]
        lines.append(f"{20 + 15 * c + noise.randint(0, 9)},{pressure},{noise.choice(['yes', 'no'])},w{k % 6},{day},{name}")
    return ("\n".join(lines) + extra).encode()


def opened(content, name="patients.csv", **link):
    app = open_page(data="upload", epochs="5", rules="3", **link)
    return upload(app, name, content)


def offered(app):
    """The one box of columns, beside that of codes for missing values."""
    (found,) = (m for m in app.multiselect if not m.label.startswith("Cells that mean missing"))
    return found


def second(app):
    (found,) = (f for f in app.file_uploader if f.label == "File with the test rows")
    return found


def title(app):
    (found,) = (e.label for e in app.expander if e.label.startswith("Data"))
    return as_text(found)


def test_missing_can_be_made_a_category_and_the_target_is_explained():
    app = upload(open_page(data="upload", epochs="5", rules="3"), "gaps.csv", with_gaps())
    assert "Chosen as the target, since it is the last column whose values can be classes." in said(app)
    offer = offered(app)
    assert offer.label == "Missing as a category of its own" and offer.options == ["colour"]
    offer.set_value(["colour"]).run()
    assert "They are a category of their own, 'missing'." in said(app)
    train(app)
    assert not app.exception and any("missing" in rule or "colour" not in rule for rule in rules(app))


def with_gaps():
    """A category of which a third is missing, whatever the class."""
    lines = [f"{k * 7 % 13},{('', 'red', 'blue')[k // 2 % 3]},{'xy'[k % 2]}" for k in range(60)]
    return "\n".join(["size,colour,kind", *lines]).encode()


def test_rare_classes_can_be_dropped_and_restored_rows_count_from_one_and_classes_have_their_shares():
    app = opened(patients(extra="\n50,120 mmHg,yes,w1,2023-02-03,odd"))
    assert "4 classes" in title(app)
    box(app, "Rare classes").set_value("drop").run()
    assert title(app) == "Data – patients: 90 rows, 5 features, 3 classes"
    box(app, "Rare classes").set_value("keep").run()
    assert "4 classes" in title(app)
    open_tab(app, "Table")
    table, classes = (d.value for d in app.dataframe[:2])
    assert table.index.tolist() == list(range(1, 92))
    assert classes["rows"].tolist() == [30, 1, 30, 30] and classes["class"].tolist() == ["ill", "odd", "unsure", "well"]
    assert classes["share"].tolist() == pytest.approx([100 * n / 91 for n in (30, 1, 30, 30)])


def test_a_numeric_target_is_grouped_after_confirmation_into_as_many_ranges_as_wanted_and_undone():
    rows = "\n".join(f"{k % 7},{k * 1.5:.1f}" for k in range(120))
    app = opened(f"size,price\n{rows}".encode(), target="price")
    assert len(app.warning) == 1 and "price" in app.warning[0].value
    assert button(app, "Train").disabled
    assert any(c.value.startswith("Bin edges") for c in app.caption)
    button(app, "Group into ranges").click().run()
    assert "3 classes" in title(app) and not app.warning
    train(app)
    assert rules(app) and not app.exception
    app.session_state["data_box"] = True  # closed by the first run
    app.run()
    (ranges,) = (one for one in app.number_input if one.label.startswith("Number of ranges"))
    ranges.set_value(5).run()
    assert "5 classes" in title(app)
    button(app, "Do not group the target").click().run()
    assert len(app.warning) == 1 and button(app, "Train").disabled and not app.exception
    button(app, "Group into ranges").click().run()
    assert "5 classes" in title(app)


def test_a_table_of_categories_with_many_values_can_still_be_used():
    rows = "\n".join(f"city {k % 33},product {k * 7 % 41},{'ab'[k % 2]}" for k in range(60))
    app = opened(f"city,product,class\n{rows}".encode())
    assert "No column besides the target 'class' can be a feature" in said(app) and button(app, "Train").disabled
    button(app, "Use “city”, “product” as categories").click().run()
    assert not app.error and title(app) == "Data – patients: 60 rows, 2 features, 2 classes"
    train(app)
    assert not app.exception and rules(app)


def test_a_column_that_was_found_to_mark_the_test_rows_is_named_in_the_box_of_the_split():
    rows = "\n".join(f"{k % 13},{'test' if k % 3 == 0 else 'train'},{'ab'[k * k % 5 % 2]}" for k in range(90))
    app = opened(f"size,part,class\n{rows}".encode())
    assert box(app, "Test on").options[0] == "rows marked by the column “part”"
    assert any("For a random share, give the column “part” the role “ignored”" in as_text(c.value) for c in app.caption)
    box(app, "Column").set_value("part").run()
    box(app, "Its role").set_value("ignored").run()
    assert box(app, "Test on").options[0] == "a random share of each class"
    assert "rows; rows with" not in said(app) and not app.exception


def test_the_roles_shown_are_those_after_the_codes_for_missing_values():
    cells = [("x" if k % 4 == 0 else str(k * 7 % 50)) for k in range(80)]
    rows = "\n".join(f"{k % 13},{cell},{'ab'[k % 2]}" for k, cell in enumerate(cells))
    app = opened(f"size,dose,class\n{rows}".encode())
    assert title(app) == "Data – patients: 80 rows, 1 feature, 2 classes"
    (count,) = (one for one in app.button if one.label.startswith("Count") and "missing" in one.label)
    count.click().run()
    assert title(app) == "Data – patients: 80 rows, 2 features, 2 classes"
    box(app, "Column").set_value("dose").run()
    assert box(app, "Its role").value == "number"
    box(app, "Its role").set_value("ignored").run()
    assert title(app) == "Data – patients: 80 rows, 1 feature, 2 classes" and not app.exception


def test_a_second_file_with_other_columns_is_refused_where_another_one_can_be_chosen():
    app = opened(patients(90))
    box(app, "Test on").set_value("file").run()
    second(app).set_value(("more.csv", b"other,columns\n1,2\n3,4\n", "text/csv")).run()
    for _ in range(2):
        assert len(app.error) == 1 and box(app, "Test on").value == "file" and second(app)
        app.run()
    second(app).set_value(("more.csv", patients(30), "text/csv")).run()
    assert not app.error and "120 rows" in title(app)


def test_a_wrong_encoding_is_one_sentence_and_can_be_reset():
    app = opened("größe,kind\n1,x\n2,y\n3,x\n4,y\n".encode("cp1252"))
    assert not app.error
    box(app, "Encoding").set_value("utf-8").run()
    assert len(app.error) == 1 and "UTF-8" in as_text(app.error[0].value)
    assert not app.exception
    button(app, "Use the detected options").click().run()
    assert not app.error and "4 rows" in title(app)


def test_a_second_file_stays_when_another_page_is_visited():
    app = opened(patients(90))
    box(app, "Test on").set_value("file").run()
    assert any("until then, the test rows are a random share" in i.value for i in app.info)
    second(app).set_value(("more.csv", patients(30), "text/csv")).run()
    app.switch_page("pages/compare.py").run()
    app.run()  # Streamlit has dropped by now what the uploader of the other page held
    app.switch_page("pages/explore.py").run()
    app.run()
    assert "90 training rows, 30 test rows." in [c.value for c in app.caption]


def test_the_gallery_has_a_card_for_each_dataset_and_takes_one_over(monkeypatch):
    monkeypatch.setattr("ui.data.gallery.is_available_offline", lambda name: name in ("iris", "moons"))
    app = open_page()
    button(app, "Browse").click().run()
    titles = said(app)
    assert "Iris" in titles and "XOR" in titles and "Satellite" in titles
    assert "Fetched from OpenML on first use." in [c.value for c in app.caption]
    (use,) = (b for b in app.button if b.key == "use:moons")
    use.click().run()
    assert app.selectbox(key="data").value == "moons"
    assert title(app).startswith("Data – moons")


def test_iris_from_its_card_trains_as_many_rules_as_the_card_promises(monkeypatch):
    monkeypatch.setattr("ui.data.gallery.entries", lambda: [GALLERY["iris"], GALLERY["moons"]])
    app = open_page(data="wine")
    assert "three rules" in GALLERY["iris"].good_for
    for name, number in (("iris", 3), ("iris", 3), ("moons", 20)):
        button(app, "Browse").click().run()
        (use,) = (b for b in app.button if b.key == f"use:{name}")
        use.click().run()
        assert (values(app)["data"], values(app)["rules"]) == (name, number)


@pytest.mark.parametrize(("start", "data"), [("recommended", "iris"), ("paper", "iris"), ("recommended", "upload")])
def test_a_card_names_settings_that_do_well_and_takes_them_over(monkeypatch, start, data):
    card = replace(GALLERY["moons"], measured=MeasuredSettings(start, {"n_rules": 6, "batch_norm": "none"}, "Test BCA 0.9."))
    monkeypatch.setattr("ui.data.gallery.entries", lambda: [GALLERY["iris"], card])
    app = open_page(data=data, seed="5", patience="7")
    button(app, "Browse").click().run()
    text = f"Does well with: R 6, BN none, else as in {start.capitalize()}. Test BCA 0.9."
    assert [as_text(c.value) for c in app.caption if "Does well" in c.value] == [f":material/tune: {text}"]
    button(app, "Use with these settings").click().run()
    assert not app.exception and not app.error
    expected = widget_values(replace(STARTING_POINTS[start], n_rules=6, batch_norm="none", random_state=5), 0.3)
    assert values(app) == expected | {"data": "moons", "target": "class"}
    assert app.button_group(key="from").value == start


def columns(app):
    """Of the table with all decisions."""
    return list(app.session_state["table:dataset"].value.frame)


def decided_again(app):
    (found,) = (as_text(c.value).split(" again: ")[1] for c in app.caption if "is applied again" in c.value)
    return found


def ways_back(app, name, content):
    """The page after a reload, the run by its link in another browser, and another upload once the page is closed."""
    train(app)
    run, owner = run_of(app), app.session_state["owner"]
    yield open_page(run=run, data="upload", owner=owner)
    yield upload(open_page(run=run, owner="another"), name, content)
    for session in memory.sessions():
        memory.closed(session)
    yield upload(open_page(data="upload", owner=owner), name, content)


def test_roles_codes_and_the_split_come_back_with_the_table_and_a_stranger_decides_anew():
    content = patients().replace(b",no,", b",-,")
    app = opened(content, owner="one")
    for column, role in (("age", "ignored"), ("day", "ignored")):
        box(app, "Column").set_value(column).run()
        box(app, "Its role").set_value(role).run()
    app.multiselect[-1].set_value(["yes"]).run()
    box(app, "Test on").set_value("group").run()
    box(app, "Column with the group").set_value("ward").run()
    before = columns(app)
    for again in ways_back(app, "patients.csv", content):
        assert columns(again) == before == ["pressure", "diagnosis"] and box(again, "Column with the group").value == "ward"
        words = "the role of “age” and “day”, the split by “ward”, codes for missing values in every column."
        assert decided_again(again) == words
        assert not again.exception and not again.error
        button(again, "Reset all").click().run()
        assert columns(again) != before and "is applied again" not in said(again)
    assert "is applied again" not in said(opened(content, owner="a stranger"))


def test_ranges_categories_read_options_and_a_second_file_come_back_with_the_table():
    rows = "\n".join(f"city {k % 33},product {k * 7 % 41},{k * 1.5:.1f}" for k in range(60))
    content = f"city,product,price\n{rows}".encode()
    app = opened(content, "shops.csv", owner="two", target="price")
    button(app, "Group into ranges").click().run()
    button(app, "Use “city”, “product” as categories").click().run()
    box(app, "Encoding").set_value("cp1252").run()
    box(app, "Test on").set_value("file").run()
    second(app).set_value(("more.csv", content, "text/csv")).run()
    for again in ways_back(app, "shops.csv", content):
        assert box(again, "Encoding").value == "cp1252" and box(again, "Test on").value == "file"
        assert columns(again) == ["city", "product", "price"] and values(again)["target"] == "price"
        words = "the role of “city” and “product”, the ranges of the target, the split by a second file, how the file is read."
        assert decided_again(again) == words and not again.exception and not again.error
