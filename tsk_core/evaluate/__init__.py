"""How good predictions are; knows nothing of training.

scorings.py    what a search may maximise, by scikit-learn's names; RCA, BCA and AUC are in tsk_core/metrics.py
by_class.py    precision, recall, specificity and F1 of each class
intervals.py   intervals of shares, of resampled scores, and of the scores of several splits
shares.py      intervals of RCA, BCA and the scores of classes; units.py: which rows belong together
confusion.py   confusion matrix; calibration.py: whether probabilities are calibrated; temperature.py: makes them so
baselines.py   the majority class, logistic regression and a random forest on the same split; tuned_baselines.py: searched for
same_size.py   a tree and a rule list of as many conditions as a rule base; crisp_rules.py: what they are made of
comparing.py   two classifiers on the same test rows
decision.py    a decision between two classes whose mistakes cost differently, and what it makes of test rows
last_epochs.py the mean and the jitter of a score over the last epochs of a training
"""

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
