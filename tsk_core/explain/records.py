"""Records as JSON values, and back from a file that may come from a stranger: dataclasses, by the types of their fields.

A record is an object of exactly these keys: its fields, by the names in its ``KEYS`` where JSON has other ones, and the
properties in its ``DERIVED``, which are written for other readers, and checked but not used. A tuple is a list. A dictionary is
an object; one by class is a list of [class, value] pairs, as JSON has no numbers for keys. A float is any finite number.
"""

import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np

Matrix = Annotated[np.ndarray, 2]  # with the number of its dimensions
Cube = Annotated[np.ndarray, 3]
Codec: TypeAlias = tuple[Callable[[Any], Any], Callable[[Any], Any]]  # value → JSON, and back
_ROWS = {2: tuple[tuple[float, ...], ...], 3: tuple[tuple[tuple[float, ...], ...], ...]}


def written(value: Any, kind: Any) -> Any:
    """A value of this type as JSON has it."""
    return _codec(kind)[0](value)


def read(value: Any, kind: Any) -> Any:
    """The value of this type that JSON has; ValueError where it has anything else."""
    return _codec(kind)[1](value)


@cache
def _codec(kind: Any) -> Codec:
    parts = get_args(kind)
    if NoneType in parts:
        write, get = _codec(*(one for one in parts if one is not NoneType))
        return (lambda value: None if value is None else write(value)), (lambda value: None if value is None else get(value))
    if is_dataclass(kind):
        return _of_record(kind)
    if hasattr(kind, "_fields"):
        write, get = _of_tuple(tuple(get_type_hints(kind).values()))
        return write, lambda value: kind(*get(value))
    if get_origin(kind) is tuple:
        return _of_tuple(parts)
    if get_origin(kind) is dict:
        return _of_pairs(*parts) if isinstance(parts[0], UnionType) else _of_object(*parts)
    if get_origin(kind) is Annotated:
        return np.ndarray.tolist, lambda value: _array(read(value, _ROWS[parts[1]]), parts[1])
    return _of_scalar(set(parts or (kind,)))


def _of_record(kind: Any) -> Codec:
    hints, keys = get_type_hints(kind, include_extras=True), getattr(kind, "KEYS", {})
    members = [(keys.get(field.name, field.name), field.name, *_codec(hints[field.name])) for field in fields(kind)]
    for name in getattr(kind, "DERIVED", ()):
        members.append((name, name, *_codec(get_type_hints(getattr(kind, name).fget)["return"])))
    used = {field.name for field in fields(kind)}

    def get(value: Any) -> Any:
        _check(isinstance(value, dict) and value.keys() == {key for key, *_ in members}, kind)
        found = {name: get_member(value[key]) for key, name, _, get_member in members}
        return kind(**{name: member for name, member in found.items() if name in used})

    return (lambda value: {key: write(getattr(value, name)) for key, name, write, _ in members}), get


def _of_tuple(parts: tuple[Any, ...]) -> Codec:
    endless = parts[-1] is Ellipsis
    writes, gets = zip(*map(_codec, parts[:1] if endless else parts), strict=True)

    def get(value: Any) -> Any:
        _check(isinstance(value, list) and (endless or len(value) == len(parts)), parts)
        return tuple(map(gets[0], value) if endless else (one(part) for one, part in zip(gets, value, strict=True)))

    return lambda value: [write(part) for write, part in zip(repeat(writes[0]) if endless else writes, value, strict=False)], get


def _of_pairs(by: Any, of: Any) -> Codec:
    write, get = _of_tuple((tuple[by, of], ...))
    return (lambda value: write(value.items())), lambda value: dict(get(value))


def _of_object(by: type, of: Any) -> Codec:
    write, get_one = _codec(of)

    def get(value: Any) -> Any:
        _check(isinstance(value, dict), of)
        return {by(key): get_one(one) for key, one in value.items()}

    return (lambda value: {str(key): write(one) for key, one in value.items()}), get


def _of_scalar(kinds: set[Any]) -> Codec:
    allowed, largest = kinds | ({int} if float in kinds else set()), sys.float_info.max if float in kinds else float("inf")

    def get(value: Any) -> Any:
        _check(Any in kinds or (type(value) in allowed and (isinstance(value, str) or abs(value) <= largest)), kinds)
        return value

    return (lambda value: value), get


def _array(rows: Any, n_dimensions: int) -> np.ndarray:
    array = np.array(rows, float)  # ValueError where rows differ in length
    _check(array.ndim == n_dimensions, "array")
    return array


def _check(fits: bool, kind: Any) -> None:
    if not fits:
        raise ValueError(f"Expected a value of the type {kind}.")
