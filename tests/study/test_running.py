"""Computing units in processes: Ctrl-C takes effect once the processes have been told what to do."""

import signal
import threading

import pytest

from tsk_core.errors import TSKError
from tsk_study import running


class Submitting:
    """An executor whose submissions are interrupted; counts them."""

    def __init__(self):
        self.submitted = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def submit(self, *arguments):
        signal.raise_signal(signal.SIGINT)
        self.submitted += 1


@pytest.fixture
def executor(monkeypatch):
    submitting = Submitting()
    monkeypatch.setattr(running, "_executor", lambda workers, scheduler: submitting)
    return submitting


def test_ctrl_c_waits_until_all_units_are_submitted_and_then_ends_the_study(executor):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        next(running.compute_units(["first", "second", "third"], 1))
    assert executor.submitted == 3 and signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("address", ["nonsense", "carrier-pigeon://host:1"])
def test_what_is_no_address_of_a_scheduler_is_one_sentence(address):
    with pytest.raises(TSKError, match=f"No Dask scheduler answers at '{address}' .* correct --scheduler"):
        next(running.compute_units([], 1, address))


def test_outside_the_main_thread_which_gets_no_signals_nothing_is_changed():
    entered = []

    def run():
        with running._interrupted_later():
            entered.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert entered == [signal.getsignal(signal.SIGINT)]
