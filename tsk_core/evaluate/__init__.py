"""How good predictions are; knows nothing of training.

metrics.py     RCA and BCA
by_class.py    precision, recall, specificity and F1 of each class; the AUC
intervals.py   bootstrap intervals over test rows; the interval of the scores of several splits
confusion.py   confusion matrix; calibration.py: whether probabilities are calibrated
baselines.py   the majority class, logistic regression and a random forest on the same split
comparing.py   two classifiers on the same test rows
last_epochs.py the mean and the jitter of a score over the last epochs of a training
"""

from tsk_core.evaluate.baselines import BASELINES
from tsk_core.evaluate.comparing import Paired, lowest_below
from tsk_core.evaluate.intervals import corrected_t_interval
from tsk_core.evaluate.last_epochs import LastEpochs, last_epochs
from tsk_core.evaluate.metrics import Accuracy, accuracy

__all__ = ["BASELINES", "Accuracy", "LastEpochs", "Paired", "accuracy", "corrected_t_interval", "last_epochs", "lowest_below"]
