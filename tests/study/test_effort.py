"""Reading effort: counted on models that can be counted by hand, kept in results.csv, and drawn against BCA."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, export_text

from tests.tables import make_table
from tsk_core.errors import DataError
from tsk_study import ALGORITHMS, Result, append_results, read_results, split_data
from tsk_study.figures import FIGURES, FigureOptions
from tsk_study.names import READ, READABLE
from tsk_study.other_algorithms import cart, logistic_regression, readable_within
from tsk_study.running import finished, unfinished

OLD = "dataset,algorithm,split,rca,bca,seconds,lambda,epochs,seed,version\n"
DATASETS = ("vehicle", "drd")
EFFORTS = {
    "CART": 100, "JRip": 20, "PART": 60, "Readable-10": 8, "Readable-20": 17, "Readable-30": 26, "LR": 40, "LR-weighted": 40,
    "EBM": 90,
}  # fmt: skip


@pytest.fixture(scope="module")
def split():
    return split_data(make_table(rows=120), 0)


def studied(datasets=DATASETS, splits=3, algorithms=(*EFFORTS, "RF", "TSK-recommended")):
    """Results whose scores and efforts are known."""
    rows = [
        Result(dataset, name, k, 0.8, 0.6 + 0.1 * at + 0.01 * k, 1.0, None, None, k, "0", EFFORTS.get(name))
        for at, dataset in enumerate(datasets)
        for name in algorithms
        for k in range(splits)
    ]
    return {one.key: one for one in rows}


# Counted


def test_a_tree_is_read_by_the_features_on_the_way_to_each_leaf_and_a_regression_by_coefficients(split):
    """Counted again in scikit-learn's own print of the tree; leaves of one class below one node are read as one."""
    fit = cart(split)
    model = DecisionTreeClassifier(max_depth=fit.detail["max_depth"], random_state=split.seed).fit(split.X_train, split.y_train)
    assert fit.detail["effort"] == printed_conditions(export_text(model, max_depth=50), split.feature_of)
    classes = len(np.unique(split.y_train))
    assert logistic_regression(split).detail["effort"] == split.X_train.shape[1] * (classes if classes > 2 else 1)


def printed_conditions(text, feature_of):
    """Conditions in the print of a tree whose leaves are joined where all below a node have one class."""

    def read(lines, depth):
        """(classes, conditions by leaf as sets of features) of the node whose lines these are."""
        if "class:" in lines[0]:
            return {lines[0].split("class:")[1]}, [frozenset()]
        starts = [at for at, line in enumerate(lines) if line.startswith("|   " * depth + "|--- ")]
        feature = feature_of[int(lines[0].split("feature_")[1].split()[0])]
        parts = [read(lines[start + 1 : end], depth + 1) for start, end in zip(starts, (*starts[1:], None), strict=True)]
        classes = set.union(*(part[0] for part in parts))
        if len(classes) == 1:
            return classes, [frozenset()]
        return classes, [leaf | {feature} for part in parts for leaf in part[1]]

    return sum(len(leaf) for leaf in read(text.splitlines(), 0)[1])


def test_readable_bases_of_three_sizes_share_one_search_and_keep_within_it(split, monkeypatch):
    from tsk_study import other_algorithms

    other_algorithms._searched.cache_clear()
    monkeypatch.setattr(other_algorithms, "BUDGET", 3.0)
    fits = [readable_within(split, most) for most in (10, 20, 30)]
    assert other_algorithms._searched.cache_info().misses == 1
    efforts = [fit.detail["effort"] for fit in fits]
    assert efforts == sorted(efforts) and all(0 < effort <= most for effort, most in zip(efforts, (10, 20, 30), strict=True))
    _, searched = other_algorithms._searched(split.dataset, split.seed)  # its seconds count for each size
    assert all(len(fit.predicted) == len(split.y_test) and fit.detail["seconds"] > searched > 0 for fit in fits)


