"""A server that answers as OpenML does, as well or as badly as a test wants."""

import contextlib
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pandas as pd
import pytest
from pandas.api import types

from tsk_core.data.gallery import openml


class OpenML:
    """Serves tables by their number, and what is wrong with the answers to come.

    wrong: the beginning of a path -> "404", "500", "drip", "cut", "flood", "nonsense", or "gzip" where it is none.
    asked: the paths, in order.
    """

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.wrong: dict[str, str] = {}
        self.asked: list[str] = []
        self.end = threading.Event()

    def keep(
        self, number: int, name: str, frame: pd.DataFrame, *, version: int = 1, md5: str | None = None, url: str = ""
    ) -> None:
        """Have this table; its last column is the target."""
        arff = _arff(name, frame)
        api = "/api/v1/json/data"
        description = {
            "id": str(number), "name": name, "version": str(version), "status": "active", "format": "ARFF", "description": "",
            "url": url or f"https://api.openml.org/data/v1/download/{number}/{name}.arff",
            "md5_checksum": md5 or hashlib.md5(arff).hexdigest(),
        }  # fmt: skip
        features = [
            {
                "index": str(k), "name": column, "data_type": "numeric" if types.is_numeric_dtype(frame[column]) else "nominal",
                "is_target": json.dumps(k == frame.shape[1] - 1), "is_ignore": "false", "is_row_identifier": "false",
                "number_of_missing_values": "0",
            }
            for k, column in enumerate(frame.columns)
        ]  # fmt: skip
        self.answers |= {
            f"{api}/{number}": json.dumps({"data_set_description": description}).encode(),
            f"{api}/features/{number}": json.dumps({"data_features": {"feature": features}}).encode(),
            f"{api}/qualities/{number}": json.dumps(
                {"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": str(len(frame))}]}}
            ).encode(),
            f"{api}/list/data_name/{name.lower()}/limit/2/data_version/{version}": json.dumps(
                {"data": {"dataset": [{"did": number, "name": name, "version": version, "status": "active"}]}}
            ).encode(),
            f"/data/v1/download/{number}/{name}.arff": arff,
        }


def _arff(name: str, frame: pd.DataFrame) -> bytes:
    lines = [f"@RELATION '{name}'"]
    for column in frame.columns:
        kind = "REAL" if types.is_numeric_dtype(frame[column]) else "{" + ",".join(map(str, sorted(set(frame[column])))) + "}"
        lines.append(f"@ATTRIBUTE '{column}' {kind}")
    return "\n".join([*lines, "@DATA", frame.to_csv(index=False, header=False)]).encode()


class Handler(BaseHTTPRequestHandler):
    """Answers from ``self.server.served``."""

    def do_GET(self) -> None:
        served = self.server.served
        served.asked.append(self.path)
        wrong = next((w for path, w in served.wrong.items() if self.path.startswith(path)), "")
        body = served.answers.get(self.path)
        if wrong in ("404", "500") or body is None:
            self.send_error(int(wrong or 412))
            return
        self.send_response(200)
        if wrong == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(10**9 if wrong in ("flood", "drip") else len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):  # the other side hangs up
            self.send(body, wrong)

    def send(self, body: bytes, wrong: str) -> None:
        end = self.server.served.end
        if wrong == "flood":
            while not end.is_set():
                self.wfile.write(bytes(1 << 16))
        elif wrong == "drip":
            while not end.wait(0.05):
                self.wfile.write(b" ")
        else:
            self.wfile.write({"cut": body[: len(body) // 2], "nonsense": b"<html>" * 9}.get(wrong, body))

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Such a server, asked in place of OpenML; what is fetched is kept in this test's own folder."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    http.served = OpenML()
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "kept"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(openml, "_SERVER", f"http://127.0.0.1:{http.server_port}")
    monkeypatch.setattr(openml, "_failed", {})
    yield http.served
    http.served.end.set()
    http.shutdown()
    http.server_close()
    thread.join()


@pytest.fixture
def table():
    """A small table, target last: two numbers and three classes."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {"a b": rng.normal(size=60).round(3), "n": np.arange(60) * 7 % 50, "Class": np.resize(["x", "y", "z"], 60)}
    )
