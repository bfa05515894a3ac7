"""Figures of a load test: percentiles, what the app's processes use, one JSON object and one table."""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import psutil

from tests.load.server import memory_mb, parts_of


def options(doc: str, **known: tuple[Any, str]) -> argparse.Namespace:
    """The arguments of a program. doc: its docstring. known: each option's default, False for a switch, and what it means."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    for name, (default, meaning) in known.items():
        how = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        shown = "" if default is False else f" (default {default})"
        parser.add_argument(f"--{name.replace('_', '-')}", help=meaning + shown, **how)
    return parser.parse_args()


def percentiles(values: Sequence[float | None]) -> dict[str, float]:
    """p50, p95, the largest, and how many; values that are None were not reached."""
    known = [value for value in values if value is not None]
    if not known:
        return {"count": 0}
    p50, p95 = np.percentile(known, [50, 95])
    return {"count": len(known), "p50": round(float(p50), 3), "p95": round(float(p95), 3), "max": round(max(known), 3)}


class Usage:
    """What a process with an Engine, and those below it, use. Processor time counts from ``__init__`` to ``read``."""

    def __init__(self, process: psutil.Process) -> None:
        self._process, self._before = process, _cpu(parts_of(process))
        self._own, self._machine, self._began = psutil.Process().cpu_times(), psutil.cpu_times(), time.monotonic()

    def read(self) -> dict[str, dict[str, float]]:
        """By part of the app: processor seconds, resident memory, file descriptors, threads.

        ``visitors`` is this process; ``machine`` says how many of its cores were busy, with whatever, on average.
        """
        parts, own = parts_of(self._process), psutil.Process().cpu_times()
        now = _cpu(parts)
        found = {
            part: {
                "cpu_s": round(now[part] - self._before[part], 1),
                "memory_mb": round(memory_mb(processes), 1),
                "files": sum(process.num_fds() for process in processes),
                "threads": sum(process.num_threads() for process in processes),
            }
            for part, processes in parts.items()
            if processes
        }
        idle = psutil.cpu_times().idle - self._machine.idle
        busy = psutil.cpu_count() - idle / (time.monotonic() - self._began)
        return found | {
            "visitors": {"cpu_s": round(own.user + own.system - self._own.user - self._own.system, 1)},
            "machine": {"cores": psutil.cpu_count(), "busy": round(busy, 2)},
        }


def _cpu(parts: dict[str, list[psutil.Process]]) -> dict[str, float]:
    times = {part: [process.cpu_times() for process in processes] for part, processes in parts.items()}
    return {part: sum(time.user + time.system for time in each) for part, each in times.items()}


def show(title: str, figures: Mapping[str, Any]) -> None:
    """The table on standard error, for people; the JSON object on standard output, for everything else."""
    print(f"\n{title}", file=sys.stderr)
    for name, value in figures.items():
        if isinstance(value, Mapping) and value:
            value = "  ".join(f"{key} {number}" for key, number in value.items())
        print(f"  {name:<28} {value}", file=sys.stderr)
    print(json.dumps({"title": title} | dict(figures)))
