"""How good predictions are; knows nothing of training.

metrics.py     RCA and BCA
confusion.py   confusion matrix; calibration.py: whether probabilities are calibrated
baselines.py   the majority class and logistic regression on the same split
"""

from tsk_core.evaluate.metrics import Accuracy, accuracy

__all__ = ["Accuracy", "accuracy"]
