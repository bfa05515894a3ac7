"""The plane that rows are seen in, beside their reasons: which one comes first, its axes, and a click on a point of it."""

import re

import pytest
from playwright.sync_api import expect

from tests.client.rulebases import make_rows, show_samples
from tests.client.samples import choose_row, open_pets, said
from tests.explain.examples import base, number, rule
from tsk_core import TSKClassifier, load_dataset
from tsk_core.explain import rows_to_show
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser


def test_a_point_of_the_plane_is_chosen_by_a_click(client):
    _, page = open_pets(client)
    page.locator(".tsk-view-plane .scatterlayer .trace").nth(3).locator(".point").first.click(force=True)  # behind the legend's 3
    expect(said(page, "head")).to_contain_text(re.compile(r"^Row \d \(training\)"))


def test_the_plane_says_what_it_shows_and_its_axes_change_places(client):
    _, page = open_pets(client)
    chart = page.locator(".tsk-view-plane .tsk-chart")
    across, up = (page.get_by_role("combobox", name=name, exact=True) for name in ("Across", "Up"))
    before = across.input_value(), up.input_value()
    across.select_option(before[1])
    expect(across).to_have_value(before[1])
    expect(up).to_have_value(before[0])
    name = "Plane of .*: the predicted class at each place, 4 test rows and 2 training rows, 2 of them misclassified, and 2 rules"
    expect(chart).to_have_accessible_name(re.compile(name))
    expect(page.locator(".tsk-view-plane .tsk-caption")).to_contain_text("Dots are rows: hollow for training")


def test_one_feature_has_a_plane_too(client):
    rules = base([number("x")], [rule([0.0], [1.0], [[1, 0], [0, 0]]), rule([3.0], [None], [[0, 0], [1, 0]])], ("no", "yes"))
    rows = make_rows([[0.0], [1.0], [3.0]], [0, 0, 1])
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=rows)
    choose_row(page, 3)
    expect(said(page, "head")).to_contain_text("Row 3 (test): true class yes; the model predicts yes")
    expect(page.locator(".tsk-axes select").filter(visible=True)).to_have_count(0)


@pytest.mark.parametrize(("name", "plane"), [("iris", "features"), ("wine", "components")])
def test_two_features_come_first_where_they_agree_enough_with_the_model(client, name, plane):
    dataset = load_dataset(name)
    split = dataset.split(0.3, 0)
    classifier = TSKClassifier(n_rules=5, max_epochs=20, random_state=0)
    classifier.fit(dataset.X.iloc[split.train], dataset.y[split.train])
    rules, rows = classifier.to_dict(), rows_to_show(classifier.encoder_, classifier.classes_, dataset.X, dataset.y, split)
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=rows)
    chosen = page.get_by_role("combobox", name="Plane")
    expect(chosen).to_have_value(plane)
    expect(page.locator(".tsk-view-plane .tsk-caption")).to_contain_text(
        re.compile(r"Here it differs for \d+% of the training and test rows drawn\.$")
    )
    other = ({"features", "components"} - {plane}).pop()
    chosen.select_option(other)  # and a choice stays
    client.run('(await import("/client/core/store.js")).selectEpoch(0)')
    expect(chosen).to_have_value(other)
