"""The declarations of charts: true of what their modules do, and of what the server sends."""

import json
import re

import pytest

from tests.client.messages import make_history, make_shown, message_of
from tests.client.test_figures import METRICS
from ui.charts import CHART_TABS, CHARTS, TABS, views_of
from ui.live import CLIENT
from ui.live.message import FIELDS

pytestmark = pytest.mark.browser

# A figure of a state whose epochs and evaluations have the declared fields only.
DRAW = """async ([message, { name, module, title }]) => {
  const store = await import("/client/core/store.js");
  store.receive(JSON.parse(message));
  const figures = await import(`/client/${module}`);
  return JSON.stringify(figures[name]({ ...store.state(), title }));
}"""
EVALUATION = ("confusion", "reliability", "ece")


def stripped(message, fields, metrics):
    """The message without the fields that a chart does not declare. Each has an epoch's stage, number and time."""
    for part in message:
        sent = part["payload"]
        if part["kind"] == "epochs":
            kept = [k for k, field in enumerate(sent["fields"]) if field in {*fields, "stage", "epoch", "seconds"}]
            sent["fields"] = [sent["fields"][k] for k in kept]
            sent["list"] = [[epoch[k] for k in kept] for epoch in sent["list"]]
        elif part["kind"] == "about":
            part["payload"] = {name: value for name, value in sent.items() if name not in EVALUATION or name in metrics}
    return message


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
def test_a_figure_reads_no_fields_but_those_it_declares(client, chart):
    shown, comparison = (make_shown(make_history(5), run, metrics=METRICS) for run in ("now", "other"))
    drawn = []
    for fields, metrics in ((FIELDS, EVALUATION), (chart.fields, chart.metrics)):
        message = stripped(message_of(shown, comparison), fields, metrics)
        drawn.append(client.open().page.evaluate(DRAW, [json.dumps(message), chart.declaration]))
    assert drawn[0] == drawn[1]


def test_the_type_of_an_epoch_has_the_fields_that_the_server_sends():
    (body,) = re.findall(
        r"^export interface Epoch \{\n(.*?)^\}", (CLIENT / "core" / "messages.d.ts").read_text(), re.MULTILINE | re.DOTALL
    )
    assert set(re.findall(r"^  (\w+):", body, re.MULTILINE)) == set(FIELDS)


def test_every_chart_has_a_tab_and_is_in_its_views():
    assert {chart.tab for chart in CHARTS.values()} == set(CHART_TABS) <= set(TABS)
    assert all(chart.name in views_of(chart.tab) for chart in CHARTS.values())
    assert set().union(*(chart.fields for chart in CHARTS.values())) <= set(FIELDS)
