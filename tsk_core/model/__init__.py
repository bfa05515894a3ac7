"""The TSK stack in pure torch: parameters, firing levels, batch normalisation, closed-form gradients, merged rules."""

from tsk_core.model.batch_norm import RunningStatistics
from tsk_core.model.gradients import Objective, Step, loss_and_gradient
from tsk_core.model.inference import blocks, infer
from tsk_core.model.parameters import Parameters, Shape
from tsk_core.model.rules import Rules, merge

__all__ = [
    "Objective",
    "Parameters",
    "Rules",
    "RunningStatistics",
    "Shape",
    "Step",
    "blocks",
    "infer",
    "loss_and_gradient",
    "merge",
]
