"""What the paper prints: every number of its seven tables, as published.csv has them.

One line of the file is one printed number: table and label (its number in the paper and its label in the LaTeX source), dataset
and algorithm as printed (``against``: the second algorithm of a p-value), metric, value as printed, and bold. The source at hand
is the authors' LaTeX text, in which pages are not numbered: a number is found by its table, and the table by its section.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tsk_study.names import DATASETS, PAPER

if TYPE_CHECKING:
    import pandas as pd

AVERAGE = "Average"


@dataclass(frozen=True)
class Source:
    """A table of the paper. table: its number; label: of the LaTeX source; section: where it stands; page: None, not known."""

    table: str
    label: str
    section: str
    title: str
    page: int | None = None


SOURCES = {
    one.label: one
    for one in (
        Source("Table I", "tab:data", "III-A", "Summary of the 12 datasets"),
        Source("Table II", "tab:acc", "III-D", "Average RCAs of the nine algorithms on the 12 datasets"),
        Source("Table III", "tab:bca", "III-D", "Average BCAs of the nine algorithms on the 12 datasets"),
        Source("Table IV", "tab:accrank", "III-D", "RCA ranks of the nine algorithms on the 12 datasets"),
        Source("Table V", "tab:bcarank", "III-D", "BCA ranks of the nine algorithms on the 12 datasets"),
        Source("Table VI", "tab:pvalue", "III-E", "p-values of non-parametric multiple comparisons on the RCAs and BCAs"),
        Source("Table VII", "tab:bcabnv", "III-G", "Average BCAs of the three BN variants on the 12 datasets"),
    )
}


@dataclass(frozen=True)
class Misprint:
    """Where a table of the paper contradicts another one or the text. labels: of the tables."""

    labels: tuple[str, ...]
    text: str


MISPRINTS = (
    Misprint(
        ("tab:acc", "tab:accrank"),
        "Table II prints .8392 of TSK-MBGD-UR-BN on MAGIC in bold; the largest RCA there is .8574, of TSK-MBGD-UR. Table IV gives"
        " them ranks 6 and 1.",
    ),
    Misprint(
        ("tab:bca", "tab:bcarank"),
        "Table III prints .5402 twice on Abalone and only that of TSK-MBGD-UR-BN in bold; Table V gives TSK-FCM-LSE rank 1 and"
        " TSK-MBGD-UR-BN rank 2, from digits that are not printed.",
    ),
    Misprint(
        ("tab:bca", "tab:bcabnv"),
        "The average BCA of TSK-MBGD-UR is .7120 in Table III and .7121 in Table VII, of the same twelve values; they average"
        " to .71207.",
    ),
    Misprint(
        ("tab:bca",),
        "The average BCA of JRip is printed as .714; its twelve values average to .71409, which is .7141.",
    ),
    Misprint(
        ("tab:pvalue",),
        "Table VI prints significant p-values in bold without saying below which level: .0460, .0404 and .0291 are not bold,"
        " .0097 is. It fits one-sided p-values judged at .025.",
    ),
    Misprint(
        ("tab:acc", "tab:bca", "tab:pvalue"),
        "Dunn's test on the averages gives other p-values than Table VI for TSK-MBGD-BN and TSK-MBGD-UR: by the averages"
        " TSK-MBGD-BN is 4.8 standard errors below TSK-MBGD-UR-BN on RCA, by the p-values 2.6. It would fit a few splits that"
        " failed, which pull an average down further than ranks of single splits.",
    ),
    Misprint(
        ("tab:pvalue",),
        "The text calls the p-values of TSK-MBGD-UR-BN against RF and TSK-MBGD-UR quite close to the threshold; on RCA they are"
        " .2113 and .1409. It does not say that TSK-FCM-LSE on RCA (.0404) and PART on BCA (.0730) are not significant either.",
    ),
    Misprint(("tab:acc", "tab:bca"), "The decision tree is DT in the text and CART in the tables."),
    Misprint(
        ("tab:acc", "tab:bca"),
        "The text says that rows were drawn at random. On IS, whose classes are equally large, RCA and BCA agree to the last"
        " digit (PART's but for one), as they do where every class has as many test rows: the splits were stratified.",
    ),
    Misprint(("tab:data",), "Clave has 10,798 rows in Table I; the repository's file has 10,796 with exactly one class."),
)


@cache
def _records() -> "pd.DataFrame":
    import pandas as pd

    path = Path(__file__).with_name("published.csv")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    frame["bold"] = frame["bold"] == "yes"
    frame["number"] = frame["value"].str.replace(",", "").astype(float)
    return frame


def records() -> "pd.DataFrame":
    """Every printed number, one a row: the columns of published.csv, all as text but bold, and number, the value as float."""
    return _records().copy()


def printed_scores(metric: str) -> "pd.DataFrame":
    """The printed averages over the 30 splits.

    metric: "rca" or "bca". Datasets by their names in DATASETS × the paper's eleven algorithms, shares in [0, 1]; NaN where
    nothing is printed: GBN and RBN have no RCA. Raises KeyError for another metric.
    """
    frame = _pivot({"rca": ("tab:acc",), "bca": ("tab:bca", "tab:bcabnv")}[metric], metric)
    return frame.reindex(columns=list(PAPER))


def printed_ranks(metric: str) -> "pd.DataFrame":
    """The printed ranks by "rca" or "bca", 1 the best: datasets × nine algorithms."""
    return _pivot(({"rca": "tab:accrank", "bca": "tab:bcarank"}[metric],), f"{metric}_rank")


def printed_averages(metric: str) -> "pd.Series":
    """The printed last row of a table, by algorithm. metric: "rca", "bca", "rca_rank" or "bca_rank".

    Where two tables print the average of the same algorithm, that of the earlier one.
    """
    rows = _records()
    rows = rows[(rows["metric"] == metric) & (rows["dataset"] == AVERAGE)].drop_duplicates("algorithm")
    return rows.set_index("algorithm")["number"].rename(metric)


def printed_p_values(metric: str) -> "pd.DataFrame":
    """The printed p-values of Dunn's test on "rca" or "bca": TSK-MBGD-BN, -UR and -UR-BN × what they are compared with."""
    rows = _records()
    rows = rows[(rows["label"] == "tab:pvalue") & (rows["metric"] == metric)]
    frame = rows.pivot(index="algorithm", columns="against", values="number")
    return frame.reindex(index=rows["algorithm"].unique(), columns=[name for name in PAPER if name in set(rows["against"])])


def printed_sizes() -> "pd.DataFrame":
    """Samples, features (categories one-hot) and classes of the twelve datasets, as printed."""
    rows = _records()
    rows = rows[(rows["label"] == "tab:data") & (rows["metric"] != "index")]
    frame = rows.pivot(index="dataset", columns="metric", values="number").astype(int)
    return _named(frame)[["samples", "features", "classes"]]


def _pivot(labels: tuple[str, ...], metric: str) -> "pd.DataFrame":
    rows = _records()
    rows = rows[rows["label"].isin(labels) & (rows["metric"] == metric) & (rows["dataset"] != AVERAGE)]
    rows = rows.drop_duplicates(["dataset", "algorithm"])
    frame = _named(rows.pivot(index="dataset", columns="algorithm", values="number"))
    return frame[[name for name in PAPER if name in frame]]


def _named(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Rows by the names of ``load_dataset``, in the paper's order."""
    frame = frame.loc[list(DATASETS.values())]
    return frame.set_axis(list(DATASETS), axis=0).rename_axis(index="dataset", columns="algorithm")
