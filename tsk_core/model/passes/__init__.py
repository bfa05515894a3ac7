"""The parts of a training step, forward and backward: antecedents, layer normalisation of what they give, and consequents with or
without slopes.

At these sizes a step is some fifty small operations whose fixed costs dominate. So constants are a last column of the inputs,
one product gives a gradient and its bias, and every result is written into a preallocated buffer. The batch is the last axis
wherever rules or classes are summed over, so that vector instructions do all of it. Taking a view costs as much as a small
product, so each is taken once, when the buffers are made.
"""

from tsk_core.model.passes.antecedents import Antecedents, LayerNorm
from tsk_core.model.passes.consequents import ConstantConsequents, LinearConsequents

__all__ = ["Antecedents", "ConstantConsequents", "LayerNorm", "LinearConsequents"]
