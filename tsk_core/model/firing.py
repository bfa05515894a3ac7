"""The Gaussian membership and the log firing level, written once; all Python that needs them calls them here.

μ_rd(x) = exp(−(x − m_rd)²/(2σ_rd²)) and z_r = Σ_d log μ_rd(x_d) (paper Eqs. 2-6). ``TrainConfig.firing`` names how z is
normalised:

- "softmax": f̄ = softmax(z), the exact formula, safe from underflow;
- "paper": f̄ = exp(z)/(Σ exp(z) + PAPER_EPSILON), as the authors ran it: Σf̄ falls below 1 where all rules underflow;
- "htsk": f̄ = softmax(z / D) (Cui, Wu, Xu 2021), for high dimension; merged as softmax with σ√D;
- "scaled": f̄ = softmax(z / √D), between the two: z is a sum of D terms, whose spread grows with √D where they vary
  independently; merged as softmax with σ·D^¼;
- "log": f̄ = 1/(ε − z), normalised (LogTSK, in the same paper; ε = LOG_EPSILON): a common factor of all σ hardly changes it,
  however many features there are.

``TrainConfig.layer_norm`` "relu" (Cui et al. 2022) weights the rules' scores by f̃ = max(0, γ (f̄ − mean)/√(variance + ε) + β)
in place of f̄ (``layer_relu``), with mean and variance over the R rules of a row. f̃ does not sum to 1 and is for scores alone: UR,
sharpness, covering, averages, entropies, which rule is the strongest and a rule's confidence are those of f̄.

Training (``step``) and the fast inference expand the square into matrix products, since these take most of their time. The
tests hold the expansions to this formula. Needs no PyTorch, so that rules can be read without it.
"""

from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

PAPER_EPSILON = 1e-8
LOG_EPSILON = 1e-3  # LogTSK has none, and its level is infinite at a rule's centre, where z is 0
LAYER_EPSILON = 1e-5  # of layer normalisation, as PyTorch has it
HALF_HEIGHT = float(np.sqrt(2 * np.log(2)))  # 1.177: a membership is at least 0.5 within centre ± 1.177σ

Numbers = TypeVar("Numbers", NDArray[np.float64], "Tensor")


def log_membership(x: Numbers, center: Numbers, sigma: Numbers) -> Numbers:
    """Log μ(x) = −(x − m)²/(2σ²), element by element; 0 where σ is infinite.

    NumPy arrays or PyTorch tensors of shapes that broadcast; σ is not 0, its sign does not matter.
    """
    distance = (x - center) / sigma
    return distance * distance * -0.5


def log_firing(x: NDArray[np.float64], centers: NDArray[np.float64], sigmas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Z = Σ_d log μ_d(x_d), summed over the last axis; NumPy arrays of shapes that broadcast.

    The same as ``log_membership(...).sum(-1)`` to the last digits, without an array of the squares.
    """
    distance = (x - centers) / sigmas
    squares: NDArray[np.float64] = np.vecdot(distance, distance)
    return squares * -0.5


def inverse_log(z: Numbers, epsilon: float) -> Numbers:
    """LogTSK's level before normalisation, 1/(ε − z); z above 0, from rounding or a rule's weight, counts as 0."""
    return 1 / (epsilon - z.clip(max=0))


def layer_relu(firing: Numbers, scale: Numbers, shift: Numbers, epsilon: float = LAYER_EPSILON) -> Numbers:
    """The weights f̃ of the rules' scores from f̄, (…, R). scale, shift: γ, β of the R rules, in shapes that broadcast."""
    centred = firing - firing.mean(-1)[..., None]
    deviation = ((centred * centred).mean(-1)[..., None] + epsilon) ** 0.5
    weights: Numbers = scale * (centred / deviation) + shift
    return weights.clip(min=0)


def epsilons(firing: str) -> tuple[float, float]:
    """The ε of "paper" and that of "log", each 0 under another normalisation."""
    return PAPER_EPSILON if firing == "paper" else 0.0, LOG_EPSILON if firing == "log" else 0.0


def firing_temperature(firing: str, n_features: int) -> float:
    """What z is divided by before the softmax: D for "htsk", √D for "scaled", else 1. n_features: D."""
    divisors: dict[str, float] = {"htsk": float(n_features), "scaled": n_features**0.5}
    return divisors.get(firing, 1.0)
