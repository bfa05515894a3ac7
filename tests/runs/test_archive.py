"""The zip of a run takes little more memory than it has bytes, however large the model is."""

import io
import json
import tracemalloc
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

from tsk_core.runs import archive


@pytest.fixture
def large_run(tmp_path):
    """What ``archive`` asks of a run: its model has 200,000 consequents, whose JSON is 5 MB."""
    (tmp_path / "model").mkdir()
    for name in ("model.safetensors", "model.json"):
        (tmp_path / "model" / name).write_bytes(b"{}")
    consequents = np.random.default_rng(0).normal(size=(20, 10_000))
    split = np.zeros(1)
    return SimpleNamespace(
        metrics={"classes": ["a", "b"]}, history=[], folder=tmp_path, split=split, rules=lambda most: "no rules",
        classifier=SimpleNamespace(to_dict=lambda: {"rules": consequents.tolist()}),
    )  # fmt: skip


def test_the_rules_of_a_large_model_are_written_in_parts(large_run, monkeypatch):
    monkeypatch.setattr("tsk_core.runs.archive.methods_text", lambda result: "")
    tracemalloc.start()
    try:
        rules = large_run.classifier.to_dict()
        numbers, _ = tracemalloc.get_traced_memory()
        monkeypatch.setattr(large_run.classifier, "to_dict", lambda: rules)
        packed = archive.archive(large_run, {}, "")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    text = zipfile.ZipFile(io.BytesIO(packed)).read("rules.json")
    assert json.loads(text) == rules
    assert most - numbers < 2 * len(packed) + 2_000_000 and len(text) > 4_000_000
