"""From a batch to normalised firing levels, and from ∂L/∂f̄ to the gradient of centres and widths."""

from collections.abc import Iterable

import torch
from torch import Tensor

from tsk_core.model.batches import Batch
from tsk_core.model.firing import LAYER_EPSILON, LOG_EPSILON, PAPER_EPSILON, firing_temperature
from tsk_core.model.parameters import Objective, Parameters

DROPPED = -1e30  # log firing level of a rule that a row goes without: its firing level is 0, and times 0 it is no NaN
SMALLEST = 1e-30  # firing level whose logarithm is taken for smaller ones, where underflow is possible


class Antecedents:
    """Firing levels of a batch and their penalties: UR, sharpness and covering; and the L1 penalty of the antecedents.

    firing: f̄, (M, R, B), after ``fire``. d_firing: ∂L/∂f̄ without the penalties, which the consequents write.
    """

    def __init__(self, p: Parameters, grad: Parameters, objective: Objective, batch_size: int) -> None:
        self.shape, self.objective, self.B = p.shape, objective, batch_size
        s = self.shape
        M, R, D, B = s.M, s.R, s.D, batch_size
        self.temperature = firing_temperature(objective.firing, D)

        self.centers, self.widths = p.stored["centers"], p.stored["widths"]  # (M, D, R)
        self.gamma, self.beta = p.stored["gamma"], p.stored["beta"]  # (M, D, G)
        self.g_centers, self.g_widths = grad.stored["centers"], grad.stored["widths"]
        self.g_gamma, self.g_beta = grad.stored["gamma"], grad.stored["beta"]

        antecedents = p.zeros(M, 2 * D + 1, R)  # m/σ², 1/σ², Σ m²/σ²: [u, −u²/2, −1/2] times it is z
        self.antecedents_t = antecedents.transpose(1, 2)
        self.slope, self.inverse, self.constant = antecedents[:, :D], antecedents[:, D : 2 * D], antecedents[:, 2 * D]
        self.z, self.firing, self.dz, self.d_firing = (p.zeros(M, R, B) for _ in range(4))
        self.dz_t = self.dz.transpose(1, 2)
        self.is_log = objective.firing == "log"
        self.reach = p.zeros(M, R, B if self.is_log else 0)  # ε − z
        self.drop_rule = None if objective.drop_rule is None else objective.drop_rule.view(M, 1, 1)
        self.drawn = p.zeros(M, R, 0 if self.drop_rule is None else B)
        self.dropped = self.drawn < 0
        self.firing_sums, self.pull = p.zeros(M, R, 1), p.zeros(M, R, 1)
        moments = p.zeros(M, 2 * D + 1, R)  # [u, −u²/2, −1/2] dz
        self.moments = moments
        self.first, self.second, self.total = moments[:, :D], moments[:, D : 2 * D], moments[:, 2 * D :]
        self.scratch, self.zeros = p.zeros(M, D, R), p.zeros(M, D, R)
        ur_pull = (2 / B) * objective.ur_weight.view(M, 1, 1)
        self.ur_pull_of_sums, self.minus_target_pull = ur_pull / B, -ur_pull * objective.ur_target.view(M, 1, 1)
        # What is 0 for the whole stack is left out; a model without it beside others with it adds exact zeros.
        self.sharpens, self.covers, self.thins = (
            bool((weight > 0).any()) for weight in (objective.sharpness, objective.covering, objective.l1)
        )
        self.minus_sharpness, self.minus_covering = p.zeros(M, 1, 1), p.zeros(M, 1, 1)
        self.weigh(torch.ones_like(objective.sharpness))
        self.l1 = objective.l1.view(M, 1, 1)
        self.log_firing = p.zeros(M, R, B if self.sharpens else 0)
        # The penalties' summands, accumulated element by element over the batches and summed at the end of the epoch.
        self.pulls, self.magnitudes = p.zeros(M, R, 1), p.zeros(M, D, R)
        self.entropies, self.distances = (p.zeros(M, R, B if wanted else 0) for wanted in (self.sharpens, self.covers))
        self.u = p.zeros(M, 2 * D + 1, B if s.batch_norm == "gbn" else 0).fill_(-0.5)

    def weigh(self, share: Tensor) -> None:
        """Let sharpness and covering count this share of their weights from now on. share: (M,) in [0, 1]."""
        for weight, scaled in ((self.objective.sharpness, self.minus_sharpness), (self.objective.covering, self.minus_covering)):
            torch.mul(weight, share, out=scaled.view(-1)).div_(-self.B)

    def losses(self) -> list[Tensor]:
        """Sums over the batches run so far of the weighted penalties, (M,) each: UR, sharpness, covering, L1."""
        ur_weight = self.objective.ur_weight
        to_loss = torch.where(ur_weight > 0, self.B**2 / (4 * ur_weight), 0.0)  # of (2λ/B · (mean f̄ − τ))²
        pulls, entropies, distances, magnitudes = (
            tensor.flatten(1).sum(1) for tensor in (self.pulls, self.entropies, self.distances, self.magnitudes)
        )
        sharpness, covering = (weight.view(-1) for weight in (self.minus_sharpness, self.minus_covering))
        return [to_loss * pulls, sharpness * entropies, covering * distances, self.objective.l1 * magnitudes]

    def forget_losses(self) -> None:
        """Reset the sums to 0."""
        for tensor in (self.pulls, self.entropies, self.distances, self.magnitudes):
            tensor.zero_()

    def drop(self, generators: Iterable[torch.Generator]) -> None:
        """Draw the rules that each row of the next batches goes without (DropRule: Wu, Yuan, Huang, Tan 2020), where any does.

        generators: of the M models. A row that would go without all rules keeps all.
        """
        if self.drop_rule is None:
            return
        for own, generator in zip(self.drawn, generators, strict=True):
            own.copy_(torch.rand(own.shape, generator=generator, dtype=torch.float32, device="cpu"))
        torch.lt(self.drawn, self.drop_rule, out=self.dropped)
        self.dropped &= ~self.dropped.all(1, keepdim=True)

    def fire(self, batch: Batch) -> None:
        """f̄ of the batch from z = m/σ²·u − u²/(2σ²) − Σ m²/(2σ²): ``firing.log_membership``, expanded and summed."""
        given = batch.antecedent_inputs
        self.inputs = self._shared_inputs(batch) if given is None else given
        torch.mul(self.widths, self.widths, out=self.inverse)
        if not self.shape.inverse_widths:
            self.inverse.reciprocal_()
        torch.mul(self.centers, self.inverse, out=self.slope)
        torch.mul(self.centers, self.slope, out=self.scratch)
        torch.sum(self.scratch, 1, out=self.constant)
        torch.bmm(self.antecedents_t, self.inputs, out=self.z)
        if self.drop_rule is not None:
            self.z.masked_fill_(self.dropped, DROPPED)
        if self.objective.firing == "paper":
            torch.exp(self.z, out=self.firing)
            self.firing /= self.firing.sum(1, keepdim=True) + PAPER_EPSILON
            return
        if self.is_log:
            torch.clamp(self.z, max=0, out=self.reach).neg_().add_(LOG_EPSILON)
            torch.reciprocal(self.reach, out=self.firing)
            if self.drop_rule is not None:
                self.firing.masked_fill_(self.dropped, 0)
            self.firing /= self.firing.sum(1, keepdim=True)
            return
        if self.temperature != 1:
            self.z.div_(self.temperature)
        torch.softmax(self.z, 1, out=self.firing)

    def gradient(self, batch: Batch) -> None:
        """∂L/∂m, ∂L/∂σ and, where they see what batch normalisation gives, their share of ∂L/∂γ and ∂L/∂β."""
        self._penalise()
        self._backward()
        if self.shape.batch_norm == "gbn":
            self._input_gradient(batch)

    def _shared_inputs(self, batch: Batch) -> Tensor:
        """Under "gbn" antecedents see u = γ x̂⁰ + β, so their inputs depend on the parameters: (M, 2D+1, B)."""
        D = self.shape.D
        u, halved = self.u[:, :D], self.u[:, D : 2 * D]
        torch.addcmul(self.beta, self.gamma, batch.standardised(D), out=u)
        torch.mul(u, u, out=halved).mul_(-0.5)
        return self.u

    def _penalise(self) -> None:
        """∂L/∂z = f̄ ⊙ (df − Σ f̄ df), the same for "paper", divided by the temperature, or by ε − z for "log"; df has the
        penalties' pull in it.

        UR: (2λ/B)(mean f̄ − τ). Sharpness: −(ρ/B)(log f̄ + 1). Covering: −(ζ/B) z, and −(ζ/B) f̄ directly in ∂L/∂z.
        """
        torch.sum(self.firing, 2, keepdim=True, out=self.firing_sums)
        torch.addcmul(self.minus_target_pull, self.firing_sums, self.ur_pull_of_sums, out=self.pull)
        self.pulls.addcmul_(self.pull, self.pull)
        self.d_firing.add_(self.pull)
        if self.sharpens:
            self._log_firing()
            self.entropies.addcmul_(self.firing, self.log_firing)
            self.d_firing.addcmul_(self.log_firing.add_(1), self.minus_sharpness)
        if self.covers:
            self.distances.addcmul_(self.firing, self.z)
            self.d_firing.addcmul_(self.z, self.minus_covering)
        torch._softmax_backward_data(self.d_firing, self.firing, 1, self.firing.dtype, grad_input=self.dz)
        if self.is_log:
            self.dz.div_(self.reach)
        if self.covers:
            self.dz.addcmul_(self.firing, self.minus_covering)
        if self.temperature != 1:
            self.dz.div_(self.temperature)

    def _log_firing(self) -> None:
        if self.objective.firing in ("paper", "log"):
            torch.clamp(self.firing, min=SMALLEST, out=self.log_firing).log_()
        else:
            torch.log_softmax(self.z, 1, out=self.log_firing)

    def _backward(self) -> None:
        """∂L/∂m = (dz·u − mΣdz)/σ², ∂L/∂σ = (dz·u² − 2m dz·u + m²Σdz)/σ³; ``moments`` holds u² and 1 times −½.

        This is dz times the gradient of ``firing.log_membership``, summed over the batch. Of v = 1/σ it is −σ² times ∂L/∂σ.
        """
        torch.bmm(self.inputs, self.dz_t, out=self.moments)
        torch.addcmul(self.first, self.centers, self.total, value=2, out=self.scratch)  # dz·u − mΣdz
        torch.mul(self.scratch, self.inverse, out=self.g_centers)
        self.scratch.add_(self.first)
        torch.addcmul(self.second, self.centers, self.scratch, value=0.5, out=self.scratch)
        if self.shape.inverse_widths:
            torch.addcmul(self.zeros, self.scratch, self.widths, value=2, out=self.g_widths)
        else:
            self.scratch.mul_(self.inverse)
            torch.addcdiv(self.zeros, self.scratch, self.widths, value=-2, out=self.g_widths)
        if self.thins:
            self._thin()

    def _thin(self) -> None:
        """The L1 penalty γ Σ|v|, v = 1/σ; its gradient is γ sign(v), or −γ sign(σ)/σ² of σ."""
        if self.shape.inverse_widths:
            self.magnitudes.add_(torch.abs(self.widths, out=self.scratch))
            self.g_widths.addcmul_(torch.sign(self.widths, out=self.scratch), self.l1)
        else:
            self.magnitudes.add_(torch.sqrt(self.inverse, out=self.scratch))
            torch.sign(self.widths, out=self.scratch).mul_(self.inverse)
            self.g_widths.addcmul_(self.scratch, self.l1, value=-1)

    def _input_gradient(self, batch: Batch) -> None:
        """The antecedents' share of ∂L/∂γ and ∂L/∂β under "gbn", where their input is u = γ x̂⁰ + β."""
        D = self.shape.D
        x0, u = batch.standardised(D), self.u[:, :D]
        du = torch.bmm(self.slope, self.dz) - u * torch.bmm(self.inverse, self.dz)  # (M, D, B)
        self.g_beta += du.sum(2, keepdim=True)
        self.g_gamma += (du * x0).sum(2, keepdim=True)


# Layer normalisation of firing levels with ReLU (Cui, Xu, Peng, Wu 2022): f̃ = max(0, γ x̂ + β), x̂ = (f̄ − mean)/√(variance + ε).
#
# Mean and variance are over the rules of a row: ``firing.layer_relu``, and its gradient.


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
