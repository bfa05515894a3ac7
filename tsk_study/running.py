"""Computes cells of the study: here, in processes of this machine, or on the workers of a Dask cluster."""

import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from functools import lru_cache
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, NamedTuple

from tsk_core import __version__
from tsk_core.config import HOLD_OUTS
from tsk_core.errors import TSKError
from tsk_core.metrics import accuracy
from tsk_study.names import ALGORITHMS, FOUR, MBGD, READ, READABLE, TUNED
from tsk_study.parts import split_data
from tsk_study.protocol import ur_weights_of
from tsk_study.results import Key, Result

if TYPE_CHECKING:
    from tsk_core.data import Dataset

# What a study still has to compute, parted into units of work: the trainings of a unit are done by one process, in one go.


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


def compute(
    dataset: "Dataset", cells: Sequence[tuple[str, int]], tick: Callable[[], None] = lambda: None, *, as_the_authors: bool = False
) -> Iterator[Result]:
    """The results of these (algorithm, split) of a Dataset; the caller sets torch's number of threads.

    tick: called between the epochs of a training, and between splits; what it raises ends the computation. as_the_authors: the
    MBGD family as their published code trains it (``protocol.py``).
    """
    trained = [cell for cell in cells if cell[0] in MBGD]
    if trained:
        from tsk_study.protocol import AS_THE_AUTHORS, PROTOCOL, train_cells

        yield from train_cells(dataset, trained, tick, AS_THE_AUTHORS if as_the_authors else PROTOCOL)
    for algorithm, split in cells:
        if algorithm not in MBGD:
            tick()
            yield _fitted(dataset, algorithm, split)


def _fitted(dataset: "Dataset", algorithm: str, split: int) -> Result:
    from tsk_study.others import OTHERS

    data = split_data(dataset, split)
    began = time.perf_counter()
    predicted, detail = OTHERS[algorithm](data)
    seconds = time.perf_counter() - began
    rca, bca = accuracy(data.y_test, predicted).numbers
    seconds = detail.get("seconds", seconds)  # where cells share a search, each has all of it
    weight, effort = detail.get("ur_weight"), detail.get("effort")
    return Result(dataset.name, algorithm, split, rca, bca, seconds, weight, None, split, __version__, effort)


def compute_units(
    units: Sequence[Unit], workers: int, scheduler: str | None = None, *, as_the_authors: bool = False
) -> Iterator[tuple[Unit, list[Result] | TSKError]]:
    """Each unit with its results, or with why it failed, as they come.

    workers: processes of this machine. scheduler: the address of a Dask cluster, whose workers do it instead; they find datasets
    as this process does, through TSK_DATA_DIR. as_the_authors: as for ``compute``.
    """
    with _executor(workers, scheduler) as executor:
        with _interrupted_later():  # submitting starts processes: one that is not told what to do would end with a traceback
            futures = {executor.submit(_compute_unit, unit, as_the_authors): unit for unit in units}
        for future in as_completed(futures):
            yield futures[future], _outcome(future, futures[future])


def _outcome(future: Future[list[Result]], unit: Unit) -> list[Result] | TSKError:
    try:
        return future.result()
    except Exception as error:  # whatever a library raises on this table must not end the other units
        algorithms = " and ".join(dict.fromkeys(name for name, _ in unit.cells))
        return TSKError(f"{algorithms} on {unit.dataset} failed: {' '.join(str(error).split())[:300] or type(error).__name__}")


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Ctrl-C in the block takes effect at its end."""
    if threading.current_thread() is not threading.main_thread():  # which alone gets signals
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def _executor(workers: int, scheduler: str | None) -> Iterator[Executor]:
    if scheduler:
        from distributed import Client

        try:
            client = Client(scheduler)  # type: ignore[no-untyped-call]  # distributed says that it has types
        except (OSError, ValueError, RuntimeError) as error:  # no answer; no such address
            raise TSKError(
                f"No Dask scheduler answers at {scheduler!r} ({type(error).__name__}); correct --scheduler or TSK_SCHEDULER."
            ) from None
        with closing(client):
            yield client.get_executor()  # type: ignore[no-untyped-call]
        return
    spawned = get_context("spawn")  # a fork would share torch's threads
    pool = ProcessPoolExecutor(workers, mp_context=spawned, initializer=_prepare)
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):  # a unit takes minutes; waiting for it helps nobody
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _prepare() -> None:
    """In a worker: leave Ctrl-C to the parent, and end when it has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "a worker of the pool has one"
    parent.join()
    os._exit(0)


def _compute_unit(unit: Unit, as_the_authors: bool) -> list[Result]:
    """In a worker."""
    from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

    with torch_threads(1), denormals_as_zero():
        return list(compute(_dataset(unit.dataset), unit.cells, as_the_authors=as_the_authors))


@lru_cache(maxsize=2)
def _dataset(name: str) -> "Dataset":
    from tsk_core.data import load_dataset

    return load_dataset(name)


def unavailable(algorithms: Iterable[str]) -> dict[str, str]:
    """Algorithms that cannot run here, with how to get what they lack."""
    from tsk_study.others import availability

    return {name: why for name in algorithms if (why := availability(name))}
