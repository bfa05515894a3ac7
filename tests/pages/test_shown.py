"""What the page says the results are of, when the controls say something else; and which run is the previous one."""

from tests.pages.helpers import as_text, button, last_message, markup, open_page, run_of, train


def trained(**link):
    return train(open_page(**({"data": "wine", "epochs": "5", "rules": "3"} | link)))


def beside_train(app):
    """The sentence beside the buttons; "" where the controls are those of the run shown."""
    found = [as_text(c.value) for c in app.caption if c.value.startswith("Showing")]
    return found[0] if found else ""


def marked(app, key):
    """Whether the control is marked as differing from the run shown."""
    return any(f".st-key-{key}" in part.proto.body and "border-left" in part.proto.body for part in app.get("html"))


def data_box(app):
    (label,) = (as_text(e.label) for e in app.expander if e.label.startswith("Data"))
    return label


def test_where_controls_differ_from_the_run_shown_the_page_says_so_beside_train_and_marks_them():
    app = trained()
    assert beside_train(app) == "" and data_box(app).startswith("Data – wine")
    app.number_input(key="ur").set_value(10.0).run()
    assert beside_train(app) == "Showing wine, λ 1. The settings in the sidebar differ and apply to the next run."
    assert marked(app, "ur") and not marked(app, "rules")
    app.selectbox(key="data").select("iris").run()
    assert beside_train(app) == "Showing wine, λ 1. The data and settings in the sidebar differ and apply to the next run."
    assert marked(app, "data") and data_box(app).startswith("Data of the next run – iris")
    app.number_input(key="ur").set_value(1.0).run()
    assert beside_train(app) == "Showing wine. The data in the sidebar differ and apply to the next run."
    train(app)
    assert beside_train(app) == "" and not marked(app, "data") and data_box(app).startswith("Data – iris")
    app.selectbox(key="data").select("wine").run()
    train(app)
    for key, value in (("rules", 4), ("ur", 2.0), ("batch", 32), ("seed", 5)):
        app.number_input(key=key).set_value(value)
    app.number_input(key="test").set_value(0.4).run()
    assert beside_train(app).startswith("Showing wine, test share 0.3, R 3, λ 1, …. The settings in the sidebar differ")
    assert all(marked(app, key) for key in ("test", "rules", "ur", "batch", "seed"))


def test_the_heading_of_presenter_mode_is_that_of_the_run_shown():
    app = open_page(data="wine", epochs="5", rules="3", present="1")

    def heads(name):
        return any(as_text(text).startswith(f"**{name}**") for text in markup(app))

    assert heads("wine")
    train(app)
    app.selectbox(key="data").select("iris")
    app.number_input(key="ur").set_value(5.0).run()
    assert heads("wine") and not heads("iris") and any("λ 1 " in as_text(text) for text in markup(app) if "wine" in text)
    train(app)
    assert heads("iris") and not heads("wine")


def test_back_in_the_browser_makes_no_later_run_the_previous_one(monkeypatch):
    monkeypatch.setattr("ui.platform.drawing.by_history", lambda: True)
    app = trained()
    first = run_of(app)
    train(app.number_input(key="ur").set_value(10.0).run())
    second = run_of(app)
    app.query_params["run"] = first  # as Back does
    app.run()
    message = last_message(app)
    assert message["shown"]["run"] == first and message["comparison"] is None
    assert any("No previous run" in c.value for c in app.caption)
    app.query_params["run"] = second  # Forward
    app.run()
    assert last_message(app)["comparison"]["run"] == first
    app.query_params["run"] = first
    app.run()
    third = run_of(train(app.number_input(key="rules").set_value(4).run()))
    message = last_message(app)
    assert (message["shown"]["run"], message["comparison"]["run"]) == (third, first)


def test_an_address_from_before_a_run_was_started_does_not_bring_the_run_before_back():
    """It comes with a press that is faster than the new address: without Back or Forward, the new run stays."""
    app = trained()
    first = run_of(app)
    train(app.number_input(key="ur").set_value(10.0).run())
    second = run_of(app)
    app.query_params["run"] = first
    app.run()
    assert last_message(app)["shown"]["run"] == second == run_of(app)
    button(app, "Reset").click().run()
    app.query_params["run"] = second
    app.run()
    assert not app.metric and "run" not in app.query_params


def test_an_older_run_opened_by_its_link_is_compared_with_no_later_one():
    older = run_of(trained())
    app = trained()
    app.query_params["run"] = older
    app.run()
    assert last_message(app)["comparison"] is None
    newer = run_of(trained(rules="4"))
    app.query_params["run"] = newer
    app.run()
    assert last_message(app)["comparison"]["run"] == older
    button(app, "Reset").click().run()
    assert not app.metric
