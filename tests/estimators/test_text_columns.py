"""What ``fit`` says of text columns that would silently become categories."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier, TSKClassifierCV, fit_many
from tsk_core.data import make_dataset
from tsk_core.errors import DataError, DataWarning
from tsk_core.estimators.validation import warn_of_text_columns

N = 60
QUICK = {"n_rules": 2, "max_epochs": 1, "random_state": 0}
COLUMNS = {  # what a column has, and what is said of it; "" for nothing
    "unit": (
        [f"{k} kg" for k in range(N)],
        "has numbers as text, such as '0 kg', and each of its 60 different texts becomes a category;",
    ),
    "few units": (["12 kg", "13 kg"] * 30, "has numbers as text, such as '12 kg', and each of its 2 different texts"),
    "decimal comma": ([f"{k % 7},5" for k in range(N)], "has numbers as text, such as '0,5', and each of its 7 different texts"),
    "some missing": ([None if k % 3 else f"{k} €" for k in range(N)], "has numbers as text, such as '0 €',"),
    "iso day": ([f"2023-01-{1 + k % 28:02d}" for k in range(N)], "has dates as text, such as '2023-01-01', and each of its 28"),
    "german day": ([f"{1 + k % 28}.03.2023" for k in range(N)], "has dates as text, such as '1.03.2023',"),
    "id": (
        [f"p{k:03d}" for k in range(N)],
        "has 60 different texts in 60 filled cells, such as 'p000', and each becomes a category;",
    ),
    "name": ([f"name {k % 40}" for k in range(N)], "has 40 different texts in 60 filled cells,"),
    "colour": (["red", "green", "blue"] * 20, ""),
    "many categories": ([f"town {k % 25}" for k in range(N)], ""),
    "code": (["1", "2", "3"] * 20, ""),
    "truth": ([True, False] * 30, ""),
    "one word": (["same"] * N, ""),
    "empty": ([None] * N, ""),
    "number": (np.arange(N) / 3, ""),
}


class CountingSearch(TSKClassifierCV):
    """Its budget is of looks at the clock, and so the same on every machine."""

    def fit_iter(self, *args, **options):
        ticks = itertools.count()
        return super().fit_iter(*args, **options, clock=lambda: float(next(ticks)))


def table(name, dtype=None):
    column = pd.Series(COLUMNS[name][0], dtype=dtype)
    return pd.DataFrame({name: column, "x": np.arange(N) % 9.0}), np.arange(N) % 2


def as_fit(X):
    """The warnings alone, from where ``fit`` gives them."""
    warn_of_text_columns(X)


def said(fit, X, y):
    """The DataWarnings of a fit, and of nothing else."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(X, y)
    assert all(warning.category is DataWarning and warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("dtype", ["str", object])
def test_a_column_that_is_hardly_meant_as_categories_is_named(name, dtype):
    dtype = dtype if isinstance(COLUMNS[name][0][0], str) else None
    messages = said(lambda X, y: TSKClassifier(**QUICK).fit(X, y), *table(name, dtype))
    if not COLUMNS[name][1]:
        assert messages == []
    else:
        (message,) = messages
        assert message.startswith(f"Column '{name}' {COLUMNS[name][1]}") and len(message) < 300


@pytest.mark.parametrize("name", ["unit", "iso day", "id"])
def test_what_the_warning_advises_silences_it(name):
    X, y = table(name)
    dataset = make_dataset(X.assign(y=y), "y", name="table")
    assert said(lambda X, y: TSKClassifier(**QUICK).fit(X, y), dataset.X, dataset.y) == []
    assert said(lambda X, y: TSKClassifier(**QUICK).fit(X, y), X.assign(**{name: X[name].astype("category")}), y) == []


def test_each_way_to_fit_warns_once():
    X, y = table("unit")
    ways = [
        lambda X, y: TSKClassifier(**QUICK).fit(X, y),
        lambda X, y: list(TSKClassifier(**QUICK).fit_iter(X, y)),
        lambda X, y: fit_many([TSKClassifier(**QUICK), TSKClassifier(**QUICK)], X, y),
        lambda X, y: CountingSearch(budget=200, cv=2, random_state=0).fit(X, y),
    ]
    for way in ways:
        assert len(said(way, X, y)) == 1


def test_a_long_column_is_judged_by_all_its_rows_and_one_of_lists_is_refused():
    names = [f"p{k % 40_000}" for k in range(100_000)]  # different in any sample, each several times in the table
    X = pd.DataFrame({"name": names, "id": [f"p{k}" for k in range(100_000)]})
    messages = said(lambda X, _: as_fit(X), X, None)
    assert len(messages) == 1 and messages[0].startswith("Column 'id' has 100,000 different texts")
    X = pd.DataFrame({"x": range(N), "list": [[k] for k in range(N)]})
    with pytest.raises(DataError, match="list"):
        TSKClassifier(**QUICK).fit(X, ["a", "b"] * 30)
