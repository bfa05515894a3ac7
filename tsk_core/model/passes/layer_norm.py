"""Layer normalisation of firing levels with ReLU (Cui, Xu, Peng, Wu 2022): f̃ = max(0, γ x̂ + β), x̂ = (f̄ − mean)/√(variance + ε).

Mean and variance are over the rules of a row: ``firing.layer_relu``, and its gradient.
"""

import torch

from tsk_core.model.firing import LAYER_EPSILON
from tsk_core.model.parameters import Parameters
from tsk_core.model.passes.antecedents import Antecedents

__all__ = ["LayerNorm"]


class LayerNorm:
    """The weights of the rules' scores, from the firing levels of a batch and back.

    weights: f̃, (M, R, B), after ``weigh``. d_weights: receives ∂L/∂f̃, of which ``gradient`` makes that of f̄, γ and β.
    """

    def __init__(self, p: Parameters, grad: Parameters, antecedents: Antecedents) -> None:
        """antecedents: of the same batches; ``gradient`` writes ∂L/∂f̄ into their ``d_firing``."""
        self.antecedents = antecedents
        self.scale, self.shift = (p.stored[name].unsqueeze(2) for name in ("scale", "shift"))  # (M, R, 1)
        self.g_scale, self.g_shift = grad.stored["scale"], grad.stored["shift"]
        size = antecedents.firing.shape
        self.weights, self.d_weights, self.normalised, self.scratch = (p.zeros(*size) for _ in range(4))
        self.means, self.inverse_deviations, self.slopes = (p.zeros(size[0], 1, size[2]) for _ in range(3))
        self.silent = self.weights <= 0

    def weigh(self) -> None:
        """f̃ of the batch; a rule that DropRule leaves out of a row counts as one of level 0, and has no weight there."""
        torch.mean(self.antecedents.firing, 1, keepdim=True, out=self.means)
        torch.sub(self.antecedents.firing, self.means, out=self.normalised)
        torch.mul(self.normalised, self.normalised, out=self.scratch)
        torch.mean(self.scratch, 1, keepdim=True, out=self.inverse_deviations)
        self.inverse_deviations.add_(LAYER_EPSILON).rsqrt_()
        self.normalised.mul_(self.inverse_deviations)
        torch.addcmul(self.shift, self.scale, self.normalised, out=self.weights)
        torch.le(self.weights, 0, out=self.silent)
        if self.antecedents.drop_rule is not None:
            self.silent |= self.antecedents.dropped
        self.weights.masked_fill_(self.silent, 0)

    def gradient(self) -> None:
        """With g = ∂L/∂f̃ where f̃ > 0: ∂L/∂γ = Σ g x̂, ∂L/∂β = Σ g over the batch; with h = γ g,
        ∂L/∂f̄ = (h − mean h − x̂ mean(h x̂))/√(variance + ε), means over rules.
        """
        d_firing = self.d_weights.masked_fill_(self.silent, 0)
        torch.sum(d_firing, 2, out=self.g_shift)
        torch.mul(d_firing, self.normalised, out=self.scratch)
        torch.sum(self.scratch, 2, out=self.g_scale)
        d_firing.mul_(self.scale)
        self.scratch.mul_(self.scale)
        torch.mean(self.scratch, 1, keepdim=True, out=self.slopes)
        torch.mean(d_firing, 1, keepdim=True, out=self.means)
        torch.sub(d_firing, self.means, out=self.antecedents.d_firing)
        self.antecedents.d_firing.addcmul_(self.normalised, self.slopes, value=-1).mul_(self.inverse_deviations)
