"""The results of ``benchmarks.readable`` as Markdown: against the targets, and table by table."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import t

PEERS = ("CART", "JRip", "PART", "rule list")
KINDS = {"search": "Found by tuning", "start": "Starting point"}


def summary(folder: Path, developed_on: list[str]) -> str:
    """All figures of the JSON files in a folder; intervals are 95% t intervals of the mean over tables."""
    records = [json.loads(path.read_text()) | {"table": path.stem.rsplit("-", 1)[0]} for path in sorted(folder.glob("*.json"))]
    frame = pd.json_normalize(records)
    for kind in KINDS:
        frame[f"{kind}.right"] = frame[f"{kind}.winner_right"] - frame[f"{kind}.rca"]
    tables = frame.groupby("table").mean(numeric_only=True)
    old = tables.index.isin(developed_on)
    groups = {"all": tables, "developed on": tables[old], "not developed on": tables[~old]}
    groups = {name: group for name, group in groups.items() if len(group)}
    header = ["", "Target", *(f"{name} ({len(group)} tables)" for name, group in groups.items())]
    by_group = [figures(group) for group in groups.values()]
    lines = [[f"{text}", target, *(each[text, target] for each in by_group)] for text, target in by_group[0]]
    return "\n".join([markdown(header, lines), "", by_table(tables), ""])


def figures(tables: pd.DataFrame) -> dict[tuple[str, str], str]:
    """What it is and its target -> the figure. tables: means over splits, one row per table."""
    found = {}
    for kind, title in KINDS.items():
        lost = tables["recommended.bca"] - tables[f"{kind}.bca"]
        found[f"{title}: BCA lost to the recommended model", "≤ .01; ≤ .03 on 90%"] = (
            f"{with_interval(lost)}; ≤ .03 on {(lost <= 0.03).mean():.0%}"
        )
        lost = tables["balanced.bca"] - tables[f"{kind}.bca"]
        found[f"{title}: BCA lost to it with balanced class weights", ""] = with_interval(lost)
        for text, target, column, digits in (
            ("strongest rule agrees with the model", "≥ .95", "readings.strongest.fidelity", 3),
            ("the sentence of the strongest rule is literally true", "≥ .80", "winner_true", 3),
            ("its class is right there, less the model's RCA on all rows", "≥ 0", "right", 3),
            ("BCA of the strongest rule alone", "", "readings.strongest.bca", 3),
            ("BCA of the sentences alone", "", "readings.sentences.bca", 3),
            ("rules", "≤ 12", "rules", 1),
            ("conditions", "≤ 30", "conditions", 1),
        ):
            found[f"{title}: {text}", target] = f"{tables[f'{kind}.{column}'].mean():.{digits}f}"
        for name in ("seeds", "bootstrap"):
            found[f"{title}: stability over {name} (Dice)", "higher on 70%"] = stability(tables, kind, name)
    for name in PEERS:
        if f"peers.{name}.bca" in tables:
            ahead = (tables["search.bca"] - tables[f"peers.{name}.bca"]).dropna()
            text = f"Found by tuning beside {name} of at most as many conditions: BCA"
            found[text, "ahead on 70%, +.03"] = f"ahead on {(ahead > 0).mean():.0%}, {with_interval(ahead)}"
    found["Found by tuning: seconds", ""] = f"{tables['search.seconds'].mean():.1f}"
    return found


def stability(tables: pd.DataFrame, kind: str, name: str) -> str:
    """Of the tables where it was measured."""
    if f"{kind}.{name}" not in tables:
        return "not measured"
    pairs = tables[[f"{kind}.{name}", f"recommended.{name}"]].dropna().to_numpy()
    higher = (pairs[:, 0] > pairs[:, 1]).mean()
    return f"{pairs[:, 0].mean():.2f}, recommended {pairs[:, 1].mean():.2f}; higher on {higher:.0%} of {len(pairs)}"


def with_interval(values: pd.Series) -> str:
    """The mean with its interval."""
    half = t.ppf(0.975, len(values) - 1) * values.std() / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():+.3f} ± {half:.3f}"


def by_table(tables: pd.DataFrame) -> str:
    """A line a table."""
    columns = {
        "recommended": ("recommended.bca", 3), "balanced": ("balanced.bca", 3), "start": ("start.bca", 3),
        "found": ("search.bca", 3), "rules": ("search.rules", 1), "conditions": ("search.conditions", 1),
        "agrees": ("search.readings.strongest.fidelity", 2), "true": ("search.winner_true", 2),
        **{name: (f"peers.{name}.bca", 3) for name in PEERS},
    }  # fmt: skip
    columns = {name: column for name, column in columns.items() if column[0] in tables}
    lines = [
        [table, *(f"{values[column]:.{digits}f}" for column, digits in columns.values())] for table, values in tables.iterrows()
    ]
    return markdown(["BCA", *columns], lines)


def markdown(header: list[str], lines: list[list[str]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in [header, ["---"] * len(header), *lines])
