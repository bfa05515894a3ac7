"""Asking Weka: one process for all splits, since a Java virtual machine takes longer to start than most of them to train."""

import atexit
import json
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from io import StringIO
from shutil import which
from threading import Lock
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from tsk_core.data.folds import folds
from tsk_core.errors import TrainingError
from tsk_core.evaluate.same_size import Peer, sample
from tsk_core.metrics import accuracy
from tsk_core.runtime.child_process import ChildError, ChildProcess
from tsk_study.parts import Fit, SplitData

# What Weka prints of its rules, counted.


_COMPARED = re.compile(r"\bx(\d+) (?:<=|>=|<|>|=) ")  # attributes are named by ``client.arff``
_NUMBER_OF_RULES = re.compile(r"^Number of Rules\s*:\s*(\d+)", re.MULTILINE)


def conditions_and_rules(text: str, feature_of: Sequence[int]) -> tuple[int, int]:
    """How many conditions and rules its reader counts in Weka's text: a condition for each feature that a rule compares."""
    rules = re.sub(r" AND\s*\n", " AND ", text).splitlines()  # PART has a line for each comparison
    [number] = _NUMBER_OF_RULES.findall(text)
    return sum(len({feature_of[int(column)] for column in _COMPARED.findall(rule)}) for rule in rules), int(number)


MOST_SECONDS = 900.0  # for one split; the slowest, JRip on Satellite, takes some 10
START_SECONDS = 60.0  # for the process, without its Java virtual machine, which the first request starts
_JAVA_OPTIONS = "-XX:+UseSerialGC -XX:ActiveProcessorCount=1"  # one thread, like all others


def jrip(split: SplitData) -> Fit:
    """RIPPER with Weka's defaults, its seed among them."""
    return _fit("JRip", split)


def part(split: SplitData) -> Fit:
    """PART with Weka's defaults."""
    return _fit("PART", split)


def missing() -> str:
    """One sentence how to get what Weka lacks here; empty where it can run."""
    if find_spec("weka") is None or find_spec("jpype") is None:
        return "It needs Weka: pip install python-weka-wrapper3, and a Java runtime."
    if which("java") is None and not os.environ.get("JAVA_HOME"):
        return "It needs a Java runtime, such as Debian's default-jre-headless, or JAVA_HOME set to one."
    return ""


def _fit(name: str, split: SplitData) -> Fit:
    predicted, text = trained(name, (split.X_train, split.y_train), (split.X_test, split.y_test))
    return Fit(predicted, {"effort": conditions_and_rules(text, split.feature_of)[0]})


def trained(
    name: str,
    train: tuple[np.ndarray, np.ndarray],
    test: tuple[np.ndarray, np.ndarray],
    *,
    options: Sequence[str] = (),
    weights: np.ndarray | None = None,
) -> tuple[np.ndarray, str]:
    """The class indices that one of Weka's rule learners predicts for the test rows, (n,), and its rules as Weka prints them.

    name: "JRip" or "PART". train, test: numbers (N, D) and class indices (N,). options: Weka's, such as "-M", "10". weights:
    of the training rows, (N,). Raises TrainingError.
    """
    if sentence := missing():
        raise TrainingError(sentence)
    n_classes = int(max(train[1].max(), test[1].max())) + 1
    tables = {"train": arff(*train, n_classes, weights), "test": arff(*test, n_classes)}
    answer = _weka.ask({"classifier": f"weka.classifiers.rules.{name}", "options": list(options), **tables})
    return np.array(answer["predicted"]), answer["text"]


def arff(x: np.ndarray, y: np.ndarray, n_classes: int, weights: np.ndarray | None = None) -> str:
    """A table as Weka reads it; the numbers come back to the last digit. Its last column is the class, by its index."""
    text = StringIO()
    text.write("@relation split\n" + "".join(f"@attribute x{column} numeric\n" for column in range(x.shape[1])))
    text.write(f"@attribute class {{{','.join(map(str, range(n_classes)))}}}\n@data\n")
    columns, formats = [x, y], ["%.17g"] * x.shape[1] + ["%d"]
    if weights is not None:
        columns, formats = [*columns, weights], [*formats, "{%.17g}"]
    np.savetxt(text, np.column_stack(columns), fmt=formats, delimiter=",")
    return text.getvalue()


