"""What a study still has to compute, parted into units of work: the trainings of a unit are done by one process, in one go."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from tsk_core.config import HOLD_OUTS
from tsk_core.study.again import ur_weights_of
from tsk_core.study.names import ALGORITHMS, FOUR, MBGD, READ, READABLE, TUNED
from tsk_core.study.results import Key, Result

__all__ = ["Unit", "families", "finished", "unfinished"]

STACK = 64  # hold-outs that train side by side: more take longer each
TOGETHER = 5  # splits of an algorithm that is quickly done


class Unit(NamedTuple):
    """Some (algorithm, split) of one dataset. work: how long it takes, beside other units; in no unit of time."""

    dataset: str
    cells: tuple[tuple[str, int], ...]
    work: float


def unfinished(
    datasets: Iterable[str], algorithms: Collection[str], splits: int, done: Collection[Key], rows: dict[str, int]
) -> list[Unit]:
    """Units of everything that has no result yet, those of the first splits first, of these the longest first.

    splits: 0 to splits - 1. rows: of each dataset.
    """
    units = []
    for dataset in datasets:
        for together in families(algorithms):
            missing = [(name, k) for k in range(splits) for name in together if (dataset, name, k) not in done]
            for cells in _parted(missing):
                units.append(Unit(dataset, cells, sum(_work(name, rows[dataset]) for name, _ in cells)))
    return sorted(units, key=lambda unit: (unit.cells[0][1] // TOGETHER, -unit.work))


def finished(results: Mapping[Key, Result]) -> set[Key]:
    """What need not be computed again: an older result of a model that is read whole has no reading effort yet."""
    return {key for key, one in results.items() if one.effort is not None or one.algorithm not in READ}


def families(algorithms: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Algorithms that share stacks or a search, together; the others each alone."""
    plain = tuple(name for name in FOUR if name in algorithms)  # "none" and "bn" can share a stack
    if plain:
        yield plain
    together = tuple(name for name in READABLE if name in algorithms)
    if together:
        yield together
    yield from ((name,) for name in ALGORITHMS if name in algorithms and name not in (*plain, *together))


def _parted(cells: list[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], ...]]:
    """Cells of one family in runs that fill a stack, or that are quickly done."""
    run: list[tuple[str, int]] = []
    for cell in cells:
        if run and sum(_members(name) for name, _ in [*run, cell]) > STACK:
            yield tuple(run)
            run = []
        run.append(cell)
    if run:
        yield tuple(run)


def _members(algorithm: str) -> float:
    """How much of a stack one cell takes."""
    if algorithm in MBGD:
        return HOLD_OUTS * len(ur_weights_of(algorithm))
    if algorithm in READABLE:
        return STACK / len(READABLE)
    return STACK if algorithm in (*TUNED, "EBM") else STACK / TOGETHER


def _work(algorithm: str, rows: int) -> float:
    """Roughly the seconds of one cell, from measurements on the twelve datasets."""
    if algorithm in TUNED:
        return 20.0
    if algorithm in READABLE:
        return 20.0 / len(READABLE)
    if algorithm in MBGD:
        return 2.5e-4 * rows * (HOLD_OUTS * len(ur_weights_of(algorithm)) + 1)
    return rows / 100 if algorithm == "EBM" else 3e-4 * rows
