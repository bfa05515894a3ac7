"""The rules as an ONNX model: standard operators of opset 19, in 64-bit numbers, from the raw table to the class.

Each feature is an input of its name, (N, 1): a number as double, NaN where it is missing; a category as text, "" where it is
missing. Imputation, one column for each category and ranks of ordered categories are inside, as in the other code. Outputs: label
(N,), scores (N, C), probabilities (N, C).
Needs onnx, the extra "onnx".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.explain.formats.model import Feature, Model

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto

OPSET = 19  # the first that compares text
IR_VERSION = 9
OUTPUTS = ("label", "scores", "probabilities")
INPUTS_NOTE = "numbers as double, NaN where missing; categories as text, empty where missing"
_INSIDE = "tsk/"  # begins the names of what is neither input nor output
_LOWEST = -1e300  # a log firing level that can be subtracted


def input_names(model: Model) -> list[str]:
    """The names of the inputs: the features' own; one that is empty, or taken, gets a number after it."""
    names: list[str] = []
    taken = {*OUTPUTS, ""}
    for feature in model.features:
        name, number = feature.name, 1
        while name in taken or name.startswith(_INSIDE):
            number += 1
            name = f"{feature.name or 'input'} {number}" if not feature.name.startswith(_INSIDE) else f"input {number}"
        taken.add(name)
        names.append(name)
    return names


def to_onnx(model: Model) -> bytes:
    """The content of an .onnx file, of rules without a category of empty text. ModuleNotFoundError without onnx."""
    from onnx import TensorProto, checker, helper

    names = input_names(model)
    graph = _Graph()
    encoded = [graph.encode(feature, name) for feature, name in zip(model.features, names, strict=True)]
    x = graph.add("Concat", encoded, axis=1)  # (N, D)
    _infer(graph, model, x)
    kinds = [TensorProto.DOUBLE if feature.kind == "number" else TensorProto.STRING for feature in model.features]
    table: list[str | int | None] = ["N", len(model.classes)]
    shapes: dict[str, list[str | int | None]] = {"label": ["N"], "scores": table, "probabilities": table}
    made: ModelProto = helper.make_model(
        helper.make_graph(
            graph.nodes, "tsk_rules",
            [helper.make_tensor_value_info(name, kind, ["N", 1]) for name, kind in zip(names, kinds, strict=True)],
            [
                helper.make_tensor_value_info(name, TensorProto.STRING if name == "label" else TensorProto.DOUBLE, shapes[name])
                for name in OUTPUTS
            ],
            initializer=graph.constants,
            doc_string=f"A fuzzy classifier. Inputs: {INPUTS_NOTE}.",
        ),
        opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="TSK Explorer",
    )  # fmt: skip
    checker.check_model(made, full_check=True)
    content: bytes = made.SerializeToString()
    return content


class _Graph:
    """Nodes and constants as they are added."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def add(self, operator: str, inputs: Sequence[str], output: str = "", **attributes: Any) -> str:
        """Add a node; returns the name of its output."""
        from onnx import helper

        output = output or f"{_INSIDE}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def constant(self, values: object) -> str:
        """Add numbers or text; returns their name."""
        from onnx import TensorProto, helper, numpy_helper

        name, array = f"{_INSIDE}constant/{len(self.constants)}", np.asarray(values)
        if array.dtype.kind in "UO":
            text: Any = [str(value).encode("utf-8", "replace") for value in array.ravel()]  # its type leaves out text
            self.constants.append(helper.make_tensor(name, TensorProto.STRING, array.shape, text))
        else:
            self.constants.append(numpy_helper.from_array(array, name))
        return name

    def encode(self, feature: Feature, x: str) -> str:
        """The encoded columns of a feature, (N, width)."""
        from onnx import TensorProto

        if feature.kind == "number":
            return self.add("Where", [self.add("IsNaN", [x]), self.constant(np.array([[float(feature.impute)]])), x])
        missing = self.add("Equal", [x, self.constant(np.array([[""]], object))])  # (N, 1)
        filled = self.add("Where", [missing, self.constant(np.array([[feature.impute]], object)), x])
        known = self.add("Equal", [filled, self.constant(np.array([feature.categories], object))])  # (N, K)
        unknown = np.array([feature.encoded(None)])  # (1, width)
        columns = np.array([feature.encoded(name) for name in feature.categories]) - unknown
        encoded = self.add("MatMul", [self.add("Cast", [known], to=TensorProto.DOUBLE), self.constant(columns)])
        return self.add("Add", [encoded, self.constant(unknown)])


def _infer(graph: _Graph, model: Model, x: str) -> None:
    """Firing levels, scores, probabilities and class of encoded rows."""
    R, C, D = len(model.rules), len(model.classes), len(model.columns)
    centers, inverse = np.zeros((1, R, D)), np.zeros((1, R, D))
    for r, rule in enumerate(model.rules):
        for d, center, sigma in rule.conditions:
            centers[0, r, d], inverse[0, r, d] = center, 1 / sigma
    consequents = np.array([rule.consequents for rule in model.rules])  # (R, C, D + 1)
    rows = graph.add("Unsqueeze", [x, graph.constant(np.array([1]))])  # (N, 1, D)
    distance = graph.add("Mul", [graph.add("Sub", [rows, graph.constant(centers)]), graph.constant(inverse)])
    squares = graph.add("Mul", [distance, distance])
    total = graph.add("ReduceSum", [squares, graph.constant(np.array([2]))], keepdims=0)  # (N, R)
    level = graph.add("Mul", [total, graph.constant(np.array(-0.5))])
    level = graph.add("Add", [level, graph.constant(np.array([[rule.log_weight for rule in model.rules]]))])
    level = graph.add("Max", [level, graph.constant(np.array(_LOWEST))])
    if model.log_epsilon:  # LogTSK: f = 1/(ε − level)
        below = graph.add("Min", [level, graph.constant(np.array(0.0))])
        level = graph.add("Neg", [graph.add("Log", [graph.add("Sub", [graph.constant(np.array(model.log_epsilon)), below])])])
    firing = graph.add("Softmax", [level], axis=1)
    slopes = consequents[:, :, 1:].reshape(R * C, D).T.copy()
    own = graph.add(
        "Add", [graph.add("MatMul", [x, graph.constant(slopes)]), graph.constant(consequents[:, :, 0].reshape(1, -1))]
    )
    own = graph.add("Reshape", [own, graph.constant(np.array([-1, R, C]))])  # (N, R, C)
    weighted = graph.add("Mul", [graph.add("Unsqueeze", [firing, graph.constant(np.array([2]))]), own])
    scores = graph.add("ReduceSum", [weighted, graph.constant(np.array([1]))], "scores", keepdims=0)
    odds = graph.add("Add", [scores, graph.constant(np.array([model.log_prior]))]) if model.log_prior else scores
    graph.add("Softmax", [odds], "probabilities", axis=1)
    best = graph.add("ArgMax", [scores], axis=1, keepdims=0)
    graph.add("Gather", [graph.constant(np.array(model.classes, object)), best], "label", axis=0)
