"""Weka, with a Java virtual machine, in a process of its own: a request in JSON a line in, an answer in JSON a line out.

Its first line says that it is ready. A request names the classifier, maybe with options, and brings both tables as ARFF; the
answer has the test rows' class indices and the model as Weka prints it, or an error. The process ends as soon as its input does,
even while Weka is at work: whoever asked is gone then. ``client`` starts it.
"""

import json
import logging
import os
from collections.abc import Sequence
from typing import Any

from tsk_core.runtime.child_process import requests


def main() -> None:
    """Answer requests until the parent closes the input."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what Java prints goes elsewhere
    lines = requests()
    print("ready", file=answers, flush=True)
    for line in lines:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return _predict(**request)
    except Exception as error:  # Java's too; one request that fails is no reason to end
        return {"error": (str(error) or type(error).__name__).splitlines()[0]}


def _predict(classifier: str, train: str, test: str, options: Sequence[str] = ()) -> dict[str, Any]:
    from weka.classifiers import Classifier
    from weka.core import jvm

    jvm.start(logging_level=logging.ERROR)  # does nothing the second time
    model = Classifier(classifier, options=list(options))
    model.build_classifier(_instances(train))
    return {"predicted": [int(model.classify_instance(row)) for row in _instances(test)], "text": str(model)}


def _instances(arff: str) -> Any:
    from jpype import JClass
    from weka.core.dataset import Instances

    instances = Instances(JClass("weka.core.Instances")(JClass("java.io.StringReader")(arff)))
    instances.class_is_last()
    return instances


if __name__ == "__main__":
    main()
