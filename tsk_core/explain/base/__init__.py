"""The rule base as a whole: its metrics, in the four quadrants of Gacto, Alcalá and Herrera (2011)."""

from tsk_core.explain.base.measured import MEASURED, MeasuredRuleBase, measure, measure_rows
from tsk_core.explain.base.quadrants import Metric, Metrics, linear_in_disguise, metrics_of

__all__ = ["MEASURED", "MeasuredRuleBase", "Metric", "Metrics", "linear_in_disguise", "measure", "measure_rows", "metrics_of"]
