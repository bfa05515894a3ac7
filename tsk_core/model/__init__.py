"""The TSK stack in pure torch: parameters, firing levels, batch normalisation, closed-form gradients, merged rules."""

from tsk_core.model.batch_norm import RunningStatistics
from tsk_core.model.batches import Batch, Batches
from tsk_core.model.inference import blocks, class_scores, infer
from tsk_core.model.parameters import Parameters, Shape
from tsk_core.model.rules import Rules, merge
from tsk_core.model.step import Objective, Step

__all__ = [
    "Batch",
    "Batches",
    "Objective",
    "Parameters",
    "Rules",
    "RunningStatistics",
    "Shape",
    "Step",
    "blocks",
    "class_scores",
    "infer",
    "merge",
]
