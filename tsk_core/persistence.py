"""A model on disk: a folder with model.safetensors (the rules' numbers) and model.json (everything else). Never pickle.

Both files may come from a stranger, so only the keys, shapes and kinds listed here are accepted.
"""

import json
from dataclasses import dataclass
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
from tsk_core.data.naming import printed
from tsk_core.errors import ModelFileError, TSKError
from tsk_core.explain import Summaries
from tsk_core.model import Rules

__all__ = ["FORMAT", "VERSION", "SavedModel", "load", "save"]

FORMAT, VERSION = "tsk-model", 1
MOST_BYTES = 200_000_000
_TENSORS = ("log_weights", "centers", "sigmas", "weights", "biases")
_LABELS = {"i": "int64", "u": "int64", "f": "float64", "b": "bool", "U": "str", "O": "object", "T": "str"}


@dataclass(frozen=True, eq=False)
class SavedModel:
    """The saved parts of a fitted classifier. classes: (C,). The other fields are its attributes."""

    config: TrainConfig
    encoder: Encoder
    classes: np.ndarray
    rules: Rules
    best_epoch: int
    stop_message: str
    cleaning: CleaningPipeline | None = None
    summaries: Summaries | None = None


def save(model: SavedModel, folder: Path) -> None:
    """Write both files into ``folder`` (made where missing), each whole or not at all."""
    description = {
        "format": FORMAT,
        "version": VERSION,
        "config": model.config.to_dict(),
        "encoder": model.encoder.to_dict(),
        "classes": {"kind": _LABELS[model.classes.dtype.kind], "values": model.classes.tolist()},
        "epsilon": model.rules.epsilon,
        "best_epoch": model.best_epoch,
        "stop_message": model.stop_message,
    }
    if model.cleaning is not None:
        description["cleaning"] = model.cleaning.to_dict()
    if model.summaries is not None:
        description["summaries"] = model.summaries.to_dict()
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: t.contiguous() for name, t in zip(_TENSORS, model.rules.tensors(), strict=True)}
    _write(folder / "model.safetensors", save_tensors(tensors))
    _write(folder / "model.json", json.dumps(description, ensure_ascii=False).encode())


def load(folder: Path) -> SavedModel:
    """Read a folder that ``save`` wrote; raises ModelFileError, in one sentence, for anything else."""
    try:
        description = json.loads(_read(folder / "model.json"))
        _check_version(description, folder)
        return _build(description, load_tensors(_read(folder / "model.safetensors")))
    except TSKError as error:
        raise ModelFileError(str(error)) from None
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFileError(f"The model in {folder.name!r} is damaged or not a TSK model ({type(error).__name__}).") from None


def _build(description: dict[str, Any], tensors: dict[str, torch.Tensor]) -> SavedModel:
    config = TrainConfig.from_file(description["config"])
    encoder = Encoder.from_dict(description["encoder"])
    labels = description["classes"]
    if labels["kind"] not in _LABELS.values():
        raise ValueError("unknown kind of class labels")
    classes = np.array(labels["values"], dtype=None if labels["kind"] == "str" else labels["kind"])
    R, D, C = config.n_rules, len(encoder.columns), len(classes)
    shapes = {"log_weights": (1, R), "centers": (1, R, D), "sigmas": (1, R, D), "weights": (1, R, C, D), "biases": (1, R, C)}
    if {name: tuple(t.shape) for name, t in tensors.items()} != shapes or any(t.dtype != torch.float64 for t in tensors.values()):
        raise ModelFileError("The model's numbers do not fit its description: expected float64 tensors of its R, D and C.")
    rules = Rules(*(tensors[name] for name in _TENSORS), float(description["epsilon"]))
    if not rules.is_finite():
        raise ModelFileError("The model holds numbers that are not finite.")
    best_epoch, stop_message = int(description["best_epoch"]), str(description["stop_message"])
    optional = _cleaning(description, encoder), _summaries(description, encoder, classes, R)
    return SavedModel(config, encoder, classes, rules, best_epoch, stop_message, *optional)


def _cleaning(description: dict[str, Any], encoder: Encoder) -> CleaningPipeline | None:
    """The cleaning pipeline; None in a model that was fitted without one, or saved by an older version."""
    if description.get("cleaning") is None:
        return None
    cleaning = CleaningPipeline.from_dict(description["cleaning"])
    if cleaning.feature_names != encoder.features:
        raise ModelFileError("The model's cleaning does not fit its description: it makes other features.")
    return cleaning


def _summaries(description: dict[str, Any], encoder: Encoder, classes: np.ndarray, n_rules: int) -> Summaries | None:
    """The readable rules; None in a model that was saved without them, or by an older version."""
    if description.get("summaries") is None:
        return None
    try:
        summaries = Summaries.from_dict(description["summaries"])
    except (KeyError, TypeError, ValueError):
        raise ModelFileError("The model's readable rules are malformed.") from None
    if not summaries.fit(n_rules, encoder.features, [printed(c) for c in classes.tolist()]):
        raise ModelFileError("The model's readable rules do not fit its description: they have other rules, features or classes.")
    return summaries


def _check_version(description: Any, folder: Path) -> None:
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise ModelFileError(f"{folder.name!r} does not hold a TSK model.")
    if description.get("version") != VERSION:
        raise ModelFileError(
            f"The model in {folder.name!r} has format version {description.get('version')!r}; this program reads version"
            f" {VERSION}. Use the program that wrote it, or train again."
        )


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise ModelFileError(f"The model folder lacks {path.name}.")
    if path.stat().st_size > MOST_BYTES:
        raise ModelFileError(f"{path.name} is larger than {MOST_BYTES // 10**6} MB and is not read.")
    return path.read_bytes()


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)
