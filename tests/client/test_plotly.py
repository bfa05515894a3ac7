"""Plotly knows every property of every figure that the client makes, and refuses no value; its smaller build draws most."""

import re

import plotly.graph_objects as go

from tests.client.node import node
from ui.platform.assets import CLIENT, PLOTLY


def test_plotly_knows_every_property_of_every_figure():
    figures, refused = node("every_figure.js"), {}
    assert len(figures) > 100
    for name, figure in figures.items():
        try:
            go.Figure(figure["data"], figure["layout"])
        except ValueError as error:
            refused[name] = str(error).splitlines()[1]
    assert refused == {}


DRAW = """
const { drawIn } = await import("/client/core/plotly.js");
const place = document.querySelector("#place"), caption = document.createElement("p"), drawn = [];
for (const data of given[0]) {
  const node = document.createElement("div");
  node.style.width = "600px";
  place.append(node);
  await drawIn(node, { data, layout: { height: 300 }, name: "" }, caption);
  drawn.push(node.querySelectorAll(".main-svg").length > 0);
}
const asked = performance.getEntriesByType("resource").map(({ name }) => name.split("/").pop().split("?")[0]);
return [drawn, asked.filter((name) => name.startsWith("plotly") && name.endsWith(".min.js")), caption.textContent];
"""
LINE = {"type": "scatter", "x": [0, 1], "y": [0, 1]}
PARALLEL = {"type": "parcoords", "dimensions": [{"values": [0, 1]}, {"values": [1, 0]}]}


def test_the_whole_library_is_fetched_for_what_it_alone_can_draw(client):
    small, whole = "plotly-cartesian.min.js", "plotly.min.js"
    assert client.open().run(DRAW, [[LINE], []]) == [[True, True], [small], ""]
    assert client.run(DRAW, [[PARALLEL], [LINE], [PARALLEL, LINE]]) == [[True] * 3, [small, whole], ""]
    drawn, fetched, caption = client.open().run(DRAW, [[PARALLEL], [LINE]])  # in either order, since both may be on their way
    assert (drawn, sorted(fetched), caption) == ([True] * 2, [small, whole], "")


TWICE = """
const [{ drawIn }, { layout }] = await Promise.all(["plotly", "layout"].map((name) => import(`/client/core/${name}.js`)));
const node = document.querySelector("#place").appendChild(document.createElement("div"));
const figure = (length) => ({
  data: [{ type: "bar", orientation: "h", x: [1, 2], y: ["a".repeat(length), "b"] }], layout: layout(false, "", ""), name: "",
});
const caption = document.createElement("p"), draw = (length) => drawIn(node, figure(length), caption);
const drawn = await Promise.all([draw(40), draw(5), draw(70)]); // wider margins: each lays itself out twice
return [drawn.at(-1) === node, node.querySelector(".ytick").textContent.length];
"""
EACH = """
const { drawIn } = await import("/client/core/plotly.js");
const caption = document.createElement("p");
for (const figures of given[0]) {
  const node = document.querySelector("#place").appendChild(document.createElement("div"));
  node.style.width = "500px";
  await Promise.all(figures.map((figure) => drawIn(node, figure, caption)));
  node.remove();
}
"""


def test_figures_that_follow_each_other_at_once_on_a_node_leave_the_newest(client):
    assert client.open().run(TWICE) == [True, 70]


def test_plotly_draws_each_figure_and_three_at_once_without_an_error(client):
    figures = [
        figure for figure in node("every_figure.js").values() if "parcoords" not in {t.get("type") for t in figure["data"]}
    ]
    at_once = [[figures[(step * n + step) % len(figures)] for step in (1, 7, 13)] for n in range(60)]
    client.open().run(EACH, [[figure] for figure in figures] + at_once)  # ``client`` judges what the console says


AXES = """
const [{ drawIn }, { layout }] = await Promise.all(["plotly", "layout"].map((name) => import(`/client/core/${name}.js`)));
const node = document.querySelector("#place").appendChild(document.createElement("div")), ends = [];
let ticks = "";
for (const [y, yaxis] of given[0]) {
  const figure = { data: [{ type: "bar", x: y.map((_, k) => k), y }], layout: layout(false, "", "", { yaxis }), name: "" };
  await drawIn(node, figure, document.createElement("p"));
  ends.push(Math.round(node._fullLayout.yaxis.range[1]));
  ticks = [...node.querySelectorAll(".ytick")].map(({ textContent }) => textContent).join(" ");
}
return [ends, ticks];
"""


def test_an_axis_finds_its_range_again_once_none_is_given_and_writes_years_as_they_are(client):
    figures = [[[1], {}], [[1], {"range": [0, 50]}], [[], {"rangemode": "tozero"}], [[20], {"rangemode": "tozero"}], [[30], {}]]
    ends, ticks = client.open().run(AXES, [*figures, [[2023.4], {"range": [2023, 2024]}]])
    assert ends == [1, 50, 4, 21, 32, 2024] and "2023.4" in ticks.split()


def test_the_smaller_build_has_every_kind_that_is_drawn_but_one():
    text = PLOTLY["plotly-cartesian.min.js"].read_text("utf-8")
    kinds = {trace.get("type", "scatter") for figure in node("every_figure.js").values() for trace in figure["data"]}
    missing = {kind for kind in kinds if f'moduleType:"trace",name:"{kind}"' not in text}
    assert missing == {"parcoords"}


def test_both_builds_are_of_the_version_in_their_addresses():
    first = {name: path.read_text("utf-8")[:200] for name, path in PLOTLY.items()}
    versions = {re.search(r"plotly\.js (?:\(cartesian - minified\) )?v([\d.]+)", text)[1] for text in first.values()}
    assert versions == {re.search(r'VERSION = "([\d.]+)"', (CLIENT / "core/plotly.js").read_text("utf-8"))[1]}
