"""Initial parameters: centres from the data, widths and consequents from the run's generator.

"class-kmeans" starts where every rule speaks for one class: centres are clusters of a class's rows, σ = √D, constants are 1 for
the class and −1 for the others, slopes 0. Nothing is drawn then but the clusters.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from sklearn.cluster import KMeans
from threadpoolctl import ThreadpoolController

from tsk_core.data.some_rows import drawn_rows
from tsk_core.model import NO_ANTECEDENT, Parameters, Rules
from tsk_core.train.spec import StackMember
from tsk_core.train.spread import Spread, spread_of
from tsk_core.train.table import Table

__all__ = [
    "Centers",
    "class_centers",
    "fuzzy_c_means",
    "fuzzy_memberships",
    "initial_centers",
    "initialise_stack",
    "sampled_rows",
]

MOST_ROWS = 20_000  # more rows cost time and gain nothing


class Kind(TypedDict):
    """Of a tensor that is made."""

    dtype: torch.dtype
    device: str


class Centers(NamedTuple):
    """Initial centres, (R, D). classes: of the rules, (R,) int; None where a rule does not begin with a class."""

    values: np.ndarray
    classes: np.ndarray | None = None


def initialise_stack(
    p: Parameters, members: list[StackMember], table: Table, generators: list[torch.Generator], spread: Spread | None = None
) -> None:
    """Fill a whole stack. Centres are found once for members that share rows, seed and init, with all of torch's threads.

    Centres by ``init``; σ ~ N(1, 0.2²) clipped to ≥ 0.05; b_0 = 0; b ~ U(−1, 1). The draws do not depend on the
    batch-normalisation variant, so variants of one seed start alike. Columns without spread have neither antecedents nor slopes;
    where they are nearly constant, slopes start at 0. spread: of ``spread_of``, where it is known.
    """
    spread = spread_of(members, table) if spread is None else spread
    rows = [sampled_rows(member.rows, member.seed) for member in members]
    keys = [(part.tobytes(), member.config.init, member.seed) for part, member in zip(rows, members, strict=True)]
    tasks = {key: part for key, part, member in zip(keys, rows, members, strict=True) if member.start is None}

    def find(key: tuple[bytes, str, int]) -> Centers:
        at = torch.from_numpy(tasks[key])
        x, (_, init, seed) = table.x[at].double().cpu().numpy(), key
        if init == "class-kmeans":
            return class_centers(x, table.y[at].cpu().numpy(), p.shape.R, seed)
        return Centers(initial_centers(x, p.shape.R, init, seed))

    with _one_thread(), ThreadPoolExecutor(torch.get_num_threads()) as pool:
        found = dict(zip(tasks, pool.map(find, tasks), strict=True))
    for model, (key, generator) in enumerate(zip(keys, generators, strict=True)):
        constant = spread.constant[model].cpu()
        if (start := members[model].start) is not None:
            _start_from(p, model, start)  # with its antecedents, which may tell rules apart by what the rows do not show
        else:
            _fill(p, model, found[key], generator, members[model].initial_width)
            p.widths[model][:, constant] = 0 if p.shape.inverse_widths else NO_ANTECEDENT
            p.weights[model][..., spread.rare[model].cpu()[: p.shape.n_slopes]] = 0
        p.weights[model][..., constant[: p.shape.n_slopes]] = 0


def _fill(p: Parameters, model: int, centers: Centers, generator: torch.Generator, width: float = 1.0) -> None:
    s, kind = p.shape, Kind(dtype=torch.float32, device="cpu")  # whatever torch's defaults are in this process
    p.centers[model] = torch.from_numpy(centers.values)
    if centers.classes is None:
        sigmas = (1 + 0.2 * torch.randn(s.R, s.D, generator=generator, **kind)).clamp_(min=0.05)
        p.weights[model] = torch.rand(s.R, s.C, s.n_slopes, generator=generator, **kind) * 2 - 1
        p.biases[model] = 0
    else:
        sigmas = torch.full((s.R, s.D), s.D**0.5, **kind)
        p.weights[model] = 0
        p.biases[model] = 2 * torch.nn.functional.one_hot(torch.from_numpy(centers.classes), s.C).float() - 1
    sigmas *= width
    p.widths[model] = sigmas.reciprocal() if s.inverse_widths else sigmas


def _start_from(p: Parameters, model: int, rules: Rules) -> None:
    """Fill one model of the stack with the rules of another one, over the same inputs."""
    sigmas = rules.sigmas[0].clamp(max=NO_ANTECEDENT)
    inverse = torch.where(rules.sigmas[0].isinf(), 0.0, rules.sigmas[0].reciprocal())
    p.centers[model], p.biases[model] = rules.centers[0].float(), rules.biases[0].float()
    p.widths[model] = (inverse if p.shape.inverse_widths else sigmas).float()
    p.weights[model] = rules.weights[0, :, :, : p.shape.n_slopes].float()
    if rules.layer:
        p.scale[model], p.shift[model] = torch.cat(rules.layer).float()


def sampled_rows(rows: np.ndarray, seed: int) -> np.ndarray:
    """The row numbers that clustering and records see: all, or ``MOST_ROWS`` of them drawn at random."""
    return drawn_rows(rows, MOST_ROWS, seed)


def class_centers(x: np.ndarray, y: np.ndarray, n_rules: int, seed: int) -> Centers:
    """Clusters within the classes; each class has rules in proportion to its rows, and at least one.

    With fewer rules than classes, the largest classes have one each. x: (N, D); y: (N,) class indices.
    """
    names, counts = np.unique(y, return_counts=True)
    largest = np.argsort(-counts, kind="stable")[:n_rules]
    names, counts = names[largest], counts[largest]
    shares = np.ones(len(names), int)
    for _ in range(n_rules - len(names)):  # the next rule goes where it stands for the most rows (D'Hondt)
        shares[np.argmax(counts / (shares + 1))] += 1
    centers = [initial_centers(x[y == name], share, "kmeans", seed) for name, share in zip(names, shares, strict=True)]
    return Centers(np.concatenate(centers), np.repeat(names, shares))


def initial_centers(x: np.ndarray, n_rules: int, init: str, seed: int) -> np.ndarray:
    """Rule centres (R, D). With fewer distinct rows than rules, the rest are rows drawn with replacement."""
    rng = np.random.default_rng(seed)
    distinct = _distinct_rows(x, n_rules)
    if len(distinct) <= n_rules:
        return np.concatenate([distinct, x[rng.integers(len(x), size=n_rules - len(distinct))]])
    if init == "random":
        return x[rng.choice(len(x), n_rules, replace=False)]
    with _one_thread():
        if init == "fcm":
            return fuzzy_c_means(x, n_rules, rng)
        centers: np.ndarray = KMeans(n_rules, random_state=seed, n_init=1).fit(x).cluster_centers_
        return centers


def _distinct_rows(x: np.ndarray, enough: int) -> np.ndarray:
    """The distinct rows of x, or some where there are more than ``enough``: sorting all takes a fifth of k-means' time."""
    first = np.unique(x[: 4 * enough], axis=0)
    return first if len(first) > enough else np.unique(x, axis=0)


