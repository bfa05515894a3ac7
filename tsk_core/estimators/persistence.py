"""A model on disk: a folder with model.safetensors (the rules' numbers) and model.json (everything else). Never pickle.

Both files may come from a stranger, so only the keys, shapes and kinds listed here are accepted.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors

from tsk_core.config import TrainConfig
from tsk_core.data.clean import CleaningPipeline
from tsk_core.data.encoding import Encoder
from tsk_core.data.naming import printed, quoted
from tsk_core.errors import ModelFileError, TSKError
from tsk_core.estimators.fitted import FittedModel
from tsk_core.explain import Summaries
from tsk_core.explain.shapes import check
from tsk_core.model import Rules
from tsk_core.model.firing import epsilons
from tsk_core.runtime import replace_file

FORMAT, VERSION = "tsk-model", 1
MOST_BYTES = 200_000_000
_TENSORS = ("log_weights", "centers", "sigmas", "weights", "biases")
_LAYER = ("scale", "shift")  # beside them where it has layer normalisation
_LABELS = {"b": "bool", "U": "str", "O": "object", "T": "str"}  # of numbers their dtype's name
_WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_LABEL_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(_WHOLE, (int,)), **dict.fromkeys(("float16", "float32", "float64"), (int, float)),
    "bool": (bool,), "str": (str,), "object": (str,),
}  # fmt: skip
# What is not named here checks itself: TrainConfig, Encoder, CleaningPipeline and Summaries.
_SHAPES = {"epsilon": float, "best_epoch": int, "stop_message": str, "classes": {"kind": str, "values": list}}
_KEYS = {"format", "version", "config", "encoder", *_SHAPES}
_OPTIONAL = {"cleaning", "summaries", "log_prior"}


def save(model: FittedModel, folder: Path, texts: Summaries | None) -> None:
    """Write both files into ``folder`` (made where missing), each whole or not at all. texts: its readable rules.

    Raises ModelFileError where they cannot be written.
    """
    description = {
        "format": FORMAT,
        "version": VERSION,
        "config": model.config.to_dict(),
        "encoder": model.encoder.to_dict(),
        "classes": {"kind": _LABELS.get(model.classes.dtype.kind, model.classes.dtype.name), "values": model.classes.tolist()},
        "epsilon": model.rule_base.epsilon,
        "best_epoch": model.best_epoch,
        "stop_message": model.stop_message,
    }
    if model.log_prior is not None:
        description["log_prior"] = model.log_prior.tolist()
    if model.cleaning is not None:
        description["cleaning"] = model.cleaning.to_dict()
    if texts is not None:
        description["summaries"] = texts.to_dict()
    tensors = {name: t.contiguous() for name, t in zip(_tensor_names(model.config), model.rule_base.tensors(), strict=True)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "model.safetensors", save_tensors(tensors))
        _write(folder / "model.json", json.dumps(description, ensure_ascii=False).encode())
    except OSError as error:
        raise ModelFileError(f"The model cannot be written to {folder.name!r}: {error.strerror or error}.") from error


def load(folder: Path) -> FittedModel:
    """Read a folder that ``save`` wrote; raises ModelFileError, in one sentence, for anything else."""
    try:
        description = _parsed(_read(folder / "model.json"))
        _check_version(description, folder)
        _check_keys(description)
        return _build(description, load_tensors(_read(folder / "model.safetensors")))
    except TSKError as error:
        raise ModelFileError(str(error)) from None
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ModelFileError(f"The model in {folder.name!r} is damaged or not a TSK model ({type(error).__name__}).") from None


def _build(description: dict[str, Any], tensors: dict[str, torch.Tensor]) -> FittedModel:
    config = TrainConfig.from_dict(description["config"])
    encoder = Encoder.from_dict(description["encoder"])
    classes = _classes(description["classes"])
    R, D, C = config.n_rules, len(encoder.columns), len(classes)
    names = _tensor_names(config)
    every = {"log_weights": (1, R), "centers": (1, R, D), "sigmas": (1, R, D), "weights": (1, R, C, D), "biases": (1, R, C)}
    every |= {name: (1, R) for name in _LAYER}
    shapes = {name: every[name] for name in names}
    if {name: tuple(t.shape) for name, t in tensors.items()} != shapes or any(t.dtype != torch.float64 for t in tensors.values()):
        raise ModelFileError("The model's numbers do not fit its description: expected float64 tensors of its R, D and C.")
    epsilon, log_epsilon = epsilons(config.firing)
    if description["epsilon"] != epsilon:
        raise ModelFileError("The model's epsilon does not fit its setting firing.")
    log_weights, centers, sigmas, weights, biases, *layer = (tensors[name] for name in names)
    rules = Rules(log_weights, centers, sigmas, weights, biases, epsilon, log_epsilon, *layer)
    if not rules.is_finite() or not bool((rules.sigmas > 0).all()):
        raise ModelFileError("The model holds numbers that are not finite, or widths that are not positive.")
    if description["best_epoch"] < 0:
        raise ModelFileError("The model's best_epoch is negative.")
    best_epoch, stop_message = description["best_epoch"], description["stop_message"]
    return FittedModel(
        config, encoder, classes, rules, best_epoch, stop_message,
        cleaning=_cleaning(description, encoder), kept_texts=_summaries(description, encoder, classes, R),
        log_prior=_log_prior(description, C),
    )  # fmt: skip


def _tensor_names(config: TrainConfig) -> tuple[str, ...]:
    return (*_TENSORS, *_LAYER) if config.layer_normalised else _TENSORS


def _parsed(content: bytes) -> Any:
    """JSON without halves of characters, which cannot be written to a file again."""
    text = content.decode()
    value = json.loads(text)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _check_keys(description: dict[str, Any]) -> None:
    unknown, missing = sorted(set(description) - _KEYS - _OPTIONAL), sorted(_KEYS - set(description))
    if unknown or missing:
        name, fault = (unknown[0], "an unknown") if unknown else (missing[0], "no")
        raise ModelFileError(f"The model's description has {fault} key {quoted(name)}.")
    for name, shape in _SHAPES.items():
        try:
            check(description[name], shape)
        except ValueError:
            raise ModelFileError(f"The model's {name} is malformed.") from None


def _classes(labels: dict[str, Any]) -> np.ndarray:
    """The class labels (C,), sorted and distinct as ``fit`` leaves them."""
    kind, values = labels["kind"], labels["values"]
    allowed = _LABEL_TYPES.get(kind, ())
    if len(values) < 2 or not all(type(v) in allowed and (isinstance(v, str) or math.isfinite(v)) for v in values):
        raise ModelFileError("The model's classes are malformed: expected at least two labels of one kind.")
    classes = np.array(values, dtype=None if kind == "str" else kind)
    if not np.array_equal(np.unique(classes), classes):
        raise ModelFileError("The model's classes are malformed: expected sorted labels, none of them twice.")
    return classes


def _cleaning(description: dict[str, Any], encoder: Encoder) -> CleaningPipeline | None:
    """The cleaning pipeline; None in a model that was fitted without one."""
    if description.get("cleaning") is None:
        return None
    cleaning = CleaningPipeline.from_dict(description["cleaning"])
    if cleaning.feature_names != encoder.features or not encoder.named:
        raise ModelFileError("The model's cleaning does not fit its description: it makes different features.")
    return cleaning


def _log_prior(description: dict[str, Any], n_classes: int) -> np.ndarray | None:
    """What class weights add to probabilities, (C,); None in a model that was trained without them."""
    if (values := description.get("log_prior")) is None:
        return None
    try:
        check(values, (float,) * n_classes)
    except ValueError:
        raise ModelFileError("The model's log_prior is malformed: expected a number for each class.") from None
    return np.array(values, dtype=float)


def _summaries(description: dict[str, Any], encoder: Encoder, classes: np.ndarray, n_rules: int) -> Summaries | None:
    """The readable rules; None in a model that was saved without them."""
    if description.get("summaries") is None:
        return None
    try:
        summaries = Summaries.from_dict(description["summaries"])
    except (KeyError, TypeError, ValueError):
        raise ModelFileError("The model's readable rules are malformed.") from None
    if not summaries.fit(n_rules, encoder.features, [printed(c) for c in classes.tolist()]):
        raise ModelFileError("The model's readable rules do not fit its description: rules, features or classes differ.")
    return summaries


def _check_version(description: Any, folder: Path) -> None:
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise ModelFileError(f"{folder.name!r} does not hold a TSK model.")
    if description.get("version") != VERSION:
        raise ModelFileError(
            f"The model in {folder.name!r} has format version {quoted(description.get('version'))}; this program reads version"
            f" {VERSION}. Use the program that wrote it, or train again."
        )


def _read(path: Path) -> bytes:
    if not path.is_file():
        lack = f"lacks {path.name}, so it is not a saved model" if path.parent.is_dir() else "does not exist"
        raise ModelFileError(f"The folder {path.parent.name!r} {lack}.")
    if path.stat().st_size > MOST_BYTES:
        raise ModelFileError(f"{path.name} is larger than {MOST_BYTES // 10**6} MB and is not read.")
    return path.read_bytes()


def _write(path: Path, content: bytes) -> None:
    replace_file(path, lambda aside: aside.write_bytes(content))
