"""Charts: those of a run, declared once for page, report and browser; those that the server draws.

declared.py   the charts of a run; the browser draws them, see ``ui/client``
drawn.py      charts that the server draws: of several runs, of a rule base
colours.py    the colours of the latter
explanations  what *Explain* says of each
"""

from ui.charts.declared import CHART_TABS, CHARTS, MISTAKES, RULES, SAMPLES, TABS, Chart, views_of

__all__ = ["CHARTS", "CHART_TABS", "MISTAKES", "RULES", "SAMPLES", "TABS", "Chart", "views_of"]
