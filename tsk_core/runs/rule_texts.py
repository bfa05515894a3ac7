"""The file of a run's readable rules, kept so that they can be read when its table is gone: compressed JSON of ``Summaries``."""

import gzip
import json
import zlib
from pathlib import Path

from tsk_core.errors import RunError
from tsk_core.explain import Summaries
from tsk_core.runs.files import VERSION, read_bytes, read_json, reading

RULE_TEXTS = "book.json.gz"
MOST_BYTES = 1_000_000


def pack(summaries: Summaries) -> bytes:
    """The content of the file, at most 1 MB; RunError where rules so many and so long need more."""
    values = {"version": VERSION} | summaries.to_dict()
    for leave_out in ((), ("typical", "movers")):  # long, and not read in hundreds of rules over hundreds of columns
        rules = [{**rule, **{name: type(rule[name])() for name in leave_out}} for rule in values["rules"]]
        measured = {**values["measured"], "constants": None} if leave_out and values["measured"] else values["measured"]
        content = json.dumps({**values, "rules": rules, "measured": measured}, allow_nan=False)
        packed = gzip.compress(content.encode(), mtime=0)
        if len(packed) <= MOST_BYTES:
            return packed
    raise RunError("The rules of this run are too many and too long to be kept as text.")


def read_summaries(folder: Path) -> Summaries:
    """The rules that the run in this folder kept; RunError where there is none, or where it is damaged."""
    path = folder / RULE_TEXTS
    if not path.exists():
        raise RunError("This run kept no rules as text; choose its dataset again, or train it again, to read them.")
    packed = read_bytes(path)
    with reading(RULE_TEXTS):
        return Summaries.from_dict(read_json(path, unpack(packed)))


def unpack(packed: bytes) -> bytes:
    """The JSON; ValueError where the file is damaged or far larger than any written here."""
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = reader.decompress(packed, 30 * MOST_BYTES)
    except zlib.error as error:
        raise ValueError("damaged") from error
    if not reader.eof:
        raise ValueError("cut short, or too large")
    return content
