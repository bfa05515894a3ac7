"""What it means for a file to end well: a table fit for training, or one sentence, within memory."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from tsk_core.data import Dataset, Encoder
from tsk_core.errors import TSKError

MOST_MB = 500  # of the process that parses; the one that asked is the app, which must not swell either
_LONGEST = 400
_INNER = re.compile(
    r"Traceback|\b\w*(Error|Exception|Warning)\b(?!s)|<class|object at 0x|\b(pandas|pyarrow|numpy|calamine|zlib)\b|\bNone\b"
)


def plain(sentence: str) -> bool:
    """Whether people can read it: short, on one line, ended, without control characters and names from inside a program."""
    controls = any(unicodedata.category(letter) == "Cc" for letter in sentence)
    return 0 < len(sentence) <= _LONGEST and not controls and sentence.endswith((".", "?")) and not _INNER.search(sentence)


def trainable(dataset: Dataset) -> bool:
    """Whether the table can be split and its training rows turn into finite numbers; a TSKError is an answer as well."""
    with suppress(TSKError):
        rows = dataset.split().train
        encoded = Encoder().fit(dataset.X.iloc[rows]).transform(dataset.X)
        return bool(np.isfinite(encoded).all()) and len(encoded) == len(dataset.y) and len(dataset.classes) > 1
    return True


@dataclass
class Watch:
    """The most memory that a parsing process held, and by how much this process grew meanwhile, both in MB."""

    parser: float = 0.0
    here: float = 0.0


@contextmanager
def watched(interval: float = 0.05) -> Iterator[Watch]:
    """Watch the processes that parse files for this one."""
    watch, over, me = Watch(), threading.Event(), psutil.Process()
    before = me.memory_info().rss

    def look() -> None:
        while True:  # rarely, as to look costs time: a process remembers its peak, and needs longer than this to fill memory
            ended = over.wait(interval)
            watch.here = max(watch.here, (me.memory_info().rss - before) / 1e6)
            watch.parser = max([watch.parser, *map(_peak, me.children(recursive=True))])
            if ended:  # the last look: many a file is done before the first
                return

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()


def _peak(process: psutil.Process) -> float:
    """The most memory a parsing process has ever held, in MB; 0 for other processes and for one that just ended."""
    with suppress(psutil.Error, OSError, StopIteration):  # a process that is ending says nothing of its memory
        if "tsk_core.data.reading" not in " ".join(process.cmdline()):
            return 0.0
        status = Path(f"/proc/{process.pid}/status")
        if status.exists():  # a peak between two looks is not missed
            return next(float(line.split()[1]) / 1000 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return process.memory_info().rss / 1e6
    return 0.0
