"""Uploads to the Explore page without a browser: files that are refused, and those that train."""

from tests.pages.helpers import ADDRESS_NAME, FORMULA, IMAGE, as_text, markup, metric, open_page, rules, train, upload, values
from tests.tables import pets


def test_a_file_with_a_category_and_missing_values_trains():
    app = open_page(data="upload", rules="3", epochs="30")
    upload(app, "my pets.csv", pets())
    assert not app.exception and not app.error
    assert values(app)["target"] == "species"
    assert any("2 cells are missing" in as_text(m.value) for m in app.markdown)
    assert any(e.label == "Data – my pets: 60 rows, 2 features, 2 classes" for e in app.expander)
    train(app)
    assert 0 <= float(metric(app, "Accuracy")) <= 1
    assert rules(app)
    assert all(rule.endswith(("cat", "dog")) for rule in rules(app))
    assert "size is" in " ".join(rules(app)) and "colour is red" in " ".join(rules(app))


def test_hostile_names_show_as_text_everywhere():
    colours, classes = ("=cmd()", "<b>blue</b>"), ("**cat** :red[x]", "<script>dog</script>")
    hostile = [IMAGE, FORMULA, ADDRESS_NAME, "<b>blue</b>", *classes]
    app = open_page(data="upload", rules="3", epochs="3")
    upload(app, f"{IMAGE} {FORMULA} {ADDRESS_NAME}.csv", pets(f'"{IMAGE}",{FORMULA},{ADDRESS_NAME}', colours, classes))
    for step in (lambda: None, lambda: train(app), lambda: app.selectbox(key="data").select("iris").run(), lambda: train(app)):
        step()
        assert not app.exception and not app.error
        for text in markup(app):
            assert not any(name in text for name in hostile), text
        if app.selectbox(key="data").value == "upload" and "current_run" in app.session_state and rules(app):
            assert any(IMAGE in rule or FORMULA in rule for rule in rules(app))
            assert all(rule.endswith((*classes, "no clear class")) for rule in rules(app))
    assert not any("Compared with the previous run" in c.value for c in app.caption)  # runs on other data do not compare


def test_another_file_brings_its_own_target_and_the_same_one_under_another_name_is_called_by_it():
    app = open_page(data="upload")
    upload(app, "one.csv", pets())
    app.selectbox(key="target").select("colour").run()
    assert not app.error
    upload(app, "two.csv", pets("length,shade,kind"))
    assert not app.exception and not app.error
    assert values(app)["target"] == "kind"
    assert values(open_page(target="sepal length (cm)", data="wine"))["target"] == "class"  # wine has no such column
    app = open_page(data="upload", rules="3", epochs="3")
    for name in ("cats", "dogs"):
        upload(app, f"{name}.csv", pets())
        assert any(e.label.startswith(f"Data – {name}: 60 rows") for e in app.expander)
