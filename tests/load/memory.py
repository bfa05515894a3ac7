"""Hostile visitors try to fill the app's memory: ``python -m tests.load.memory``.

Each opens a tab, sends files to made-up ids until it is refused, and opens a small file that becomes a large table; then all
leave. Printed are the app process's memory before, at its largest, and a minute after they left.
"""

import asyncio
import contextlib
import gzip
import io
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tests.load.browser import Browser, Trouble
from tests.load.figures import options, show
from tests.load.server import Server, memory_mb

UPLOADER = "Your file"


def packed_csv() -> bytes:
    """200 kB that unpack to 99 MB of numbers, 400 MB in memory."""
    row = b",".join([b"1"] * 250) + b"\n"
    header = b",".join(b"c%d" % k for k in range(250)) + b"\n"
    return gzip.compress(header + row * 197_000, 9)


def coded_parquet(rows: int = 190_000, columns: int = 10, length: int = 150) -> bytes:
    """40 kB in which each cell is the number of one of two long texts, which take 300 MB."""
    words = pa.array([f"{k}{'x' * length}" for k in range(2)])
    cells = pa.DictionaryArray.from_arrays(pa.array(np.arange(rows) % 2, pa.int8()), words)
    file = io.BytesIO()
    parquet.write_table(pa.table({f"c{k}": cells for k in range(columns)}), file, compression="zstd", store_schema=False)
    return file.getvalue()


def digits() -> bytes:
    """6 MB of one-digit numbers, 24 MB in memory, which the app reads."""
    numbers = np.random.default_rng(0).integers(0, 10, (12_000, 250))
    text = io.StringIO()
    np.savetxt(text, numbers, "%d", ",")
    return b",".join(b"c%d" % k for k in range(250)) + b"\n" + text.getvalue().encode()


FILES = {"packed CSV": packed_csv, "coded Parquet": coded_parquet, "digits": digits}


class Watch:
    """The largest memory of the app process while this block runs, in megabytes."""

    def __init__(self, server: Server) -> None:
        self._server, self._ended = server, threading.Event()
        self.most = 0.0

    def __enter__(self) -> "Watch":
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(0.1):
            self.most = max(self.most, memory_mb([self._server.process]))


async def _visit(server: Server, number: int, files: list[bytes], puts: int) -> tuple[int, list[str]]:
    """One tab: how many files the server took, and what it said to the others."""
    taken, said = 0, []
    async with Browser(server.address, "data=upload") as tab:
        with contextlib.suppress(Trouble):
            await tab.open()
            try:
                await tab.upload(UPLOADER, files[number % len(files)])
            except Trouble as trouble:
                said.append(str(trouble))
            said += tab.page.errors
            for _ in range(puts):
                with contextlib.suppress(Trouble):
                    _, status = await tab.put(bytes(20_000_000))
                    taken += status == 204
                    if status != 204:
                        said.append(f"status {status}")
        await asyncio.sleep(5)
    return taken, said


def attack(server: Server, tabs: int, puts: int, wait: float) -> dict:
    """``tabs`` hostile visitors at once, each with ``puts`` files of 20 MB besides; at most ``wait`` seconds after they left."""

    async def visitors() -> list[tuple[int, list[str]]]:
        made = [make() for make in FILES.values()]
        return await asyncio.gather(*(_visit(server, number, made, puts) for number in range(tabs)))

    async def honest() -> None:
        async with Browser(server.address, "data=upload") as tab:  # loads what every server has loaded
            await tab.open()
            await tab.upload(UPLOADER, digits()[: 10**6].rsplit(b"\n", 1)[0])

    asyncio.run(honest())
    time.sleep(3)
    before = memory_mb([server.process])
    with Watch(server) as watch:
        results = asyncio.run(visitors())
    for _ in range(round(wait)):
        if memory_mb([server.process]) <= 1.2 * before:
            break
        time.sleep(1)
    after = memory_mb([server.process])
    said = [text for _, texts in results for text in texts]
    return {
        "before_mb": round(before), "most_mb": round(watch.most), "after_mb": round(after),
        "taken": sum(taken for taken, _ in results), "said": {text: said.count(text) for text in dict.fromkeys(said)},
    }  # fmt: skip


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(
        __doc__, tabs=(40, "hostile visitors at once"), puts=(25, "files of 20 MB that each sends"),
        wait=(60.0, "seconds after they left"),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), TSK_WORKERS="1") as server:
        show(f"{asked.tabs} hostile visitors", attack(server, asked.tabs, asked.puts, asked.wait))


if __name__ == "__main__":
    main()
