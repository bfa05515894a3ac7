"""What the browser lacks of an experiment, as part of a message.

    {"experiment": name, "since": lines that the browser has, "upto": lines that it has then, "lines": records}

Streamlit may skip a message where two come at once, so each one repeats the lines of the last few. Where something is missing all
the same, the browser reports it, and everything is sent again. A line that comes twice changes nothing.
"""

from collections import deque
from typing import Any

import streamlit as st

from ui.experiments.collected import Collected

__all__ = ["message", "send_all_again"]

REPEATED = 3  # messages whose lines each one repeats
_SLOT = "sent_lines"


def message(name: str, collected: Collected) -> dict[str, Any]:
    """The next part for the experiment of this name: its own for each plan and table."""
    known = st.session_state.get(_SLOT)
    if known is None or known[0] != name:
        known = st.session_state[_SLOT] = name, deque([0] * REPEATED, maxlen=REPEATED)
    sent, upto = known[1], len(collected.lines)
    since = sent[0]
    sent.append(upto)
    lines = collected.lines[since:] if since else collected.compact()
    return {"experiment": name, "since": since, "upto": upto, "lines": lines}


def send_all_again() -> None:
    """Forget what was sent: the browser lacks something."""
    st.session_state.pop(_SLOT, None)
