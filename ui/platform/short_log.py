"""Errors take a few lines of the log each: a visitor who sends values that no widget has would fill the disk with tracebacks.

Streamlit logs each such value with the whole stack, 4 kB and more.
"""

import logging
import traceback
from typing import Any

__all__ = ["keep_log_short"]

FRAMES, LETTERS = 6, 2_000  # of a traceback, innermost first; of a record's message, and of its traceback

_make = logging.getLogRecordFactory()


def keep_log_short() -> None:
    """Shorten what this process logs from now on; calling it again does nothing."""
    logging.setLogRecordFactory(_short_record)


def _short_record(*args: Any, **named: Any) -> logging.LogRecord:
    record = _make(*args, **named)
    record.stack_info = None
    if record.exc_info and record.exc_info[1] is not None:
        text = "".join(traceback.format_exception(*record.exc_info, limit=-FRAMES)).rstrip()
        record.exc_text, record.exc_info = _shortened(text), None
    if len(message := record.getMessage()) > LETTERS:
        record.msg, record.args = _shortened(message), ()
    return record


def _shortened(text: str) -> str:
    """Its beginning and its end."""
    return text if len(text) <= LETTERS else f"{text[: LETTERS // 2]} … {text[-LETTERS // 2 :]}"
