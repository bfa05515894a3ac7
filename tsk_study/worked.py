"""The paper's equations with the numbers of one trained model and one test row in them.

Each equation is computed from the trained parameters as the paper writes it, term by term, beside what the model itself computes
(merged rules, ``tsk_core.model``); tests hold the two sides together.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import softmax

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.model import Rules
    from tsk_core.train.spec import Weights

SHOWN_RULES, SHOWN_FEATURES = 2, 2  # of which an equation shows the terms


def work_out(dataset: "Dataset", config: TrainConfig, row: int = 0, tick: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Train ``config`` on the split of its seed (30% test rows), and work the equations out for a test row; JSON-ready.

    row: which of the test rows, from 0. tick: called after each epoch; what it raises ends the training.
    Rules and features are numbered from 1, as in the paper; features are encoded ones, z-normalised.
    Raises SettingError for a row that there is not, for firing levels other than the paper's softmax or layer-normalised, for
    constant consequents, and for several trainings.
    """
    from tsk_core.data.encoding import Encoder
    from tsk_core.train import AT_THE_END, prepare_stack, train
    from tsk_study.parts import TEST_SIZE

    if config.firing != "softmax":
        raise SettingError(f"The equations are those of firing 'softmax'; these settings have {config.firing!r}.")
    if not config.has_slopes:
        raise SettingError("The equations are those of linear consequents; these settings have constant ones.")
    if config.layer_normalised:
        raise SettingError("The equations are those without layer normalisation; these settings have it.")
    if config.n_parts > 1:
        raise SettingError("The equations are those of one training; these settings have several.")
    split = dataset.split(test_size=TEST_SIZE, seed=config.seed)
    if not 0 <= row < len(split.test):
        raise SettingError(f"There is no test row {row}; this split has {len(split.test)}, counted from 0.")
    stacked = prepare_stack(dataset, [split], [config], AT_THE_END, measure_test=True)
    outcome, rca, bca = None, None, None
    for (progress,) in train(stacked.specs, stacked.table):
        outcome = progress.outcome
        if progress.epoch is not None and progress.epoch.rca_test is not None:
            rca, bca = progress.epoch.rca_test, progress.epoch.bca_test
        tick()
    assert outcome is not None  # a training yields at least once
    encoder: Encoder = stacked.encoders[0]
    z_train, z_test = (encoder.normalise(encoder.transform(dataset.X.iloc[rows])) for rows in (split.train, split.test))
    classes = [str(name) for name in dataset.classes]
    true = classes.index(str(np.asarray(dataset.y)[split.test[row]]))
    model = _Model(outcome.weights)
    equations = _equations(model, z_train, z_test[row], config, true)
    features = [
        column.feature if column.category is None else f"{column.feature} = {column.category}" for column in encoder.columns
    ]
    about = {"row": row, "test_rows": len(split.test), "train_rows": len(split.train), "classes": classes, "features": features}
    merged = _of_merged(outcome.rules, z_test[row])
    return {**about, **equations, "merged_scores": merged, "rca": rca, "bca": bca}


class _Model:
    """Trained parameters in float64, batch normalisation apart: m, σ (R, D); b (R, C, D), b₀ (R, C); γ, β (R, D); ν, v (D,)."""

    def __init__(self, weights: "Weights") -> None:
        from tsk_core.model.batches import EPSILON

        (parameters, running), D = weights.numbers(), weights.shape.D
        self.variant = weights.shape.batch_norm if weights.normalised else "none"
        names = ("centers", "weights", "biases", "gamma", "beta")
        self.m, self.b, self.b0, gamma, beta = (getattr(parameters, name)[0].double().numpy() for name in names)
        self.s = parameters.sigmas()[0].numpy()
        self.nu, variance = (part[0].double().numpy() for part in (running.mean, running.variance))
        R = len(self.m)
        plain = self.variant == "none"
        self.gamma = np.ones((R, D)) if plain else np.broadcast_to(gamma, (R, D))
        self.beta = np.zeros((R, D)) if plain else np.broadcast_to(beta, (R, D))
        self.root = np.sqrt(variance + EPSILON) if self.variant != "none" else np.ones(D)
        self.nu = self.nu if self.variant != "none" else np.zeros(D)

    def normalised(self, x: np.ndarray) -> np.ndarray:
        """BN_r(x) of each rule, (…, R, D); x itself without batch normalisation."""
        return self.gamma * ((x[..., None, :] - self.nu) / self.root) + self.beta

    def z(self, x: np.ndarray) -> np.ndarray:
        """The exponent of each rule's firing level, (…, R, D), feature by feature."""
        u = self.normalised(x) if self.variant == "gbn" else x[..., None, :]
        return -((u - self.m) ** 2) / (2 * self.s**2)

    def firing(self, x: np.ndarray) -> np.ndarray:
        """The normalised firing levels, (…, R)."""
        levels: np.ndarray = softmax(self.z(x).sum(-1), axis=-1)
        return levels


