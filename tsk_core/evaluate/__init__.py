"""How good predictions are; knows nothing of training."""

from tsk_core.evaluate.baselines import BASELINES
from tsk_core.evaluate.comparing import LastEpochs, Paired, SeedDifference, last_epochs, lowest_below
from tsk_core.evaluate.cost_threshold import COSTS, Decision, DecisionScores, Effect, Estimate, effect_of, predicted_from
from tsk_core.evaluate.intervals import Units, corrected_t_interval, drawn_text, how_drawn, rows_alone, t_quantile
from tsk_core.evaluate.same_size import Peer
from tsk_core.evaluate.scorings import SCORINGS
from tsk_core.metrics import Accuracy, accuracy

__all__ = [
    "BASELINES",
    "COSTS",
    "SCORINGS",
    "Accuracy",
    "Decision",
    "DecisionScores",
    "Effect",
    "Estimate",
    "LastEpochs",
    "Paired",
    "Peer",
    "SeedDifference",
    "Units",
    "accuracy",
    "corrected_t_interval",
    "drawn_text",
    "effect_of",
    "how_drawn",
    "last_epochs",
    "lowest_below",
    "predicted_from",
    "rows_alone",
    "t_quantile",
]
