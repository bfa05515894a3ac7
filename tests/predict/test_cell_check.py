"""What is said of odd cells is the same in the library, in the file, on the command line and on the page of a row."""

import warnings
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier
from tsk_core.__main__ import main
from tsk_core.data import Choices, read_csv, read_table
from tsk_core.data.cell_check import check_cells
from tsk_core.data.encoding import Encoder
from tsk_core.errors import DataWarning
from tsk_core.predict import predict_checked, predict_row, predict_table, row_note

HEADER = "weight,day,time,colour,age"
UGLY = [  # a row, what is said of it, and whether that makes it unlike the training rows
    ("12 kg,2023-03-01,8:30,red,30", "", False),
    ("12 kg,2023-03-01,8:30,red,", "'age' is missing, taken as 34.5 (the median of training)", False),
    ("10 stones,2023-03-01,8:30,red,30", "weight = '10 stones' cannot be read, taken as 22 (the median of training)", True),
    ("12 kg,2023-03-01,8:30,purple,30", "colour = 'purple' did not occur in training", True),
    ("12 kg,2023-03-01,8:30,red,4000", "age = 4000 is far outside the training rows (20 to 49)", True),
    (
        "12 kg,,n/a,red,30",
        "'day' is missing, taken as 2023-03-15 (the median of training);"
        " 'time' is missing, taken as 08:14 (the median of training)",
        False,
    ),
    ("12 kg,2023-03-01,8:30,?,30", "'colour' is missing, taken as 'blue' (the most frequent category of training)", False),
    (",,,red,-", "4 of 5 values are missing", True),
    (
        "ten,2023-03-01,8:30,purple,4000",
        "weight = 'ten' cannot be read, taken as 22 (the median of training); colour = 'purple' did not occur in training;"
        " age = 4000 is far outside the training rows (20 to 49)",
        True,
    ),
    (
        "ten,soon,8:30,purple,",
        "weight = 'ten' cannot be read, taken as 22 (the median of training); day = 'soon' cannot be read, taken as 2023-03-15"
        " (the median of training); 3 of 5 values are missing; and 1 more",
        True,
    ),
]
NEW = "\n".join([HEADER, *(row for row, _, _ in UGLY)]).encode()
TEXTS, UNLIKE = [text for _, text, _ in UGLY], [unlike for _, _, unlike in UGLY]
SENTENCES = [
    "Column 'weight': 3 of 9 filled cells, such as '10 stones', cannot be read as numbers like '12.5 kg' and count as missing.",
    "Column 'day': 1 of 8 filled cells, such as 'soon', cannot be read as dates like '2024-12-31' and counts as missing.",
    "3 cells, such as colour = 'purple', have categories that did not occur in training; they are taken as none of the known"
    " ones.",
    "2 numbers, such as age = 4000, are far outside the training rows.",
    "9 missing values are filled as in training, with the median or the most frequent category: 1 of 'weight' with 22,"
    " 2 of 'day' with 2023-03-15, 2 of 'time' with 08:14, 1 of 'colour' with 'blue', 3 of 'age' with 34.5.",
    "6 of 10 rows are unlike the training rows; their probabilities mean little, and the column 'warning' says why.",
]


@pytest.fixture(scope="module")
def model():
    """Trained on a table of each kind of column."""
    lines = [f"{HEADER},kind"]
    for k in range(60):
        colour, age, kind = ("red", "blue", "blue")[k % 3], 20 + k % 30, ("light", "heavy")[k % 2]
        lines.append(f"{10 + 20 * (k % 2) + k % 5} kg,2023-03-{1 + k % 30:02d},8:{k % 30:02d},{colour},{age},{kind}")
    dataset = read_csv("\n".join(lines).encode(), choices=Choices(target="kind"))
    model = TSKClassifier(2, max_epochs=2, random_state=0).fit(dataset.X, dataset.y)
    model.cleaning_ = dataset.cleaning
    return model


@pytest.fixture
def new():
    return read_table(NEW).frame


@pytest.mark.filterwarnings("ignore::tsk_core.errors.DataWarning")
def test_the_library_says_it_of_each_row(model, new):
    assert predict_table(model, new)["warning"].tolist() == model.row_warnings(new).tolist() == TEXTS
    for n, text in enumerate(TEXTS):
        if "cannot be read" not in text:  # a row alone has a column of which all cells cannot be read, which is an error
            row = new.iloc[[n]]
            assert list(model.explain(row).warnings)[: bool(text)] == [text] * bool(text)
            assert predict_row(model, row).warning == text and predict_row(model, row).unlike == UNLIKE[n]


