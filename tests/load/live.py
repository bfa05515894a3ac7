"""The live route of one tab, as ``ui/client/core/live.js`` speaks it: what the page follows, and what comes of it."""

import asyncio
import contextlib
import json
import time
import zlib
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException


class Live:
    """address: of the app. cookies: the header of the browser. on_part: sees each part as it comes.

    states, standings: the newest of each subject. arrivals: moment, kind, and number of new entries, of each part of a list.
    """

    def __init__(
        self, address: str, cookies: dict[str, str], on_part: Callable[[dict[str, Any]], None] = lambda part: None
    ) -> None:
        self._address, self._cookies, self._on_part = address.rstrip("/"), cookies, on_part
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task | None = None
        self._asked: list[str] = []
        self._marks: dict[str, tuple[str, int]] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.standings: dict[str, dict[str, Any]] = {}

    async def follow(self, tickets: list[str]) -> None:
        """Follow these subjects from now on, and no others."""
        if tickets == self._asked:
            return
        if self._socket is None:
            url = f"{self._address.replace('http', 'ws', 1)}/live"
            self._socket = await connect(
                url, origin=self._address, additional_headers=self._cookies, ping_interval=None, max_size=2**26, proxy=None,
                open_timeout=60,
            )  # fmt: skip
            self._reader = asyncio.create_task(self._read())
        self._asked = tickets
        await self._socket.send(json.dumps({"tickets": tickets, "have": self._marks}))

    async def tell(self, said: dict[str, Any]) -> None:
        """Tell the server something beside what it is asked; only where something is followed."""
        await self._socket.send(json.dumps(said))

    async def close(self) -> None:
        """The tab is closed."""
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        if self._socket is not None:
            await self._socket.close()

    async def _read(self) -> None:
        with contextlib.suppress(WebSocketException):
            async for raw in self._socket:
                for part in json.loads(zlib.decompress(raw) if isinstance(raw, bytes) else raw):
                    self._take(part, time.monotonic())

    def _take(self, part: dict[str, Any], now: float) -> None:
        kind, of, payload = part["kind"], part.get("of", ""), part["payload"]
        if "version" in part:
            self._marks[f"{kind} {of}"] = part["version"], part["since"] + len(payload["list"])
        else:
            self._marks[f"{kind} {of}"] = str(part["since"]), 1
        if kind == "state":
            self.states[of] = payload
        if kind == "standing":
            self.standings[of] = payload
        self._on_part(part | {"at": now})
