"""The rules and the plane of the comparison beside those of the run shown; explanations of numbers; tables on a phone."""

import re

import pytest
from playwright.sync_api import expect

from tests.client.messages import list_part, made_message, make_history, make_shown, message_of, show_views
from tests.client.rulebases import make_rows, sentences, show_samples
from tests.client.test_rules import rule as text_of
from tests.client.test_rules import rule_base
from tests.explain.examples import base, number, rule
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser

RECEIVE = '(await import("/client/client.js")).receive(given[0])'
BESIDE = "Draw the comparison beside the run"


def two_rules(height):
    """A model of two rules: cat below ``height`` in b, dog above it."""
    slopes = [[[height, 0, -1], [0, 0, 0]]] * 2
    return base([number("a"), number("b")], [rule([1, 1], [2, 2], slopes[0]), rule([3, 3], [2, 2], slopes[1])], ("cat", "dog"))


ROWS = make_rows([[0.0, 0.0], [1.0, 4.0], [4.0, 1.0], [4.0, 4.0]], [0, 1, 0, 1], [0, 1, 1, 1])


def run_message(name, rules, height):
    snapshot = as_snapshot(rules, 3)
    earlier = as_snapshot(two_rules(height + 1), 1)
    return {
        "run": name, "fields": ["stage", "epoch", "firing"],
        "epochs": [["training", epoch, [0.5, 0.5]] for epoch in (1, 2, 3)],
        "about": {"ended": True, "label": f"height {height}"},
        "snapshots": {"base": {k: v for k, v in rules.items() if k != "rules"}, "list": [earlier, snapshot]},
        "ruleBases": {"list": [sentences(snapshot, rules, ROWS["x"])]},
    }  # fmt: skip


PLANES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
return [...document.querySelectorAll(".tsk-view-plane .tsk-chart")].map(({ layout, _fullLayout: { xaxis, yaxis } }) =>
  ({ x: xaxis.range, y: yaxis.range, surface: layout.images[0].source }));
"""


def test_the_plane_of_the_comparison_stands_beside_that_of_the_run_on_the_same_axes(client):
    rules = two_rules(2)
    page = show_samples(client, [as_snapshot(rules, 3)], rules, rows=ROWS)
    button = page.get_by_role("button", name=BESIDE)
    expect(button).to_be_hidden()
    shown, other = run_message("now", rules, 2), run_message("before", two_rules(1), 1)
    client.run(RECEIVE, made_message(shown, other))
    button.click()
    page.locator(".tsk-view-plane .tsk-other .main-svg").first.wait_for()
    left, right = client.run(PLANES)
    assert (left["x"], left["y"]) == (right["x"], right["y"]) and left["surface"] != right["surface"]
    expect(page.locator(".tsk-view-plane .tsk-other")).to_contain_text("Comparison: height 1, after epoch 3")
    client.run('(await import("/client/core/store.js")).selectEpoch(0)')  # both follow the slider
    expect(page.locator(".tsk-view-plane .tsk-other")).to_contain_text("Comparison: height 1, after epoch 1")
    expect(page.locator(".tsk-view-plane .tsk-own")).to_contain_text("This run, after epoch 1")
    before, _ = client.run(PLANES)
    assert before["surface"] != left["surface"] and before["x"] == left["x"]
    client.run('(await import("/client/core/store.js")).selectEpoch(null)')
    assert client.run(PLANES)[0]["surface"] == left["surface"]
    page.get_by_role("button", name="Zoom in").click()
    near, far = client.run(PLANES)
    assert near["x"] == far["x"] != left["x"]
    button.click()
    expect(page.locator(".tsk-view-plane .tsk-chart")).to_have_count(1)


def test_the_rules_of_the_comparison_stand_beside_those_of_the_run(client):
    shown, before = (make_shown(make_history(9), name, metrics={}) for name in ("now", "before"))
    message = message_of(shown, before)
    now, then = ([text_of(1, 0.3), text_of(2, 0.2)], [text_of(1, 0.6, then="dog"), text_of(2, 0.1)])
    message += [list_part("ruleBases", run.id, [rule_base(9, *rules, end=True)]) for run, rules in ((shown, now), (before, then))]
    show_views(client.open(), message, "order", "rules")
    page = client.page
    expect(page.locator(".tsk-card")).to_have_count(2)
    page.get_by_role("button", name=BESIDE).click()
    expect(page.locator(".tsk-other .tsk-sentence").first).to_have_text("IF size is low THEN dog")
    expect(page.locator(".tsk-own .tsk-sentence").first).to_have_text("IF size is low THEN cat")
    widths = page.locator(".tsk-card:first-child .tsk-part").evaluate_all("(parts) => parts.map((part) => part.style.width)")
    assert widths == ["100%", "50%"]  # on one scale
    page.get_by_role("button", name=BESIDE).click()
    expect(page.locator(".tsk-card")).to_have_count(2)


# Explanations.


def test_numbers_explain_themselves_to_whoever_points_taps_or_tabs(client):
    rules = two_rules(2)
    page = show_samples(client, [as_snapshot(rules, 3)], rules, rows=ROWS | {"tests": 9})
    count = page.locator(".tsk-select-row .tsk-explained")
    expect(count).to_have_text("3 of 9 test rows drawn, none of them misclassified")
    shown = "(node) => getComputedStyle(node, '::after').content"
    assert count.evaluate(shown) == "none"
    count.focus()
    assert "rare classes have more than their share" in count.evaluate(shown)
    heads = page.locator(".tsk-view-reasons th.tsk-explained")
    for text in ("Firing level", "Probability", "Score"):
        expect(heads.filter(has_text=text).first).to_have_attribute("aria-description", re.compile("[a-z]{3}"))
    shares = make_shown(make_history(3), metrics={})
    message = message_of(shares, lists={"ruleBases": {"list": [rule_base(3, text_of(1), end=True)]}})
    show_views(client.open(), message, "rules")
    bar = page.locator(".tsk-share")
    bar.hover()
    assert "equal share, 1/R" in bar.evaluate(shown)
    page.get_by_text("More about this rule").click()
    page.locator(".tsk-measured").click()
    assert "Strongest rule for" in page.locator(".tsk-measured").evaluate(shown)


TOPS = "(cells) => cells.map((cell) => cell.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2)"


def test_on_a_phone_a_class_has_its_own_probability_beside_it_and_no_other(phone):
    rules = two_rules(2)
    page = show_samples(phone, [as_snapshot(rules, 3)], rules, rows=ROWS)
    row = page.locator(".tsk-classes tbody tr").first
    name, probability, bar, _ = row.locator("th, td").evaluate_all(TOPS)
    assert name == pytest.approx(probability, abs=4) and bar > name + 8
    favoured = page.locator(".tsk-rules tbody td:nth-child(4)").first
    assert "adds most to" in favoured.evaluate("(cell) => getComputedStyle(cell, '::before').content")
