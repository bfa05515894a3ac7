"""Slow, obvious code for the same formulas: the oracles of this folder. Loops and autograd, no cleverness."""

import math

import torch

EPSILON_BN = 1e-5


def firing_levels(u, centers, sigmas, kind, kept=None):
    """U (B, D), centers and sigmas (R, D) → (B, R), membership by membership. kept: (B, R) bool, each row's rules."""
    if kept is not None:
        levels = torch.zeros(len(u), len(centers), dtype=u.dtype)
        for n, own in enumerate(kept):
            levels[n, own] = firing_levels(u[n : n + 1], centers[own], sigmas[own], kind)[0]
        return levels
    B, D = u.shape
    rows = []
    for n in range(B):
        z = []
        for r in range(len(centers)):
            exponent = 0.0
            for d in range(D):
                exponent = exponent - (u[n, d] - centers[r, d]) ** 2 / (2 * sigmas[r, d] ** 2)
            z.append(exponent)
        z = torch.stack(z)
        if kind == "paper":
            rows.append(torch.exp(z) / (torch.exp(z).sum() + 1e-8))
        elif kind == "log":
            rows.append(1 / (1e-3 - z) / (1 / (1e-3 - z)).sum())
        else:
            rows.append(torch.softmax(z / {"softmax": 1, "htsk": D, "scaled": math.sqrt(D)}[kind], 0))
    return torch.stack(rows)


def sigmas_of(model):
    """σ; a model with the key "inverse" has 1/σ for its widths."""
    return 1 / model["widths"] if model.get("inverse") else model["widths"]


def forward(x, model, batch_norm, kind, statistics=None, kept=None):
    """Class scores (B, C) and firing levels (B, R) of one model.

    model: dict of one model's tensors. statistics: (mean, variance) in inference, None takes the batch's own.
    """
    if batch_norm == "none":
        return _output(x, x.expand(len(model["centers"]), *x.shape), model, kind, kept)
    mean, variance = statistics or (x.mean(0), x.var(0, unbiased=False))
    x0 = (x - mean) / torch.sqrt(variance + EPSILON_BN)
    xhat = [x0 * g + b for g, b in zip(model["gamma"], model["beta"], strict=True)]
    per_rule = torch.stack(xhat if batch_norm == "rbn" else xhat * len(model["centers"]))
    return _output(per_rule[0] if batch_norm == "gbn" else x, per_rule, model, kind, kept)


def score_weights(firing, model, kept=None):
    """f̃ (B, R) of layer normalisation with ReLU; the firing levels (B, R) themselves for a model without it."""
    if not model["scale"].numel():
        return firing
    normalised = torch.nn.functional.layer_norm(firing, firing.shape[1:], eps=1e-5)
    weights = torch.relu(model["scale"] * normalised + model["shift"])
    return weights if kept is None else weights * kept


def _output(u, xhat, model, kind, kept):
    firing = firing_levels(u, model["centers"], sigmas_of(model), kind, kept)
    weights = score_weights(firing, model, kept)
    scores = 0.0
    for r in range(len(model["centers"])):
        y_r = model["biases"][r].expand(len(u), -1)
        if model["weights"].shape[-1]:
            y_r = y_r + xhat[r] @ model["weights"][r].T
        scores = scores + weights[:, r : r + 1] * y_r
    return scores, firing


def loss(x, y, model, batch_norm, kind, ur_weight, tau, l2, shrinkage, sharpness, covering, l1, class_weight, row_weight, kept):
    """The weighted parts of the loss: cross-entropy, L2, UR, shrinkage, sharpness, covering, L1."""
    scores, firing = forward(x, model, batch_norm, kind, kept=kept)
    total, weights = 0.0, 0.0
    for n in range(len(x)):
        weight = (1.0 if class_weight is None else class_weight[y[n]]) * (1.0 if row_weight is None else row_weight[n])
        total = total - weight * torch.log_softmax(scores[n], 0)[y[n]]
        weights = weights + weight
    cross_entropy = total / weights
    uniform = sum((firing[:, r].mean() - tau) ** 2 for r in range(firing.shape[1]))
    shared = model["weights"].mean(0)
    spread = sum(((weights - shared) ** 2).sum() for weights in model["weights"])
    consequents = model["weights"] if model["weights"].shape[-1] else model["biases"]
    u = antecedent_inputs(x, model, batch_norm)
    divisor = {"softmax": 1, "paper": 1, "log": 1, "htsk": x.shape[1], "scaled": math.sqrt(x.shape[1])}[kind]
    sharp, distance = 0.0, 0.0
    for n in range(len(x)):
        for r in range(firing.shape[1]):
            if kept is not None and not kept[n, r]:
                continue
            sharp = sharp - firing[n, r] * torch.log(firing[n, r]) / len(x)
            squares = ((u[n] - model["centers"][r]) ** 2 / (2 * sigmas_of(model)[r] ** 2)).sum() / divisor
            distance = distance + firing[n, r] * squares / len(x)
    thin = (1 / sigmas_of(model)).abs().sum()
    penalties = ur_weight * uniform, shrinkage * spread, sharpness * sharp, covering * distance, l1 * thin
    return cross_entropy, l2 * (consequents**2).sum(), *penalties


def antecedent_inputs(x, model, batch_norm):
    """What the antecedents see in training: the features, or under "gbn" what batch normalisation gives."""
    if batch_norm != "gbn":
        return x
    x0 = (x - x.mean(0)) / torch.sqrt(x.var(0, unbiased=False) + EPSILON_BN)
    return x0 * model["gamma"][0] + model["beta"][0]


def entropy(firing):
    """E = −Σ f̄ log f̄ of each row."""
    return [-sum(f * math.log(f) for f in row if f > 0) for row in firing.tolist()]
