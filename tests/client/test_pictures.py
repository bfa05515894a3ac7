"""The pictures below the rules: what they draw against the formulas, and that they follow the row and what is taken out."""

import json
import math

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import make_rows, show_rules
from tests.client.test_ablation import PETS, pets
from tests.explain.examples import HOSTILE, base, category, number, random_base, rule, slow_firing
from tsk_core.explain import firing_levels
from tsk_core.explain.measures import redundancy

pytestmark = pytest.mark.browser


def unfold(page, kind):
    fold = page.locator(f".tsk-picture-{kind}")
    fold.locator(":scope > summary").click()
    fold.locator(".tsk-picture").wait_for()
    return fold


def percents(fold):
    return [float(text.rstrip("%")) / 100 for text in fold.locator("tbody .tsk-value").all_inner_texts()]


def test_nothing_is_drawn_before_it_is_unfolded(client):
    page = show_rules(client, pets(), PETS)
    assert page.locator(".tsk-picture").count() == 0
    unfold(page, "grid")
    assert page.locator(".tsk-picture").count() == 1


def test_a_line_that_is_dragged_changes_the_row_and_what_fires(client):
    rules = pets()
    page = show_rules(client, rules, PETS, beside=("reasons",))
    grid = unfold(page, "grid")
    order = [int(text.split()[1]) - 1 for text in grid.locator("tbody th").all_inner_texts()]
    assert percents(grid) == pytest.approx(
        [slow_firing(rules, [0, 0, 0])[r] for r in order], abs=6e-4
    )  # what replaces missing values
    cell = grid.locator(".tsk-draggable").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 40, box["y"] + 9)  # beyond the data, where it stops
    page.mouse.up()
    expect(page.locator(".tsk-changed")).to_contain_text("With size 4.5 instead of")
    expect(grid.get_by_role("status")).to_contain_text("a typical row with your changes. The model predicts dog")
    assert percents(grid) == pytest.approx([slow_firing(rules, [4.5, 0, 0])[r] for r in order], abs=6e-4)
    grid.get_by_role("slider", name="size").press("Home")
    expect(page.locator(".tsk-changed")).to_contain_text("With size 1 instead of")
    grid.get_by_role("combobox", name="colour").select_option("red")
    expect(page.locator(".tsk-changed")).to_contain_text("colour red instead of")
    expect(grid.locator("tbody tr", has_text="Rule 3").get_by_role("img").last).to_have_accessible_name(
        "Rule 3, colour: membership 1.00"
    )
    grid.get_by_role("button", name="Undo the changes to the row").click()
    expect(page.locator(".tsk-changed")).to_be_empty()


def test_many_rules_and_features_come_in_pages_and_those_taken_out_are_left_out(client):
    rules, Z = random_base(11, 8, 2, 0, nulls=0)
    page = show_rules(client, rules, make_rows(Z.tolist(), [n % 2 for n in range(len(Z))]))
    grid = unfold(page, "grid")
    names = grid.locator("tbody th")
    expect(names).to_have_count(8)
    first = names.first.inner_text()
    grid.get_by_role("button", name="Next rules").click()
    expect(names).to_have_count(3)
    expect(grid.get_by_role("button", name="Next rules")).to_be_disabled()
    grid.get_by_role("button", name="Previous rules").click()
    expect(names.first).to_have_text(first)
    before = grid.locator("thead th").all_inner_texts()
    grid.get_by_role("button", name="Next features").click()
    assert not set(before[1:-2]) & set(grid.locator("thead th").all_inner_texts()[1:-2])
    page.get_by_role("button", name=f"Take {first.lower()} out", exact=True).click()
    expect(grid.get_by_text("rules 1 to 8 of 10")).to_be_visible()


FIGURES = """
const { coFiring, networkFigure } = await import("/client/rules/pictures/network.js");
const { termsFigure } = await import("/client/rules/pictures/terms.js");
const { confidenceFigure } = await import("/client/rules/pictures/confidence.js");
const { modelOf } = await import("/client/model/inference.js");
const { tableOf } = await import("/client/model/columns.js");
const [snapshot, base, rows, texts] = JSON.parse(given[0]);
const model = modelOf(snapshot, base.normalisation), table = tableOf(base, rows, snapshot);
const scene = { model, snapshot, table, dark: false, x: rows.x[0] };
const edges = coFiring(scene, texts);
return {
  edges, network: networkFigure(texts, edges, false), terms: scene.table.features.map((one) => termsFigure(scene, one, texts)),
  classes: confidenceFigure(texts, base.classes, false),
};
"""


