"""Quota: how many runs an owner, a network address, and all together may have open, and keep without viewers."""

from collections import Counter

from tsk_core import limits
from tsk_core.errors import LimitError
from tsk_core.jobs.queue import FairQueue

__all__ = ["Quota", "check_kept"]

EXPERIMENTS = "experiments, tunings and cells of the study"


class Quota:
    """Counts open runs by owner, by address, and by kind. Not thread-safe: ``OpenRuns`` holds its lock around every call.

    An owner is a cookie, which whoever wants more runs deletes; an address costs more. address: "" is not counted.
    """

    def __init__(self, queue: FairQueue) -> None:
        self._queue = queue
        self._owners: Counter[tuple[str, bool]] = Counter()
        self._addresses: Counter[tuple[str, bool]] = Counter()

    def reserve(self, owner: str, background: bool, address: str = "") -> None:
        """Count one more run, or raise LimitError in one sentence."""
        if refusal := self.refusal(owner, background, address):
            raise LimitError(refusal)
        self._owners[owner, background] += 1
        self._addresses[address, background] += 1

    def release(self, owner: str, background: bool, address: str = "") -> None:
        """The run ended, or was never made."""
        for counted, key in ((self._owners, owner), (self._addresses, address)):
            counted[key, background] -= 1
            if counted[key, background] <= 0:
                del counted[key, background]

    def refusal(self, owner: str, background: bool = False, address: str = "") -> str:
        """Why ``owner`` may not add a run now; "" when allowed."""
        if refusal := self.of_owner(owner, background):
            return refusal
        if self.is_address_full(address, background):
            most, variable = limits.value(_of_address(background)), limits.LIMITS[_of_address(background)].variable
            what = EXPERIMENTS if background else "runs"
            return f"{most} {what} of your network address are open, the most allowed; wait for one to end, or raise {variable}."
        if self.is_queue_full(background):
            most, variable = limits.value("queued"), limits.LIMITS["queued"].variable
            what = EXPERIMENTS if background else "runs"
            return f"{most} {what} are queued, the most this server accepts; try again in a few minutes, or raise {variable}."
        return ""

    def is_address_full(self, address: str, background: bool) -> bool:
        """Whether an address has as many runs open as it may."""
        return bool(address) and self._addresses[address, background] >= limits.value(_of_address(background))

    def is_queue_full(self, background: bool) -> bool:
        """Whether no more runs of this kind may wait."""
        return self._queue.count(background) >= limits.value("queued")

    def of_owner(self, owner: str, background: bool) -> str:
        """Why the owner's other runs forbid one more; "" when they do not."""
        count = self._owners[owner, background]
        name = "background_per_owner" if background else "queued_per_owner"
        allowed, variable = limits.value(name), limits.LIMITS[name].variable
        if background:
            most, rule = allowed, f"One person may have at most {allowed} {EXPERIMENTS} at once here"
        else:
            at_once = limits.value("running_per_owner")
            running = "1 run" if at_once == 1 else f"{at_once} runs"
            most, rule = at_once + allowed, f"One person may have at most {running} running and {allowed} queued here"
        return "" if count < most else f"{rule}; wait for one to end, stop one, or raise {variable}."


def _of_address(background: bool) -> str:
    return "background_per_address" if background else "open_per_address"


def check_kept(of_owner: int, of_address: int) -> None:
    """Raise LimitError where an owner or an address may keep no more runs without viewers; the counts are of those kept."""
    for count, name, who in ((of_owner, "kept_per_owner", "One person"), (of_address, "kept_per_address", "One network address")):
        if count >= limits.value(name):
            raise LimitError(
                f"{who} may keep at most {limits.value(name)} runs going without viewers here; wait for one to end, or raise"
                f" {limits.LIMITS[name].variable}."
            )
