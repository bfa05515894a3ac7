"""One training step's loss and exact gradient, in closed form over the model axis; no autograd graph, nothing allocated.

With g_o = ∂L/∂o for the class scores o, the gradient reaches the consequents through G = f̄ ⊗ g_o and the antecedents through
∂L/∂f̄, to which the penalties of the firing levels add theirs. Layer normalisation, where a model has it, stands between the two:
consequents then see f̃ in place of f̄. Every variant is checked against autograd in float64.

At these sizes a step is some fifty small operations whose fixed costs dominate. So constants are a last column of the inputs,
one product gives a gradient and its bias, and every result is written into a preallocated buffer. The batch is the last axis
wherever rules or classes are summed over, so that vector instructions do all of it. Taking a view costs as much as a small
product, so each is taken once, when the buffers are made.
"""

import torch
from torch import Tensor

from tsk_core.model.antecedents import Antecedents, LayerNorm
from tsk_core.model.batches import Batch
from tsk_core.model.consequents import ConstantConsequents, LinearConsequents
from tsk_core.model.parameters import Objective, Parameters


class Step:
    """Loss and gradient of mini-batches of one size, for one stack.

    ``run`` writes the gradient into the stack's ``grad`` and adds the batch's loss parts to what ``losses`` gives.
    """

    def __init__(self, p: Parameters, grad: Parameters, objective: Objective, batch_size: int) -> None:
        """Allocate the buffers of one batch. p, grad: the stack's parameters and gradient; objective: as it will stay."""
        s, self.objective, self.grad = p.shape, objective, grad
        self.scores, self.log_p, self.d_scores = (p.zeros(s.M, s.C, batch_size) for _ in range(3))
        self.cross_entropies = p.zeros(s.M, s.C, batch_size)  # summands, accumulated element by element over the batches
        self.antecedents = Antecedents(p, grad, objective, batch_size)
        self.layer_norm = LayerNorm(p, grad, self.antecedents) if s.layer_norm else None
        flows = self.antecedents.firing, self.antecedents.d_firing
        if self.layer_norm is not None:
            flows = self.layer_norm.weights, self.layer_norm.d_weights
        order = LinearConsequents if s.slopes else ConstantConsequents
        self.consequents: LinearConsequents | ConstantConsequents = order(p, grad, objective, *flows, self.d_scores)

    @property
    def losses(self) -> Tensor:
        """Sums over the batches run so far of the weighted parts, (7, M), in the order of ``LOSS_PARTS``."""
        uniform, *firing = self.antecedents.losses()
        l2, shrinkage = self.consequents.losses()
        return torch.stack([self.cross_entropies.flatten(1).sum(1), l2, uniform, shrinkage, *firing])

    def forget_losses(self) -> None:
        """Reset the sums to 0."""
        self.cross_entropies.zero_()
        self.antecedents.forget_losses()
        self.consequents.forget_losses()

    def run(self, batch: Batch) -> None:
        """One batch: gradient and loss parts."""
        self.antecedents.fire(batch)
        if self.layer_norm is not None:
            self.layer_norm.weigh()
        self.consequents.score(batch, self.scores)
        self._cross_entropy(batch)
        self.consequents.firing_gradient()
        self.consequents.gradient(batch)
        if self.layer_norm is not None:
            self.layer_norm.gradient()
        self.antecedents.gradient(batch)
        if self.objective.trains_gamma is not None:
            self.grad.stored["gamma"].mul_(self.objective.trains_gamma.view(-1, 1, 1))
            self.grad.stored["beta"].mul_(self.objective.trains_gamma.view(-1, 1, 1))

    def _cross_entropy(self, batch: Batch) -> None:
        """Cross-entropy, and ∂L/∂scores = w (softmax − onehot), w the rows' weights."""
        torch.log_softmax(self.scores, 1, out=self.log_p)
        self.cross_entropies.addcmul_(self.log_p, batch.minus_target)
        torch._log_softmax_backward_data(batch.minus_target, self.log_p, 1, self.log_p.dtype, out=self.d_scores)
