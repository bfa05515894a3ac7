"""Initial parameters: from the data and the run's generator, or from a rule base that the training starts from.

"class-kmeans" starts where every rule speaks for one class: centres are clusters of a class's rows, σ = √D, constants are 1 for
the class and −1 for the others, slopes 0. Nothing is drawn then but the clusters.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, NamedTuple, TypedDict

import numpy as np
import torch
from sklearn.cluster import KMeans
from threadpoolctl import ThreadpoolController
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.data.encoded_columns import Column
from tsk_core.data.encoding import Encoder
from tsk_core.data.naming import identifier, listed, printed, quoted
from tsk_core.data.splitting import drawn_rows
from tsk_core.errors import DataError
from tsk_core.model import NO_ANTECEDENT, Parameters, Rules
from tsk_core.model.firing import firing_temperature
from tsk_core.train.spec import StackMember
from tsk_core.train.table import Table

# Columns that say nothing in the rows that a model trains on, or next to nothing: constant, or but for one row in a thousand.
#
# A constant column must have no effect on any row, whatever new rows have there: its slopes are 0 and its antecedents are left
# out, before training and after. Without this, batch normalisation would divide by √(0 + ε) and multiply an untrained slope by
# 316.
#
# A nearly constant one takes effect by what training taught: its slopes start at 0. In a batch of B rows no standardised value
# exceeds √(B − 1) (Samuelson's inequality); v is kept so large that no training row's does afterwards, either.


RARE = 1000  # nearly constant: at most one row in so many has another value


class Spread(NamedTuple):
    """The columns of a stack by model, (M, D) each. constant, rare: bool. farthest: the largest |x|, float32."""

    constant: Tensor
    rare: Tensor
    farthest: Tensor

    def take(self, models: list[int]) -> "Spread":
        """The given models of the stack."""
        return Spread(*(part[models] for part in self))

    def least_variance(self, batch_size: int) -> Tensor | None:
        """What the running variance never falls below; None where no column is nearly constant."""
        if not bool(self.rare.any()):
            return None
        return torch.where(self.rare, self.farthest.square() / max(1, batch_size - 1), 0.0)


def spread_of(members: Sequence[StackMember], table: Table) -> Spread:
    """Of the training rows of each member; found once for members that share them."""
    found: dict[bytes, Spread] = {}
    keys = [member.rows.tobytes() for member in members]
    for key, member in zip(keys, members, strict=True):
        if key not in found:
            found[key] = _of_rows(table.x, torch.from_numpy(np.sort(member.rows)).to(table.x.device))
    return Spread(*(torch.stack(parts) for parts in zip(*(found[key] for key in keys), strict=True)))


def _of_rows(x: Tensor, rows: Tensor) -> Spread:
    N, D = len(rows), x.shape[1]
    constant, rare = (torch.zeros(D, dtype=torch.bool, device=x.device) for _ in range(2))
    farthest = torch.zeros(D, dtype=x.dtype, device=x.device)
    for d in range(D):  # one by one, to save the memory of a second table
        column = x[:, d].index_select(0, rows)
        others = int((column != column[0]).sum())
        constant[d] = others == 0
        if others and N >= RARE and min(others, N - others) <= N // RARE:
            rare[d] = int((column != column.median()).sum()) <= N // RARE
            farthest[d] = column.abs().max()
    return Spread(constant, rare, farthest)


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


# A rule base that a training starts from, as the parameters of a model: its columns and classes found in the table by name.
#
# The rule base is a dictionary of format "tsk-rules" in original units (``TSKClassifier.to_dict``, ``read_rule_base``). A
# training starts with its conditions and consequents over normalised inputs, so that before the first step, without batch
# normalisation, it predicts as the rule base does. Columns of the table that the rule base has not get neither conditions nor
# slopes.


_LARGEST = 1e15  # of a number over normalised inputs; a training's numbers are of 32 bits


def starting_rules(config: TrainConfig, encoder: Encoder, classes: Iterable[object]) -> Rules | None:
    """The rules of ``config.rule_base`` over the encoder's normalised columns, one model; None where it has none.

    classes: the C labels of the table, sorted. Raises DataError where the rule base does not fit the table or the settings.
    """
    if config.rule_base is None:
        return None
    base, labels = json.loads(config.rule_base), [printed(name) for name in classes]
    try:
        centers, sigmas, consequents = _arrays(base)
        layer = _layer(base)
        columns = _positions(base["columns"], encoder)
        order = _class_order([str(name) for name in base["classes"]], labels)
        _check(base, consequents, config)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError("The rule base is damaged: it is not what TSKClassifier.to_dict or read_rule_base returns.") from None
    R, D = len(centers), len(encoder.columns)
    all_centers, all_sigmas = np.zeros((R, D)), np.full((R, D), np.inf)
    all_centers[:, columns], all_sigmas[:, columns] = centers, sigmas
    weights = np.zeros((R, len(labels), D))
    weights[:, :, columns] = consequents[:, order, 1:]
    arrays = np.zeros(R), all_centers, all_sigmas, weights, consequents[:, order, 0]
    log_weights, m, sigma, slopes, constants = (torch.from_numpy(array)[None] for array in arrays)
    mean, scale = torch.from_numpy(encoder.mean_), torch.from_numpy(encoder.scale_)
    rules = Rules(log_weights, m, sigma, slopes, constants, 0.0, 0.0, *layer).in_units(-mean / scale, 1 / scale)
    rules.centers = torch.where(rules.sigmas.isinf(), 0.0, rules.centers)
    rules.sigmas = rules.sigmas / firing_temperature(config.firing, D) ** 0.5
    known = (rules.centers, rules.weights, rules.biases, rules.sigmas[rules.sigmas.isfinite()])
    if not all(bool((part.abs() <= _LARGEST).all()) for part in known):
        raise DataError("The rule base has a number that is far larger than the values of its column in the table.")
    return rules


def _arrays(base: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centres (R, D'), 0 without a condition; σ (R, D'), inf there; consequents (R, C, D' + 1)."""
    if base["format"] != "tsk-rules" or base["version"] != 1:
        raise DataError("The rule base is not of format 'tsk-rules', version 1.")
    rules, shape = base["rules"], (len(base["columns"]), len(base["classes"]))
    given = [[[np.inf if value is None else value for value in rule["sigmas"]] for rule in rules], [r["centers"] for r in rules]]
    sigmas = np.abs(np.array(given[0], float))
    centers = np.array([[0.0 if value is None else value for value in row] for row in given[1]], float)
    consequents = np.array([rule["consequents"] for rule in rules], float)
    expected = (len(rules), shape[0]), (len(rules), shape[0]), (len(rules), shape[1], shape[0] + 1)
    if (centers.shape, sigmas.shape, consequents.shape) != expected:
        raise DataError(f"The rules do not fit {shape[0]} columns and {shape[1]} classes.")
    if not (np.isfinite(centers).all() and np.isfinite(consequents).all() and not np.isnan(sigmas).any() and sigmas.all()):
        raise DataError("The rule base has a number that is not finite, or a width of 0.")
    return centers, sigmas, consequents


