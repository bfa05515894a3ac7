"""The confusion matrix of a model, and how well its probabilities are calibrated, as JSON-ready values."""

import numpy as np

from tsk_core.evaluate.calibration import Calibration, reliability

__all__ = ["Evaluation", "evaluation"]


class Evaluation(Calibration):
    """What ``evaluation`` gives."""

    confusion: list[list[int]]


def evaluation(true: np.ndarray, predicted: np.ndarray, confidence: np.ndarray, classes: list[str]) -> Evaluation:
    """{"confusion": counts [C][C], row the true class, column the predicted one, **``calibration.reliability``}.

    true, predicted: (N,) class names, all of ``classes``. confidence: (N,) probability of the predicted class, in [0, 1].
    """
    index = {name: at for at, name in enumerate(classes)}
    counts = np.zeros((len(classes), len(classes)), dtype=int)
    np.add.at(counts, ([index[str(name)] for name in true], [index[str(name)] for name in predicted]), 1)
    return {"confusion": counts.tolist(), **reliability(confidence, true == predicted)}