def texts_of(R, then=("cat", "dog")):
    return [
        {"rule": r + 1, "if": [], "features": ["x0"], "then": then[r % len(then)], "support": 1 / R, "confidence": [0.25, 0.75]}
        for r in range(R)
    ]


def figures(client, rules, Z, texts):
    rows = make_rows(np.asarray(Z, float).tolist(), [0] * len(Z))
    snapshot = {
        "epoch": 1, "log_weight": [one["log_weight"] for one in rules["rules"]],
        **{name: [one[name] for one in rules["rules"]] for name in ("centers", "sigmas", "consequents")},
    }  # fmt: skip
    return client.run(FIGURES, json.dumps([snapshot, {k: v for k, v in rules.items() if k != "rules"}, rows, texts]))


@pytest.mark.parametrize("kind", ["softmax", "paper"])
def test_edges_are_the_co_firing_of_the_core(client, kind):
    rules, Z = random_base(6, 3, 2, 3, kind)
    found = figures(client, rules, Z, texts_of(6))["edges"]
    expected = redundancy(firing_levels(rules, Z))
    assert len(found) == 15
    for edge in found:
        assert edge["level"] == pytest.approx(expected[edge["a"], edge["b"]])
        assert edge["kind"] == ("redundant" if (edge["a"] - edge["b"]) % 2 == 0 else "conflict")
    assert [edge["level"] for edge in found] == sorted((edge["level"] for edge in found), reverse=True)


def test_a_rule_without_a_clear_class_is_in_no_conflict(client):
    rules, Z = random_base(3, 2, 2, 1)
    texts = texts_of(3, ("cat", "no clear class", "mostly cat or dog"))
    texts[2]["claims"] = {"mostly": ["cat", "dog"]}
    assert {edge["kind"] for edge in figures(client, rules, Z, texts)["edges"]} == {"unclear"}


def test_terms_are_the_membership_functions_over_the_rows(client):
    rules, Z = random_base(4, 2, 2, 5)
    found = figures(client, rules, Z, texts_of(4))["terms"]
    for d, terms in enumerate(found):
        bars, *curves, line = terms["data"]
        assert sum(bars["customdata"]) == len(Z)
        assert line["x"] == [Z[0, d], Z[0, d]]
        kept = [r for r in range(4) if rules["rules"][r]["sigmas"][d] is not None]
        assert [curve["name"] for curve in curves] == [f"rule {r + 1}" for r in kept]
        for curve, r in zip(curves, kept, strict=True):
            m, s = rules["rules"][r]["centers"][d], rules["rules"][r]["sigmas"][d]
            assert curve["y"] == pytest.approx([math.exp(-((x - m) ** 2) / (2 * s**2)) for x in curve["x"]])
            assert curve["line"]["dash"] == ("solid" if d == 0 else "dot")  # the sentences have the first feature only


def test_names_in_figures_are_escaped(client):
    columns = [number(HOSTILE[0]), category(HOSTILE[0] + "2", HOSTILE[0])]
    rules = base(columns, [rule([1.0, 0.5], [1.0, 0.5], [[0.0] * 3] * 2)] * 2, [HOSTILE[0], "dog"])
    drawn = json.dumps(figures(client, rules, [[1.0, 1], [2.0, 0]], texts_of(2, [HOSTILE[0]])), ensure_ascii=False)
    assert "&lt;img src=x" in drawn
    named = json.loads(drawn)
    for figure in (named["network"], named["classes"], *named["terms"]):
        assert "<img" not in json.dumps([figure["data"], figure["layout"]])


def test_every_picture_is_drawn_with_its_table_and_follows_what_is_taken_out(client):
    page = show_rules(client, pets(), PETS)
    for kind, name in (
        ("terms", "All terms|3 terms of size"),
        ("network", "Rules that fire"),
        ("classes", "Confidence of 3 rules"),
    ):
        fold = unfold(page, kind)
        fold.locator(".main-svg").first.wait_for()
        assert any(part in fold.get_by_role("img").first.get_attribute("aria-label") for part in name.split("|"))
    classes = page.locator(".tsk-picture-classes")
    classes.locator(".tsk-tried > summary").click()
    expect(classes.locator("tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Take rule 3 out", exact=True).click()
    expect(classes.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".tsk-picture-terms .tsk-chart")).to_have_accessible_name(
        "2 terms of size over the data: the membership functions of the rules, solid where a sentence has the condition."
    )
    page.locator(".tsk-picture-network").get_by_role("combobox").select_option("0.05")
    expect(page.locator(".tsk-picture-network .tsk-tried > summary")).to_contain_text("The same as a table (")
