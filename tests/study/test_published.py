"""The paper's numbers: equal to its LaTeX source where that is at hand, and consistent wherever they are."""

import os
import re
from pathlib import Path

import pandas as pd
import pytest

from tsk_core.data.gallery import GALLERY
from tsk_study import (
    DATASETS,
    PAPER,
    SOURCES,
    printed_averages,
    printed_p_values,
    printed_scores,
    printed_sizes,
)
from tsk_study.published import AVERAGE, records

METRICS = ("rca", "bca")
SOURCE = os.environ.get("TSK_PAPER_TEX")  # the paper's LaTeX file, which is not ours to ship


@pytest.mark.soak
@pytest.mark.skipif(not SOURCE, reason="TSK_PAPER_TEX names no LaTeX source of the paper")
def test_every_number_stands_in_the_source_in_this_order_and_none_is_missing():
    source = Path(SOURCE).read_text(encoding="utf-8")
    found = records()
    for label, printed in found.groupby("label", sort=False):
        body = source.split(f"\\label{{{label}}}")[1].split("\\end{tabular}")[0].split("\\hline", 1)[1]
        rows = re.sub(r"\\tnote\{\d+\}|\\hline", "", body).split("\\\\")
        cells = [re.findall(r"(?:^|&)\s*(\\textbf\{)?(\d[\d,.]*)\}?\s*(?=&|\\|$)", row.strip()) for row in rows]
        numbers = [(value, bool(bold)) for row in cells for bold, value in row]
        assert numbers == list(zip(printed["value"], printed["bold"], strict=True)), label
        names = [name for name in printed["dataset"].unique() if name]
        assert [name for row in rows for name in names if re.search(rf"(^|&)\s*{name}\s*&", row.strip())] == names


def test_every_cell_of_the_seven_tables_is_there_once():
    found = records()
    assert not found.duplicated(["label", "dataset", "algorithm", "against", "metric"]).any()
    counts = {"tab:data": 12 * 4, "tab:acc": 13 * 9, "tab:bca": 13 * 9, "tab:accrank": 13 * 9, "tab:bcarank": 13 * 9}
    assert found["label"].value_counts().to_dict() == counts | {"tab:pvalue": 2 * (6 + 7 + 8), "tab:bcabnv": 13 * 4}
    assert set(found["dataset"]) == {*DATASETS.values(), AVERAGE, ""}
    assert {(row.table, row.label) for row in found.itertuples()} == {
        (one.table.split()[1], one.label) for one in SOURCES.values()
    }


@pytest.mark.parametrize("metric", METRICS)
def test_the_columns_average_to_what_is_printed(metric):
    means = printed_scores(metric).mean().dropna()
    assert len(means) == {"rca": 9, "bca": 11}[metric]
    assert (means - printed_averages(metric)[means.index]).abs().max() < 1e-4


def test_sizes_are_those_of_the_tables_here_but_for_what_is_known():
    printed = printed_sizes()
    here = pd.DataFrame({name: (GALLERY[name].rows, GALLERY[name].features, GALLERY[name].classes) for name in printed.index})
    differ = here.T.set_axis(printed.columns, axis=1).ne(printed)
    assert [(row, column) for row in differ.index for column in differ if differ.at[row, column]] == [
        ("abalone", "features"), ("clave", "samples"),
    ]  # fmt: skip


def test_frames_are_in_the_studys_order_and_belong_to_who_asks():
    for metric in METRICS:
        frame = printed_scores(metric)
        assert (list(frame.index), list(frame.columns)) == (list(DATASETS), list(PAPER))
        frame.loc[:, :] = 0
        assert printed_scores(metric).at["satellite", "TSK-MBGD"] == {"rca": 0.4890, "bca": 0.4337}[metric]
    assert printed_scores("rca")[["TSK-MBGD-UR-GBN", "TSK-MBGD-UR-RBN"]].isna().all(axis=None)
    assert printed_p_values("bca").at["TSK-MBGD-UR-BN", "RF"] == 0.0291
    with pytest.raises(KeyError):
        printed_scores("auc")
