"""The declarations of charts: true of what their modules do."""

import re
from dataclasses import replace

from tests.client.node import node
from ui.charts import CHART_TABS, CHARTS, TABS, views_of
from ui.live import CLIENT


def differing(*charts):
    """The charts that draw something else where they get only what they declare to read."""
    return node(
        "declared_fields.js", [{name: getattr(chart, name) for name in ("name", "fields", "metrics")} for chart in charts]
    )


def test_a_figure_reads_no_fields_but_those_it_declares():
    assert differing(*CHARTS.values()) == []


def test_a_field_that_is_not_declared_is_found():
    undeclared = [replace(chart, fields=chart.fields[1:], metrics=chart.metrics[1:]) for chart in CHARTS.values()]
    assert set(differing(*undeclared)) == set(CHARTS)


def test_what_charts_declare_to_read_are_fields_of_the_clients_epochs():
    (body,) = re.findall(
        r"^export interface Epoch \{\n(.*?)^\}", (CLIENT / "core" / "types.d.ts").read_text(), re.MULTILINE | re.DOTALL
    )
    assert set().union(*(chart.fields for chart in CHARTS.values())) <= set(re.findall(r"^  (\w+):", body, re.MULTILINE))


def test_every_chart_has_a_tab_and_is_in_its_views():
    assert {chart.tab for chart in CHARTS.values()} == set(CHART_TABS) <= set(TABS)
    assert all(chart.name in views_of(chart.tab) for chart in CHARTS.values())
