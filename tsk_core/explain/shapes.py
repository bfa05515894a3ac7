"""Whether JSON values from an untrusted file have the shape that they should have: their keys and kinds, and nothing else."""

import math
from types import UnionType
from typing import Any, NamedTuple


class OrNull(NamedTuple):
    """Allows null besides a shape."""

    shape: Any


def check(value: object, shape: Any) -> None:
    """Raise ValueError unless ``value`` has the shape.

    shape: a type, or several as in ``float | None``; float is any finite number. [shape]: a list of any length. (shape, shape):
    a list with one element for each. {"a": shape}: a dictionary of exactly these keys. {str: shape}: one of any keys.
    """
    if not _fits(value, shape):
        raise ValueError(f"Expected values of the shape {shape}.")


def _fits(value: object, shape: Any) -> bool:
    match shape:
        case OrNull():
            return value is None or _fits(value, shape.shape)
        case UnionType():
            return any(_fits(value, kind) for kind in shape.__args__)
        case list():
            return isinstance(value, list) and all(_fits(each, shape[0]) for each in value)
        case tuple():
            return isinstance(value, list) and len(value) == len(shape) and all(map(_fits, value, shape))
        case dict() if str in shape:
            return isinstance(value, dict) and all(_fits(each, shape[str]) for each in value.values())
        case dict():
            return isinstance(value, dict) and value.keys() == shape.keys() and all(_fits(value[k], shape[k]) for k in shape)
    if shape is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return type(value) is shape
