"""A rule base that a training starts from, as the parameters of a model: its columns and classes found in the table by name.

The rule base is a dictionary of format "tsk-rules" in original units (``TSKClassifier.to_dict``, ``read_rule_base``). A training
starts with its conditions and consequents over normalised inputs, so that before the first step, without batch normalisation, it
predicts as the rule base does. Columns of the table that the rule base has not get neither conditions nor slopes.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Column, Encoder
from tsk_core.data.naming import identifier, listed, printed, quoted
from tsk_core.errors import DataError
from tsk_core.model import Rules
from tsk_core.model.firing import firing_temperature

__all__ = ["starting_rules"]

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
