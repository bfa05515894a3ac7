"""Predictions for new rows, by a kept run or a saved model."""

import shutil

import numpy as np
import pandas as pd
import pytest

from tests.training import train_run
from tsk_core import TSKClassifier, load_dataset
from tsk_core.__main__ import main
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, ReadOptions, make_dataset, read_csv, read_table
from tsk_core.errors import DataError, DataWarning, ModelFileError, RunError
from tsk_core.predict import prediction
from tsk_core.predict.prediction import load_model, predict_checked, predict_table, true_classes
from tsk_core.runs import RunStore

HEADER = "id,weight,day,kind"


def rows(count=60, target=True):
    """Weights with a unit and dates, both of which have to be read as in training."""
    lines = [HEADER if target else HEADER.removesuffix(",kind")]
    for k in range(count):
        line = f"p{k},{10 + 20 * (k % 2) + k % 5} kg,2023-{1 + k % 12:02d}-01"
        lines.append(line + (f",{'=light' if k % 2 == 0 else 'heavy'}" if target else ""))
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder of runs with one that has ended, and its id."""
    store = RunStore(tmp_path_factory.mktemp("trained"))
    dataset = read_csv(rows(), choices=Choices(target="kind"))
    run = store.create(TrainConfig(n_rules=3, max_epochs=200, batch_size=16, random_state=0), dataset)
    assert train_run(store.folder, run, store.open(run).config(), dataset).state == "finished"
    return store.folder, run


@pytest.fixture
def run(trained, tmp_path):
    """A copy of it for one test."""
    folder, run = trained
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return RunStore(tmp_path), run


def test_new_rows_are_read_as_the_training_table_was(run):
    store, name = run
    new = read_table(rows(10, target=False)).frame
    table = predict_table(load_model(name, store), new)
    assert table["predicted"].tolist() == ["=light", "heavy"] * 5
    assert list(table.columns) == ["id", "weight", "day", "predicted", "p(=light)", "p(heavy)", "rule", "warning"]
    assert np.allclose(table[["p(=light)", "p(heavy)"]].sum(axis=1), 1)
    assert table["weight"].tolist() == new["weight"].tolist()  # the rows as they came
    assert set(table["rule"]) <= {1, 2, 3}


def test_a_missing_column_is_named_and_a_cell_that_cannot_be_read_is_a_gap(run):
    model = load_model(run[1], run[0])
    with pytest.raises(DataError, match="'weight'"):
        predict_table(model, read_table(b"id,day\np1,2023-01-01\np2,2023-02-01\n").frame)
    odd = read_table(b"weight,day\nheavy!,2023-01-01\n12 kg,never\n").frame
    with pytest.warns(DataWarning) as said:
        table = predict_table(model, odd)
    assert [str(warning.message) for warning in said] == [
        "Column 'weight': 1 of 2 filled cells, such as 'heavy!', cannot be read as numbers like '12.5 kg' and counts as missing.",
        "Column 'day': 1 of 2 filled cells, such as 'never', cannot be read as dates like '2024-12-31' and counts as missing.",
    ]
    assert table["warning"].tolist() == [
        "weight = 'heavy!' cannot be read, taken as 22 (the median of training)",
        "day = 'never' cannot be read, taken as 2023-06-01 (the median of training)",
    ]
    assert model.row_warnings(odd).tolist() == table["warning"].tolist()
    with pytest.warns(DataWarning, match="heavy!"), pytest.warns(DataWarning, match="never"):
        assert model.predict(odd).tolist() == table["predicted"].tolist()


OTHER_SPELLINGS = {
    "decimal commas": b"weight;day\n12,5 kg;2023-05-01\n31,25 kg;2023-06-01\n",
    "decimal commas of three places": b"weight;day\n12,500 kg;2023-05-01\n31,250 kg;2023-06-01\n",
    "no units": b"weight,day\n12.5,2023-05-01\n31.25,2023-06-01\n",
    "German dates": b"weight,day\n12.5 kg,01.05.2023\n31.25 kg,01.06.2023\n",
    "named months": b"weight,day\n12.5 kg,1 May 2023\n31.25 kg,Jun 1. 2023\n".replace(b"Jun 1.", b"1 June"),
}


@pytest.mark.parametrize("spelling", OTHER_SPELLINGS)
def test_another_unambiguous_spelling_is_read_as_the_same_rows(run, spelling):
    model = load_model(run[1], run[0])
    new, options = OTHER_SPELLINGS[spelling], {}
    if "three" in spelling:
        options["decimal"] = ","  # what a larger file shows by its other numbers
    same = model.clean(read_table(b"weight,day\n12.5 kg,2023-05-01\n31.25 kg,2023-06-01\n").frame)
    pd.testing.assert_frame_equal(model.clean(read_table(new, ReadOptions(**options)).frame), same)


UNREADABLE = {
    "another unit": (["12 lb,2023-05-01", "31 lb,2023-06-01", ",2023-06-02"], "'weight': 2 of 2 filled cells, such as '12 lb',"),
    "an ambiguous order": (["12 kg,01/05/2023", "31 kg,01/06/2023"], "'day': 2 of 2 filled cells, such as '01/05/2023',"),
    "numbers for dates": (["12 kg,45047", "31 kg,45078"], "'day': 2 of 2 filled cells, such as '45047',"),
    "words": (["light,2023-05-01", "a lot,2023-06-01", "3 kg,2023-06-01"], "'weight': 2 of 3 filled cells, such as 'light',"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_column_of_which_most_cannot_be_read_is_an_error(run, kind, tmp_path, monkeypatch, capfd):
    lines, said = UNREADABLE[kind]
    content = "\n".join(["weight,day", *lines]).encode()
    model, path = load_model(run[1], run[0]), tmp_path / "new.csv"
    for use in (model.predict, model.predict_proba, lambda frame: predict_table(model, frame)):
        with pytest.raises(DataError, match=said) as error:
            use(read_table(content).frame)
        assert "write them as in training, as " in str(error.value)
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path))
    path.write_bytes(content)
    assert main(["predict", run[1], str(path), "-o", str(tmp_path / "out.csv")]) == 1
    assert capfd.readouterr().err == f"error: {error.value}\n"
    assert not (tmp_path / "out.csv").exists()


def test_the_command_line_writes_what_a_spreadsheet_does_not_run(run, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path))
    source, out = tmp_path / "new.csv", tmp_path / "out.csv"
    source.write_bytes(rows(10, target=False))
    assert main(["predict", run[1], str(source), "-o", str(out)]) == 0
    assert b'"\'=light"' in out.read_bytes()
    assert read_table(out).frame["predicted"].tolist() == ["=light", "heavy"] * 5
    assert capfd.readouterr().err == (
        "An apostrophe stands before class names that a spreadsheet would run as formulas, such as '=light'; --plain writes"
        " them as they are.\n"
    )
    assert main(["predict", str(tmp_path / run[1]), str(source)]) == 0  # a run's folder, to standard output
    assert capfd.readouterr().out.encode() == out.read_bytes()
    assert main(["predict", run[1], str(source), "-o", str(out), "--plain"]) == 0
    assert pd.read_csv(out)["predicted"].tolist() == ["=light", "heavy"] * 5
    assert capfd.readouterr().err == ""


def test_a_saved_model_predicts_raw_tables_without_a_run(run, tmp_path):
    classifier = load_model(run[1], run[0])
    classifier.save(tmp_path / "model")
    saved = load_model(str(tmp_path / "model"), run[0])
    assert saved.cleaning_ == classifier.cleaning_ is not None
    new = read_table(rows(10, target=False)).frame
    pd.testing.assert_frame_equal(predict_table(saved, new), predict_table(classifier, new), check_exact=True)
    assert saved.predict(new).tolist() == ["=light", "heavy"] * 5


def test_what_is_no_model_is_refused_in_a_sentence(run, tmp_path, capfd):
    with pytest.raises(RunError, match="no such run"):
        load_model("0" * 32, run[0])
    with pytest.raises(ModelFileError, match="no run and no saved model"):
        load_model(str(tmp_path / "nothing"), run[0])
    with pytest.raises(ModelFileError):
        load_model(str(tmp_path / "runs.sqlite"), run[0])
    assert main(["predict", "0" * 32, str(tmp_path / "no.csv")]) == 1
    assert capfd.readouterr().err.startswith("error: ")


def test_blocks_of_rows_change_nothing(run, monkeypatch):
    model = load_model(run[1], run[0])
    new = read_table(rows(40, target=False)).frame
    whole = predict_table(model, new)
    monkeypatch.setattr(prediction, "_BLOCK", 7)
    assert predict_table(model, new)["rule"].tolist() == whole["rule"].tolist()
    names = ["p(=light)", "p(heavy)"]
    assert np.allclose(predict_table(model, new)[names], whole[names], rtol=0, atol=1e-12)
    assert np.allclose(whole[names], model.predict_proba(new), rtol=0, atol=1e-12)


def test_a_table_without_rows_is_refused(run):
    with pytest.raises(DataError, match="no rows"):
        predict_table(load_model(run[1], run[0]), read_table(rows(4)).frame.head(0))


def test_odd_cells_are_counted_where_training_used_the_column_and_words_for_missing_are_none(run):
    model = load_model(run[1], run[0])
    frame = read_table(b"id,weight,day\n,12 kg,2023-01-01\nx,heavy!,\ny,n/a,2023-02-30\n").frame
    check = predict_checked(model, frame)[1]
    assert (check.missing, check.unseen.count) == (2, 0)  # 'id' is not used
    odd = [(cells.column, cells.rows.tolist(), cells.texts.tolist(), cells.filled) for cells in check.unreadable]
    assert odd == [("weight", [1], ["heavy!"], 2), ("day", [2], ["2023-02-30"], 2)]  # the 30th of February is no day
    new = read_table(b"weight,day\nk. A.,2023-05-01\n-,unknown\n12 kg,-\n").frame
    assert predict_checked(model, new)[1].unreadable == ()
    assert model.clean(new).isna().to_numpy().tolist() == [[True, False], [True, True], [False, True]]


@pytest.mark.parametrize(
    ("classes", "bins", "cells", "positions"),
    [
        (["a", "b"], None, ["a", " b ", "c", None, "n/a"], [0, 1, -1, -1, -1]),
        (["1", "2"], None, [1.0, 2.0, 3.0, np.nan], [0, 1, -1, -1]),
        (["10 to 15", "<= 9", ">= 16"], 3, [9, 10, 15, 16, 100, None], [1, 0, 0, 2, 2, -1]),
        (["1.5 and above", "below 1.5"], 2, ["1.4 kg", "1.5 kg"], [1, 0]),
        (["1", "2"], 3, [1, 2, 2, 3, 1.5], [0, 1, 1, -1, -1]),  # too few different numbers to be grouped
        (["a", "b"], 2, ["b", "a"], [1, 0]),
    ],
)
def test_the_classes_of_new_rows_are_found_among_those_of_training(classes, bins, cells, positions):
    assert true_classes(classes, pd.Series(cells, name="y"), bins).tolist() == positions


def test_merged_classes_are_all_without_a_name_of_their_own_and_a_code_is_no_class():
    frame = pd.DataFrame({"x": range(60), "k": ["a"] * 28 + ["b"] * 26 + ["c"] * 3 + ["d"] * 3})
    classes = make_dataset(frame, "k", name="t", choices=Choices(rare="merge")).classes
    cells = pd.Series(["a", "d", None, "c", "?"], name="k")
    assert true_classes(list(classes), cells, merged=True, codes=("?",)).tolist() == [0, 2, -1, 2, -1]
    assert true_classes(["a", "other", "other (2)"], pd.Series(["other", "c"]), merged=True).tolist() == [1, 2]
    ranges = ["10 to 15", "<= 9", ">= 16"]
    assert true_classes(ranges, pd.Series([9, -99, 12], name="y"), 3, ("-99",)).tolist() == [1, -1, 0]


def test_a_cell_with_a_code_is_predicted_as_an_empty_one():
    dataset = read_csv(rows().replace(b"12 kg", b"-99"), "kind", name="t", choices=Choices(codes={"weight": ("-99",)}))
    model = TSKClassifier(n_rules=2, max_epochs=2, random_state=0).fit(dataset.X, dataset.y)
    model.cleaning_ = dataset.cleaning
    coded, empty = (dataset.raw[0].head(3).assign(weight=cell) for cell in ("-99.0", None))
    added = ["predicted", "p(=light)", "p(heavy)", "rule", "warning"]
    pd.testing.assert_frame_equal(predict_table(model, coded)[added], predict_table(model, empty)[added])


def test_the_rule_named_is_the_one_that_adds_most_to_the_score_under_layer_normalisation():
    iris = load_dataset("iris")
    model = TSKClassifier(n_rules=6, layer_norm="relu", max_epochs=15, random_state=0).fit(iris.X, iris.y)
    model.cleaning_ = iris.cleaning
    rows = iris.X.iloc[::10]
    named = predict_table(model, rows)["rule"]
    for rule, (_, row) in zip(named, rows.iterrows(), strict=True):
        found = model.explain(row)
        adds = {one.index: one.adds for one in found.rules}
        assert adds[rule] == max(adds.values())
