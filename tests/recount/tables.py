"""Six tables as CSV text: what a reader has who recounts. Three are Fisher's kind, three have what real tables have."""

import io
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

EMPTY = {"", "?", "NA", "nan"}  # cells without a value


@dataclass(frozen=True)
class Table:
    """One table. csv: the file; its last column, class, is the target. orders: of ordered categories, lowest first. ranked: those
    of them in the role "ordinal". codes: column -> cells that are missing values, "" for every column.
    """

    name: str
    csv: str
    orders: dict[str, tuple[str, ...]]
    codes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ranked: tuple[str, ...] = ()

    @property
    def raw(self) -> pd.DataFrame:
        """The rows as text, as they stand in the file; empty where a value is missing."""
        rows = pd.read_csv(io.StringIO(self.csv), dtype=str, keep_default_na=False)
        for column in rows.columns:
            missing = EMPTY.union(self.codes.get("", ()), self.codes.get(column, ()))
            rows[column] = rows[column].mask(rows[column].isin(missing), "")
        return rows


def _of(name: str, frame: pd.DataFrame, **orders: tuple[str, ...]) -> Table:
    return Table(name, frame.to_csv(index=False), orders)


def _sklearn(name: str, load) -> Table:
    bunch = load(as_frame=True)
    return _of(name, bunch.data.assign(**{"class": np.asarray(bunch.target_names)[bunch.target]}))


def _machines() -> Table:
    """A category that is rare and says all (M13), numbers with gaps, some of them written as -99, an ordered category."""
    random, n = np.random.default_rng(3), 280
    machine = random.choice(["M7", "M11", "M12", "M13"], n, p=[0.5, 0.25, 0.18, 0.07])
    load = random.choice(["low", "medium", "high"], n)
    heat = np.round(random.normal(60, 12, n) + 10 * (load == "high"), 1)
    broken = (heat + 15 * (load == "high") + random.normal(0, 6, n) > 78) & (machine != "M13")
    heat = pd.Series(heat).mask(random.random(n) < 0.08)
    heat = heat.where(heat.notna() | (random.random(n) < 0.5), -99)
    frame = pd.DataFrame({"machine": machine, "load": load, "heat": heat, "age": random.integers(0, 30, n)})
    table = _of("machines", frame.assign(**{"class": np.where(broken, "broken", "runs")}), load=("low", "medium", "high"))
    return replace(table, codes={"heat": ("-99.0",)})


def _rare() -> Table:
    """Three classes of 70, 22 and 8 of 100 rows, whose numbers have five digits."""
    random, sizes = np.random.default_rng(5), (210, 66, 24)
    y = np.repeat([0, 1, 2], sizes)
    X = np.round(random.normal(size=(len(y), 5)) * 1000 + 1500 * y[:, None] * np.array([1, 0, 1, 0, 0]), 3)
    frame = pd.DataFrame(X, columns=["width (mm)", "a,b", "depth", 'the "x"', "z"])
    frame["class"] = np.array(["common", "some", "rare"])[y]
    return _of("rare", frame.sample(frac=1, random_state=0))


def _votes() -> Table:
    """Categories alone, one of them with numbers for names, two in the role "ordinal", one of these with empty cells."""
    random, n = np.random.default_rng(8), 240
    ages, regions, answer = (random.choice(of, n) for of in (["18-30", "31-50", "51+"], ["N", "S", "E & W"], ["y", "n", ""]))
    place = np.where(random.random(n) < 0.1, "", random.choice(["third", "first", "second"], n))
    yes = (answer == "y") ^ (regions == "S") ^ (random.random(n) < 0.1)
    yes = np.where(place == "third", ages == "51+", yes)
    frame = pd.DataFrame({"age": ages, "region": regions, "answer": answer, "score": random.integers(1, 8, n), "place": place})
    orders = {"age": ("18-30", "31-50", "51+"), "place": ("first", "second", "third")}
    table = _of("votes", frame.assign(**{"class": np.where(yes, "for", "against")}), **orders)
    return replace(table, ranked=tuple(orders))


def table_of(name: str, codes: dict[str, tuple[str, ...]]) -> Table:
    """One of the six, or a CSV file whose last column is the class, with these codes for missing values."""
    return TABLES[name] if name in TABLES else Table(Path(name).stem, Path(name).read_text("utf-8"), {}, codes)


SKLEARN = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}
MADE = (*(_sklearn(name, load) for name, load in SKLEARN.items()), _machines(), _rare(), _votes())
TABLES = {table.name: table for table in MADE}
