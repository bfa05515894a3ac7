"""The rule base as a whole: its metrics, in the four quadrants of Gacto, Alcalá and Herrera (2011).

terms.py       the terms of the printed conditions: how many, how distinguishable, how well they cover their features
behaviour.py   what the model does: overlap and conflict of rules, entropy, robustness, how much the rules matter
measured.py    all that is measured of a rule base, at every length, as it is kept with the rules
quadrants.py   the metrics with one sentence each on what is good, and the source
"""

from tsk_core.explain.base.measured import MEASURED, MeasuredRuleBase, measure, measure_rows
from tsk_core.explain.base.quadrants import Metric, Metrics, linear_in_disguise, metrics_of

__all__ = ["MEASURED", "MeasuredRuleBase", "Metric", "Metrics", "linear_in_disguise", "measure", "measure_rows", "metrics_of"]
