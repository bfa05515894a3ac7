"""The paper's numbers, read once."""

from functools import cache

import pandas as pd

from tsk_core.study import printed_scores


@cache
def printed_table(metric: str) -> pd.DataFrame:
    """The printed averages of "rca" or "bca": datasets × algorithms, NaN where nothing is printed. Not to be changed."""
    return printed_scores(metric)


def printed_value(dataset: str, algorithm: str, metric: str) -> float | None:
    """One of them; None where nothing is printed."""
    table = printed_table(metric)
    if algorithm not in table or pd.isna(value := table.at[dataset, algorithm]):
        return None
    return float(value)
