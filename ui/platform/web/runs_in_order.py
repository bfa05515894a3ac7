"""A tick of a fragment does not discard the run before it.

A run of a page posts its messages to the event loop and ends. Where the loop is busy, a fragment's tick can arrive between the
end and the messages: Streamlit then starts a new script runner and ignores what the old one still has to say, so that the browser
never gets the page that was drawn, nor its timers: it stands still until somebody presses something (streamlit/streamlit#9921 has
the same cause). Thirty learners who go on at the same moment see it; so the tick is handled after those messages.
"""

from ui.platform.streamlit_internals import AppSession, AppSessionState, RerunData

__all__ = ["keep_runs_in_order"]


def keep_runs_in_order() -> None:
    """Change how sessions of this server start script runners; calling it again does nothing."""
    if AppSession._create_scriptrunner is not _start_in_order:
        AppSession._create_scriptrunner = _start_in_order


_start = AppSession._create_scriptrunner


def _start_in_order(session: AppSession, request: RerunData) -> None:
    """Start a script runner; for a fragment, after what the runner that refused the request has posted."""
    ended = session._scriptrunner
    if ended is None or not request.fragment_id:  # a run of the whole page draws everything again
        _start(session, request)
        return

    def begin() -> None:
        runner = session._scriptrunner
        if session._state == AppSessionState.SHUTDOWN_REQUESTED:  # the browser has gone meanwhile
            return
        if runner is None or runner is ended:
            _start(session, request)
        elif not runner.request_rerun(request):
            _start_in_order(session, request)

    session._event_loop.call_soon(begin)  # a runner that refuses has posted all its messages but the last, that it is gone
