"""A model recomputed from its exported rules (JSON) and raw rows, by the formulas of the format, with numpy alone."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd


class Model:
    """The exported rules, read from their JSON text."""

    def __init__(self, text: str) -> None:
        self.exported: dict[str, Any] = json.loads(text)
        self.classes = np.array(self.exported["classes"])
        self.columns = self.exported["columns"]
        rules = self.exported["rules"]
        self.log_weights = np.array([rule["log_weight"] for rule in rules])
        self.centres = np.array([rule["centers"] for rule in rules], float)
        self.widths = np.array([[np.inf if s is None else s for s in rule["sigmas"]] for rule in rules])
        self.consequents = np.array([rule["consequents"] for rule in rules])  # (R, C, D + 1), constant first

    @property
    def filled(self) -> Mapping[str, Any]:
        """What replaces an empty cell of each column."""
        return {column["feature"]: column["impute"] for column in self.columns if column.get("impute") is not None}

    @property
    def kept(self) -> Mapping[str, list[str]]:
        """Of each column whose rare categories are one, "other": the others."""
        grouped = {column["feature"] for column in self.columns if column["category"] == "other"}
        return {
            name: [one["category"] for one in self.columns if one["feature"] == name and one["category"] != "other"]
            for name in grouped
        }

    def encoded(self, raw: pd.DataFrame) -> np.ndarray:
        """The model's numbers of raw rows (cells as text), (N, D)."""
        parts = []
        for column in self.columns:
            cells = raw[column["feature"]]
            if levels := column.get("levels"):
                ranks = cells.map({name: float(rank) for rank, name in enumerate(levels)})
                parts.append(ranks.fillna(column["impute"]).to_numpy(float))
            elif column["kind"] == "number":
                numbers = pd.to_numeric(cells.mask(cells == ""), errors="coerce")
                parts.append(numbers.fillna(np.nan if column["impute"] is None else column["impute"]).to_numpy(float))
            elif column["kind"] == "missing":
                parts.append((cells == "").to_numpy(float))
            elif column["category"] == "other":
                parts.append((~cells.mask(cells == "", str(column["impute"])).isin(self.kept[column["feature"]])).to_numpy(float))
            else:
                cells = cells.mask(cells == "", str(column["impute"]))
                parts.append((cells == column["category"]).to_numpy(float))
        return np.column_stack(parts)

    def firing(self, raw: pd.DataFrame, printed: Mapping[int, set[str]] | None = None) -> np.ndarray:
        """f̄, (N, R). printed: by the numbers of rules from 0 the features of their printed conditions, to which they are cut."""
        x, widths = self.encoded(raw)[:, None, :], self.widths
        if printed is not None:
            features = [column["feature"] for column in self.columns]
            kept = np.array([[name in printed.get(r, ()) for name in features] for r in range(len(widths))])
            widths = np.where(kept, widths, np.inf)
        z = self.log_weights - (((x - self.centres) / widths) ** 2 / 2).sum(2)
        if printed is not None:
            z[:, [r for r in range(len(widths)) if r not in printed]] = -np.inf
        kind = self.exported["normalisation"]
        levels = np.exp(z - z.max(1, keepdims=True)) if kind["kind"] == "softmax" else np.exp(z)
        return levels / (levels.sum(1, keepdims=True) + kind.get("epsilon", 0.0))

    def scores_of_rules(self, raw: pd.DataFrame) -> np.ndarray:
        """y_r^c, (N, R, C)."""
        x = self.encoded(raw)
        return self.consequents[:, :, 0] + np.einsum("nd,rcd->nrc", x, self.consequents[:, :, 1:])

    def scores(self, raw: pd.DataFrame) -> np.ndarray:
        """Σ f̄_r y_r^c, (N, C)."""
        return (self.firing(raw)[:, :, None] * self.scores_of_rules(raw)).sum(1)

    def predicted(self, raw: pd.DataFrame) -> np.ndarray:
        """The class with the highest score."""
        return self.classes[self.scores(raw).argmax(1)]

    def probabilities(self, raw: pd.DataFrame) -> np.ndarray:
        """The softmax of the scores, with class weights of the scores and the file's ``log_prior``, (N, C)."""
        scores = self.scores(raw) + self.exported.get("log_prior", 0.0)
        levels = np.exp(scores - scores.max(1, keepdims=True))
        return levels / levels.sum(1, keepdims=True)
