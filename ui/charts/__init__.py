"""Charts: those of a run, declared once for page, report and browser; those that the server draws.

explanations  what *Explain* says of each
"""

from ui.charts.declared import CHART_TABS, CHARTS, MISTAKES, RULES, SAMPLES, STAGE, TABS, Chart, views_of

__all__ = ["CHARTS", "CHART_TABS", "MISTAKES", "RULES", "SAMPLES", "STAGE", "TABS", "Chart", "views_of"]
