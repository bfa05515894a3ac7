"""Asking Weka: one process for all splits, since a Java virtual machine takes longer to start than most of them to train."""

import atexit
import json
import os
from collections.abc import Sequence
from importlib.util import find_spec
from io import StringIO
from shutil import which
from threading import Lock
from typing import Any

import numpy as np

from tsk_core.errors import TrainingError
from tsk_core.runtime.child_process import ChildError, ChildProcess
from tsk_core.study.parts import Fit, SplitData
from tsk_core.study.weka.printed import conditions_and_rules

__all__ = ["MOST_SECONDS", "Weka", "arff", "jrip", "missing", "part", "trained"]

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
            self._process = ChildProcess(
                "tsk_core.study.weka.process", environment={"JAVA_TOOL_OPTIONS": _JAVA_OPTIONS}, quiet=True
            )
            self._process.wait_until_ready(START_SECONDS)
        return self._process


_weka = Weka()
atexit.register(_weka.stop)