def test_a_base_that_keeps_a_condition_too_many_gives_way_to_a_shorter_one(split, monkeypatch):
    from tsk_study import other_algorithms

    points = [SimpleNamespace(conditions=size) for size in (3, 9, 10, 14)]
    kept = {3: 3, 9: 9, 10: 11, 14: 14}
    model = SimpleNamespace(predict=lambda X: np.zeros(len(X), int))
    monkeypatch.setattr(other_algorithms, "_searched", lambda dataset, seed: (points, 1.0))
    monkeypatch.setattr(other_algorithms, "_trained", lambda split, point: (model, kept[point.conditions]))
    assert [readable_within(split, most).detail["effort"] for most in (10, 20, 2)] == [9, 14, 3]  # none is as short as 2


def test_the_three_sizes_of_a_split_are_one_unit():
    units = unfinished(["vehicle"], READABLE, 2, [], {"vehicle": 100})
    assert [unit.cells for unit in units] == [tuple((name, k) for name in READABLE) for k in (0, 1)]
    assert not set(READ) - set(ALGORITHMS)


# Kept


def test_a_file_without_efforts_is_read_and_gets_them_as_cells_are_computed_again(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(OLD + "drd,CART,0,0.5,0.4,1,,,0,0\ndrd,RF,0,0.6,0.5,1,,,0,0\n")
    before = read_results(path)
    assert [one.effort for one in before.values()] == [None, None]
    assert finished(before) == {("drd", "RF", 0)}
    again = replace(before["drd", "CART", 0], effort=12)
    append_results(path, [again])
    assert read_results(path) == {**before, again.key: again}
    assert path.read_text() == f"{OLD.strip()},effort\ndrd,RF,0,0.6,0.5,1,,,0,0\ndrd,CART,0,0.5,0.4,1.0,,,0,0,12\n"
    assert finished(read_results(path)) == {("drd", "RF", 0), ("drd", "CART", 0)}
    assert len(pd.read_csv(path)) == 2  # lines of both lengths


# Drawn


def test_a_point_is_the_mean_over_splits_and_the_average_has_what_all_algorithms_share():
    options = FigureOptions(studied())
    panels = FIGURES["effort"].panels(FIGURES["effort"].compute(options, lambda share: None))
    assert [panel.title for panel in panels] == ["Average over 2 datasets, 3 splits", "Vehicle", "DRD"]
    average, vehicle, _ = panels
    series = {one.name: one for one in vehicle.series}
    assert list(series) == ["Readable", "CART", "JRip", "PART", "LR", "LR-weighted", "EBM"]
    assert series["Readable"].x == [8, 17, 26] and series["CART"].x == [100]
    assert series["CART"].mean == pytest.approx([0.61]) and series["CART"].sd == pytest.approx([0.01])
    assert [name for _, name in vehicle.levels] == ["TSK-recommended", "RF"]
    assert average.series[0].mean == pytest.approx([0.66] * 3) and average.series[0].sd == pytest.approx([0.01] * 3)
    partial = studied() | studied(("yeast",), algorithms=("CART",)) | studied(("vehicle",), splits=5, algorithms=("RF",))
    frame = FIGURES["effort"].compute(FigureOptions(partial), lambda share: None)
    average = FIGURES["effort"].panels(frame)[0]
    assert average.title == "Average over 2 datasets, 3 splits" and average.levels[1][0] == pytest.approx(0.66)
    alone = FIGURES["effort"].compute(FigureOptions(studied(("drd",))), lambda share: None)
    assert [panel.title for panel in FIGURES["effort"].panels(alone)] == ["DRD"]


@pytest.mark.parametrize("results", [{}, studied(algorithms=("RF",)), {k: replace(v, effort=None) for k, v in studied().items()}])
def test_without_efforts_the_figure_says_what_to_compute(results):
    with pytest.raises(DataError, match=r"No result has a reading effort yet: .*study --algorithms CART,JRip,PART,Readable-10"):
        FIGURES["effort"].compute(FigureOptions(results), lambda share: None)