def _layer(base: Mapping[str, Any]) -> tuple[torch.Tensor, ...]:
    """γ and β of layer normalisation, (1, R) each, where the rule base has it."""
    if base["normalisation"]["kind"] != "layer-relu":
        return ()
    numbers = [[rule[name] for rule in base["rules"]] for name in ("scale", "shift")]
    layer = torch.tensor(numbers, dtype=torch.float64, device="cpu")
    if not bool((layer.abs() <= _LARGEST).all()):
        raise DataError("The rule base has a number of its layer normalisation that is far too large, or not finite.")
    return tuple(layer.unsqueeze(1))


def _positions(columns: Sequence[Mapping[str, Any]], encoder: Encoder) -> list[int]:
    """Where the table has each of the rule base's columns."""
    names = [_name(column) for column in encoder.columns]
    found = []
    for column in columns:
        name = _name(Column(column["feature"], column["kind"], column["category"], 0.0))
        at = _find(name, names)
        if at is None:
            raise DataError(f"The rule base has the input {quoted(name)}, which the table lacks; the table has {listed(names)}.")
        if at in found:
            raise DataError(f"The rule base has two inputs for {quoted(names[at])}; give each its own name.")
        levels = encoder.columns[at].levels
        if (known := column.get("levels")) is not None and tuple(known) != (levels or ()):
            raise DataError(f"The ordered categories of {quoted(name)} differ between the table and the rule base.")
        found.append(at)
    return found


def _name(column: Column) -> str:
    return column.feature if column.kind == "number" else f"{column.feature} is {column.category}"


def _find(name: str, names: Sequence[str]) -> int | None:
    """The position of the name itself, or else of the only one that is the same identifier; None where there is none."""
    if name in names:
        return names.index(name)
    alike = [at for at, known in enumerate(names) if identifier(known) == identifier(name)]
    return alike[0] if len(alike) == 1 else None


def _class_order(given: Sequence[str], classes: Sequence[str]) -> list[int]:
    """For each class of the table, which class of the rule base it is."""
    found = {name: _find(name, classes) for name in given}
    unknown = [name for name, at in found.items() if at is None]
    if unknown:
        raise DataError(
            f"The rule base has the class {quoted(unknown[0])}, which the table lacks; the table has {listed(classes)}."
        )
    if missing := [name for at, name in enumerate(classes) if at not in found.values()]:
        raise DataError(f"The rule base has no output for the class {quoted(missing[0])}; it needs one for each class.")
    if len(given) != len(classes):
        raise DataError(f"The rule base has {len(given)} outputs for {len(classes)} classes; it needs one for each class.")
    where = {at: k for k, at in enumerate(found.values())}
    return [where[at] for at in range(len(classes))]


def _check(base: Mapping[str, Any], consequents: np.ndarray, config: TrainConfig) -> None:
    """DataError where these settings cannot have these rules."""
    weights = np.array([rule.get("log_weight", 0.0) for rule in base["rules"]], float)
    kind = base["normalisation"]["kind"]
    if (kind == "layer-relu") != config.layer_normalised:
        has = "has layer normalisation" if kind == "layer-relu" else "has no layer normalisation"
        wanted = "relu, with linear consequents," if kind == "layer-relu" else "none"
        raise DataError(f"The rule base {has}; set layer_norm to {wanted} to start from it.")
    if kind == "layer-relu":
        kind = base["normalisation"]["of"]["kind"]
    counts = kind in ("paper", "log")  # a weight that all rules share; with softmax it cancels out
    if np.ptp(weights) > 1e-9 or (counts and weights.any()) or not np.isfinite(weights).all():
        raise DataError("The rules of the rule base have weights, which training does not have; leave out log_weight.")
    if kind != (config.firing if config.firing in ("paper", "log") else "softmax"):
        fitting = kind if kind in ("paper", "log") else "softmax, htsk or scaled"
        raise DataError(
            f"The rule base normalises firing levels differently from firing {config.firing}; set firing to {fitting}."
        )
    if consequents[:, :, 1:].any() and not config.has_slopes:
        raise DataError("The rule base has linear consequents; set consequents to linear.")