def _equations(model: _Model, z_train: np.ndarray, x: np.ndarray, config: TrainConfig, true: int) -> dict[str, Any]:
    """Membership to UR, for one row x (D,)."""
    terms, firing = model.z(x), model.firing(x)
    strongest = np.argsort(-firing, kind="stable")[:SHOWN_RULES]
    y_r = (model.b * model.normalised(x)[:, None, :]).sum(-1) + model.b0  # (R, C)
    y = firing @ y_r
    probability = softmax(y)
    ranked = np.argsort(-y, kind="stable")[:2]
    rules = [_rule(model, x, terms[r], int(r), y_r[r], firing[r], ranked) for r in strongest]
    log_sum = float(np.logaddexp.reduce(terms.sum(-1)))
    return {
        "R": len(firing), "D": len(x), "C": len(y), "batch_norm": model.variant, "rules": rules,
        "log_sum_of_firing": log_sum, "ranked": ranked.tolist(), "true": true, "scores": y.tolist(),
        "probabilities": probability.tolist(), "cross_entropy": float(-np.log(max(probability[true], 1e-300))),
        "shared_rest": (y - sum(firing[r] * y_r[r] for r in strongest))[ranked].tolist(),
        "ur": _uniform_regularisation(model.firing(z_train).mean(0), config.ur_weight, len(y), strongest),
        "merge": None if model.variant == "none" else _merge(model, x, int(strongest[0]), int(ranked[0])),
    }  # fmt: skip


def _rule(
    model: _Model, x: np.ndarray, terms: np.ndarray, r: int, y_r: np.ndarray, firing: float, ranked: np.ndarray
) -> dict[str, Any]:
    """One rule: the features that count most in its exponent, its firing level and its outputs."""
    u = model.normalised(x)[r] if model.variant == "gbn" else x
    most = np.argsort(terms, kind="stable")[:SHOWN_FEATURES]
    features = [
        {"d": int(d) + 1, "x": float(u[d]), "m": float(model.m[r, d]), "sigma": float(abs(model.s[r, d])), "z": float(terms[d])}
        for d in most
    ]
    z = float(terms.sum())
    shown = {"r": r + 1, "features": features, "z_rest": z - float(terms[most].sum()), "z": z}
    return {**shown, "firing": float(firing), "y": [float(y_r[c]) for c in ranked]}


def _uniform_regularisation(mean: np.ndarray, weight: float, C: int, strongest: np.ndarray) -> dict[str, Any]:
    """λ Σ (mean f̄_r − τ)² with τ = 1/R, as the equation has it, and 1/C, as the text has it; they differ by a constant."""
    R = len(mean)
    loss = {name: float(((mean - tau) ** 2).sum()) for name, tau in (("1/R", 1 / R), ("1/C", 1 / C))}
    rules = [{"r": int(r) + 1, "mean": float(mean[r])} for r in strongest]
    return {"weight": float(weight), "rules": rules, "sum": loss, "constant": float(R * (1 / C - 1 / R) ** 2)}


def _merge(model: _Model, x: np.ndarray, r: int, c: int) -> dict[str, Any]:
    """The output of rule r for class c through BN, merged exactly, and merged as the paper prints it.

    The paper prints one γ and one β for all features, and "β D" where the bias takes Σ_d b_rd β_d in: with β of each feature,
    its formula reads Σ_d β_d.
    """
    b, gamma, beta = model.b[r, c], model.gamma[r], model.beta[r]
    weights = gamma * b / model.root
    shift = float((weights * model.nu).sum())
    exact, printed = (float(model.b0[r, c]) + term - shift for term in (float((b * beta).sum()), float(beta.sum())))
    direct = float(model.b0[r, c] + (b * model.normalised(x)[r]).sum())
    d = int(np.argmax(np.abs(weights)))
    feature = {
        "d": d + 1, "gamma": float(gamma[d]), "b": float(b[d]), "root": float(model.root[d]), "weight": float(weights[d]),
    }  # fmt: skip
    linear = float((weights * x).sum())
    return {
        "r": r + 1, "c": c, "b0": float(model.b0[r, c]), "b_beta": float((b * beta).sum()), "beta_d": float(beta.sum()),
        "shift": shift, "feature": feature, "bias": exact, "bias_printed": printed, "linear": linear,
        "through_bn": direct, "merged": exact + linear, "printed": printed + linear,
    }  # fmt: skip


def _of_merged(rules: "Rules", x: np.ndarray) -> list[float]:
    """The scores of the merged rules, as every prediction of the app uses them."""
    import torch

    from tsk_core.model import class_scores

    return class_scores(rules, torch.from_numpy(np.ascontiguousarray(x[None])))[0].tolist()
