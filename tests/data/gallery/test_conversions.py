"""Conversion of OpenML's tables to those of the paper."""

import numpy as np
import pandas as pd

from tsk_core.data.gallery import paper


def test_numbers_of_classes_become_names_whatever_their_type():
    names = {"1": "text", "2": "line"}
    for values in ([1, 2, 9], [1.0, 2.0, 9.0], ["1", "2", "9"]):
        frame = paper.with_class_names(names)(pd.DataFrame({"x": [0, 1, 2], "Class": values}))
        assert list(frame.columns) == ["x", "class"]
        assert frame["class"].tolist() == ["text", "line", "9"]


def test_waveform_keeps_its_first_21_columns():
    frame = pd.DataFrame(np.arange(120).reshape(3, 40), columns=[f"x{k}" for k in range(1, 41)]).assign(kind=["0", "1", "2"])
    table = paper.waveform(frame)
    assert list(table.columns) == [*(f"x{k}" for k in range(1, 22)), "class"]
    assert table["class"].tolist() == ["wave_0", "wave_1", "wave_2"]


def test_rings_of_abalone_become_three_classes_and_magic_loses_only_its_row_numbers():
    table = paper.abalone(pd.DataFrame({"length": range(6), "rings": pd.Categorical(["1", "9", "10", "15", "16", "29"])}))
    assert table["class"].tolist() == ["rings_le_9"] * 2 + ["rings_10_15"] * 2 + ["rings_ge_16"] * 2
    table = paper.magic(pd.DataFrame({"ID": [1, 2], "fLength:": [0.5, 0.6], "class:": ["g", "h"]}))
    assert table.to_dict("list") == {"fLength:": [0.5, 0.6], "class": ["gamma", "hadron"]}


def test_the_outputs_of_clave_become_one_class_where_exactly_one_is_set_or_there_is_one():
    pulses = np.zeros((6, 16), int)
    outputs = np.vstack([np.eye(4, dtype=int), [0, 0, 0, 0], [1, 0, 1, 0]])
    table = paper.clave(pd.DataFrame(np.hstack([pulses, outputs])).rename(columns=str))
    assert table["class"].tolist() == ["neutral", "reverse_clave", "forward_clave", "incoherent"]
    assert table.shape == (4, 17)
    frame = pd.DataFrame(np.zeros((2, 16), int)).rename(columns=str).assign(kind=["a", "b"])
    assert paper.clave(frame)["class"].tolist() == ["a", "b"]
