"""Elements that stay on the page when what they show changes."""

import pytest

pytestmark = pytest.mark.browser

SELECT = """
const { choice } = await import("/client/core/elements.js"), place = document.getElementById("place");
globalThis.chosen = [];
globalThis.show = (names) => {
  choice(place, "tsk-plane", "Across", names.map((name, k) => [k, name]), 0, (value) => chosen.push(names[Number(value)]));
  return [...place.querySelectorAll("option")].map((option) => option.textContent);
};
"""
GRID = """
const { gridModel, ruleGrid } = await import("/client/rules/strengths.js");
const draw = ruleGrid(document.getElementById("place"));
globalThis.show = (features) => {
  draw(gridModel({ features, classes: ["cat", "dog"], levels: [[0.5, 0.2]], then: [0] }), ["cat", "dog"], false);
  return [...document.querySelectorAll("thead .tsk-feature-name")].map((name) => name.textContent);
};
"""


def test_a_select_and_the_grid_of_rules_have_the_names_of_the_data_at_hand(client):
    for made in (GRID, SELECT):
        client.open().run(made)
        for names in (["size", "weight"], ["income", "debt"]):
            assert sorted(client.page.evaluate("(names) => show(names)", names)) == sorted(names)
    client.page.get_by_role("combobox", name="Across").select_option("debt")
    assert client.page.evaluate("chosen") == ["debt"]