class Weka:
    """The process, started when it is first needed, and again after it failed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: ChildProcess | None = None

    def ask(self, request: dict[str, Any], seconds: float = MOST_SECONDS) -> dict[str, Any]:
        """The answer. Raises TrainingError in one sentence where there is none; the process is ended then."""
        with self._lock:
            try:
                answer = self._answer(json.dumps(request), seconds)
            except ChildError as error:
                self.stop()
                late = f"Weka took longer than {seconds:.0f} s on this split and was ended."
                raise TrainingError(late if error.late else f"Weka's process {error}.") from error
            except BaseException:  # interrupted while it works: its answer would be taken for that of the next request
                self.stop()
                raise
        if "error" in answer:
            raise TrainingError(f"Weka could not train: {answer['error']}")
        return answer

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.close()
            self._process = None

    def _answer(self, request: str, seconds: float) -> dict[str, Any]:
        process = self._started()
        with process.deadline(seconds):
            process.write(request.encode(), b"\n")
            return json.loads(process.read_line())

    def _started(self) -> ChildProcess:
        if self._process is not None and not self._process.is_alive():
            self.stop()
        if self._process is None:
            self._process = ChildProcess("tsk_study.weka.process", environment={"JAVA_TOOL_OPTIONS": _JAVA_OPTIONS}, quiet=True)
            self._process.wait_until_ready(START_SECONDS)
        return self._process


_weka = Weka()
atexit.register(_weka.stop)


# JRip and PART with as many conditions as a rule base has.
#
# Both grow shorter as each rule has to hold for more rows (JRip's -N, PART's -M), so a search by halves over this number finds
# the rules with the most conditions that are within. Whether rare classes weigh as much as common ones is decided by the BCA of
# such rules on a third of the training rows (of a sample, where there are many), which does not train then.


LEAST_ROWS = {"JRip": "-N", "PART": "-M"}
"""Name of a learner -> its option for the rows for which a rule has to hold."""
Table = tuple[np.ndarray, np.ndarray]  # encoded rows (N, D) and class indices (N,)
_ROWS = (2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200)  # 2 is Weka's default for both


def within(name: str, split: SplitData, conditions: int) -> Peer:
    """The rules of ``most_within``, trained on the split's training rows and measured on its test rows.

    name: of ``LEAST_ROWS``. conditions: of all rules together. Raises TrainingError where Weka is missing or fails.
    """

    def found(x: np.ndarray, y: np.ndarray, test: Table, balanced: bool) -> Peer:
        search = partial(_peer, name, split.feature_of, (x, y), test, compute_sample_weight("balanced", y) if balanced else None)
        return most_within(search, conditions)

    rows = sample(split.y_train, split.seed)
    x, y = split.X_train[rows], split.y_train[rows]
    fold = folds(y, 3, split.seed)[0]
    bca = [found(x[fold.train], y[fold.train], (x[fold.test], y[fold.test]), balanced).bca or 0 for balanced in (False, True)]
    return found(split.X_train, split.y_train, (split.X_test, split.y_test), balanced=bca[1] > bca[0])


def most_within(peer: Callable[[int], Peer], conditions: int) -> Peer:
    """The rules with the most conditions up to this number; where none have so few, those with the fewest.

    peer: makes rules that each hold for at least so many rows; TrainingError where Weka fails, as it may for very many.
    """
    found: dict[int, Peer] = {}  # by number of conditions
    low, high, at = 0, len(_ROWS), 0  # the default first, then by halves
    while low < high:
        try:
            one = peer(_ROWS[at])
        except TrainingError:
            if not found:
                raise
            high = at
        else:
            counted = one.conditions or 0
            found[counted] = one
            low, high = (low, at) if counted <= conditions else (at + 1, high)
        at = (low + high) // 2
    return found[max((counted for counted in found if counted <= conditions), default=min(found))]


def _peer(name: str, feature_of: Sequence[int], train: Table, test: Table, weights: np.ndarray | None, least_rows: int) -> Peer:
    predicted, text = trained(name, train, test, options=(LEAST_ROWS[name], str(least_rows)), weights=weights)
    return Peer(name, *conditions_and_rules(text, feature_of), *accuracy(test[1], predicted))