def test_the_library_warns_of_cells_that_cannot_be_read_and_of_nothing_else(model, new):
    with pytest.warns(DataWarning) as said:
        predict_table(model, new)
    assert [str(warning.message) for warning in said] == SENTENCES[:2]
    _, check = predict_checked(model, new)
    assert list(check.sentences("warning")) == SENTENCES and check.unlike.tolist() == UNLIKE


def test_the_command_line_says_the_same(model, tmp_path, capfd):
    model.save(tmp_path / "model")
    (tmp_path / "new.csv").write_bytes(NEW)
    assert main(["predict", str(tmp_path / "model"), str(tmp_path / "new.csv")]) == 0
    written = capfd.readouterr()
    assert written.err.splitlines() == SENTENCES
    out = read_table(written.out.encode()).frame
    assert out["warning"].fillna("").tolist() == TEXTS


def test_the_page_says_the_same_of_a_row():
    assert row_note(TEXTS[0], unlike=False) == ""
    assert row_note(TEXTS[1], unlike=False) == f"{TEXTS[1]}."
    assert row_note(TEXTS[4], unlike=True) == f"This row is unlike the training rows: {TEXTS[4]}. Its probabilities mean little."


def test_rows_of_training_have_nothing_odd_and_missing_ones_alone_are_no_warning(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new = read_table(b"weight,day,time,colour,age\n12 kg,2023-03-01,8:30,red,\n").frame
        table, check = predict_checked(model, new)
        assert predict_table(model, new).equals(table)
    (sentence,) = check.sentences("warning")
    assert (
        sentence
        == "1 missing value is filled as in training, with the median or the most frequent category: 1 of 'age' with 34.5."
    )


def test_a_model_of_plain_rows_says_it_by_the_names_that_it_gives_them():
    rows = np.column_stack([np.arange(10.0), np.arange(10.0) % 3])
    model = TSKClassifier(2, max_epochs=1, random_state=0).fit(rows, rows[:, 1] > 1)
    assert model.row_warnings([[np.nan, 1.0], [1e9, 1.0], [1.0, 1.0]]).tolist() == [
        "'x0' is missing, taken as 4.5 (the median of training)", "x0 = 1000000000 is far outside the training rows (0 to 9)", "",
    ]  # fmt: skip


def test_ordered_categories_are_taken_as_their_median():
    risk = pd.Categorical(["low", "medium", "medium", "high"], ["low", "medium", "high"], ordered=True)
    encoder = Encoder().fit(pd.DataFrame({"risk": risk, "x": [1.0, 2, 3, 4]}))
    check = check_cells(encoder, pd.DataFrame({"risk": ["high", "hihg", None], "x": [1.0, 2, 3]}))
    assert check.texts.tolist() == [
        "", "risk = 'hihg' did not occur in training, taken as 'medium' (the median of training)",
        "'risk' is missing, taken as 'medium' (the median of training)",
    ]  # fmt: skip
    assert check.sentences("warning")[:2] == (
        "1 cell, such as risk = 'hihg', has a category that did not occur in training; it is taken as the median.",
        "1 missing value is filled as in training, with the median or the most frequent category: 1 of 'risk' with 'medium'.",
    )


def test_rows_are_checked_as_one_by_one():
    rng = np.random.default_rng(0)
    train = pd.DataFrame({"n": rng.normal(size=50), "c": rng.choice(["a", "b"], 50), "m": rng.normal(size=50)})
    encoder = Encoder().fit(train)
    new = pd.DataFrame(
        {"n": rng.choice([0, 99, np.nan], 200), "c": rng.choice(["a", "z", None], 200), "m": rng.choice([1, np.nan], 200)}
    )
    together = check_cells(encoder, new)
    alone = [check_cells(encoder, new.iloc[[n]]) for n in range(200)]
    assert together.texts.tolist() == [check.texts[0] for check in alone]
    assert together.unlike.tolist() == [check.unlike[0] for check in alone]
    assert (together.missing, together.far.count) == (sum(c.missing for c in alone), sum(c.far.count for c in alone))
    assert together.unseen.count == sum(c.unseen.count for c in alone) > 20
    frame = pd.read_csv(BytesIO(new.to_csv(index=False).encode()))
    assert check_cells(encoder, frame).texts.tolist() == together.texts.tolist()