def _one_thread() -> AbstractContextManager[object]:
    """A context in which BLAS and OpenMP use one thread: a second pool of threads beside torch's costs a factor of 10 to 200."""
    context: AbstractContextManager[object] = _controller().limit(limits=1)
    return context


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looks at every library of this process, which takes 3 ms


def fuzzy_c_means(x: np.ndarray, n_clusters: int, rng: np.random.Generator, *, fuzzifier: float | None = None) -> np.ndarray:
    """Centres (K, D) of at most 100 steps of fuzzy c-means (Bezdek 1981).

    Without a fuzzifier, it follows Yu, Cheng, Huang (2004), q/(q − 2) with q = min(N, D − 1): at the usual 2, all centres
    collapse onto the mean in high dimension. It is 2 where that is undefined.
    """
    q = min(len(x), x.shape[1] - 1)
    fuzzifier = fuzzifier or (q / (q - 2) if q >= 3 else 2.0)
    centers = x[rng.choice(len(x), n_clusters, replace=False)].astype(float)
    x_norm = (x * x).sum(1, keepdims=True)
    for _ in range(100):
        membership = fuzzy_memberships(x, centers, fuzzifier, x_norm)
        moved: np.ndarray = membership.T @ x / membership.sum(0)[:, None]
        if np.abs(moved - centers).max() < 1e-5:
            return moved
        centers = moved
    return centers


def fuzzy_memberships(x: np.ndarray, centers: np.ndarray, fuzzifier: float, x_norm: np.ndarray | None = None) -> np.ndarray:
    """Membership of each row in each cluster of fuzzy c-means, raised to the fuzzifier, (N, K): a row's weight in a centre.

    x_norm: the squared lengths of the rows, (N, 1), where they are known.
    """
    x_norm = (x * x).sum(1, keepdims=True) if x_norm is None else x_norm
    squared = np.maximum(x_norm - 2 * x @ centers.T + (centers * centers).sum(1), 1e-12)  # (N, K)
    log_membership = -np.log(squared) / (fuzzifier - 1)
    membership: np.ndarray = np.exp(log_membership - log_membership.max(1, keepdims=True))
    membership /= membership.sum(1, keepdims=True)
    membership **= fuzzifier
    return membership
