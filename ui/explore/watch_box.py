"""The box *Watch*: a link and a QR code for those who watch a run on their own screens, in step with its owner's epoch slider."""

from typing import Any

import streamlit as st

from ui.explore.comparison import comparison_run
from ui.live import mount, watch
from ui.live.watching import lead_ticket, watch_link
from ui.platform.addresses import qr_code
from ui.platform.session import Key
from ui.runs import current_run
from ui.runs.run_view import RunView

LED = Key[str]("led", "")  # the run whose box was opened in this session, and whose watchers this page leads

_OWN = (
    "Whoever opens it sees the charts, the plane and the rules of this run, at the epoch that your slider selects. They need no"
    " account, start nothing here, and can look at other epochs by themselves."
)
_OTHERS = (
    "Whoever opens it sees the charts, the plane and the rules of this run. Their slider follows that of whoever started it. They"
    " need no account and start nothing here."
)


def watch_box() -> None:
    """Draw the box for the run shown; what is in it only while it is open."""
    run = current_run.get()
    box = st.popover("Watch", key="watch_together", disabled=run is None, on_change="rerun")
    if run is None or not box.open:
        return
    with box.container(width=380, gap="xsmall"):
        link = watch_link(run, comparison_run(run))
        st.image(qr_code(link), width=260, alt="QR code of the address below")
        if run.owned:
            LED.set(run.id)
            mount("standing", key="watchers", of=f"stage {run.id}", part="text")
            watch([lead_ticket(run)], key="watchers_watch")
        st.code(link, language=None, wrap_lines=True)
        st.caption(_OWN if run.owned else _OTHERS)


def leading(run: RunView) -> dict[str, Any]:
    """What the epoch slider of this page needs to lead those who watch the run; nothing where it does not."""
    return {"lead": lead_ticket(run)} if run.owned and LED.get() == run.id else {}
