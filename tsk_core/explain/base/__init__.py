"""The rule base as a whole: its metrics, in the four quadrants of Gacto, Alcalá and Herrera (2011)."""

from tsk_core.explain.base.measured import MeasuredRuleBase, measure_rows, measure_training
from tsk_core.explain.base.quadrants import Metric, Metrics, linear_in_disguise, metrics_of

__all__ = ["MeasuredRuleBase", "Metric", "Metrics", "linear_in_disguise", "measure_rows", "measure_training", "metrics_of"]
