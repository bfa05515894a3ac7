"""Predictions for new rows, cleaned as the training table was, with probabilities, the rule that contributes most, and a cost."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from tsk_core.data.cell_check import CellCheck, check_cells
from tsk_core.data.clean import normalise_missing
from tsk_core.data.clean.categories import OTHER, in_spellings_of
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.codes import without_codes
from tsk_core.data.clean.pipeline import UnreadableCells, fresh_name, warn_of_unreadable
from tsk_core.data.clean.target import numbers_of
from tsk_core.data.naming import lowest, printed, printed_column
from tsk_core.data.splitting import row_blocks
from tsk_core.errors import DataError, ModelFileError, RunError
from tsk_core.evaluate import Decision

if TYPE_CHECKING:
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.runs import RunStore

_BLOCK = 2**21  # encoded numbers held at once: 16 MB
_RUN = re.compile("[0-9a-f]{32}")  # the id of a run


def load_model(run_or_model: str, store: "RunStore") -> "TSKClassifier":
    """A fitted classifier.

    run_or_model: the id of a run in ``store`` (a RunStore), the folder of one, or what ``TSKClassifier.save`` wrote.
    Raises RunError or ModelFileError if there is none.
    """
    from tsk_core.estimators.classifier import TSKClassifier

    path = Path(run_or_model)
    if path.exists() and not (path / "config.json").exists():
        return TSKClassifier.load(path)
    if not path.exists() and any(sign in run_or_model for sign in "/\\."):
        raise ModelFileError(f"There is no run and no saved model at '{run_or_model[:200]}'.")
    if path.exists() and path.resolve().parent != store.folder.resolve():
        raise RunError(f"'{run_or_model[:200]}' is a run of another folder; set TSK_RUNS_DIR to the folder it lies in.")
    try:
        store.record(path.name)
    except RunError:
        if _RUN.fullmatch(path.name):
            raise
        raise ModelFileError(f"There is no run and no saved model at '{run_or_model[:200]}'.") from None
    return store.result(path.name).classifier


def predict_table(classifier: "TSKClassifier", table: pd.DataFrame) -> pd.DataFrame:
    """The raw table with new columns: "predicted", "p(<class>)" of each class, "rule" (from 1), which contributes most, and
    "warning", which names unusual values in a row ("" for most; ``TSKClassifier.row_warnings``).

    The contribution of rule r to the predicted class c is what it adds to its score, less what it adds to the scores of all
    classes on average: f̄_r (y_r^c − mean_k y_r^k). One thread encodes and predicts the table in blocks of rows, so that only
    its new columns take additional memory.

    A DataWarning names each column of which some cells cannot be read; they are missing. Raises DataError where these are more
    than half of the filled cells of a column, and if a column is missing.
    """
    predicted, cells = predict_checked(classifier, table)
    warn_of_unreadable(cells.unreadable)
    return predicted


def predict_checked(classifier: "TSKClassifier", table: pd.DataFrame) -> tuple[pd.DataFrame, CellCheck]:
    """The same table, and in place of warnings unusual values of its cells."""
    X, unreadable = _features(classifier, table)
    cells = check_cells(classifier.encoder_, X, classifier.cleaning_, unreadable)
    return _with_predictions(classifier, table, X, cells.texts), cells


def _with_predictions(classifier: "TSKClassifier", table: pd.DataFrame, X: pd.DataFrame, texts: np.ndarray) -> pd.DataFrame:
    from tsk_core.runtime.torch_settings import torch_threads

    best, rule = np.empty(len(X), dtype=np.int64), np.empty(len(X), dtype=np.int64)
    probabilities = np.empty((len(classifier.classes_), len(X)))
    with torch_threads(1):
        for rows in row_blocks(len(X), len(classifier.encoder_.columns), _BLOCK):
            best[rows], probabilities[:, rows], rule[rows] = _predicted(classifier, X.iloc[rows])
    added: dict[str, np.ndarray | pd.api.extensions.ExtensionArray] = {"predicted": classifier.classes_[best]}
    added |= {f"p({printed(name)})": values for name, values in zip(classifier.classes_, probabilities, strict=True)}
    added |= {"rule": rule, "warning": pd.array(texts, dtype="str")}
    known, names = set(table.columns), []
    for name in added:
        names.append(fresh_name(name, known))
        known.add(names[-1])
    return pd.concat([table, pd.DataFrame(added, index=table.index).set_axis(names, axis=1)], axis=1)


def as_features(classifier: "TSKClassifier", table: pd.DataFrame) -> pd.DataFrame:
    """The raw table as the classifier's features; warns and raises as ``predict_table`` does."""
    X, unreadable = _features(classifier, table)
    warn_of_unreadable(unreadable)
    return X


def _features(classifier: "TSKClassifier", table: pd.DataFrame) -> tuple[pd.DataFrame, tuple[UnreadableCells, ...]]:
    """The features, and the cells that cannot be read. DataError for no rows, or if a column is missing."""
    if not len(table):
        raise DataError("The table has no rows to predict.")
    if classifier.cleaning_ is not None:
        return classifier.read_rows(table)
    features = classifier.encoder_.features
    return table[features] if classifier.encoder_.named and set(features) <= set(table.columns) else table, ()


def true_classes(
    classes: list[str],
    column: pd.Series,
    bins: int | None = None,
    codes: tuple[str, ...] = (),
    *,
    merged: bool = False,
    not_missing: tuple[str, ...] = (),
    one_spelling: bool = False,
) -> np.ndarray:
    """A target column of new rows as positions in ``classes``, int64 (N,); -1 if missing, or a class absent from training.

    bins: not None where training was to group the target's numbers into ranges. codes: cells of the target that are missing
    values. not_missing: words such as "NA" that are none. merged: whether training merged rare classes into one; it stands for
    every class that has no other name. one_spelling: whether a class is one in each of its spellings.
    """
    cells = without_codes(Cells.of(column, not_missing), codes)
    values = numbers_of(cells) if bins else None
    if values is not None:
        try:
            order = sorted(range(len(classes)), key=lambda at: lowest(classes[at]))
            starts = [lowest(classes[at]) for at in order]
        except ValueError:  # no ranges: another target
            pass
        else:
            if not all(map(_is_number, classes)):  # else training found few enough numbers to leave them as they are
                place = np.searchsorted(starts, values, side="right") - 1
                return np.where(np.isnan(values) | (place < 0), -1, np.asarray(order)[place])
    if one_spelling:
        cells = in_spellings_of(cells, classes)
        column = pd.Series(cells.words.array.take(cells.codes, allow_fill=True)) if cells.kind == "text" else column
    names = printed_column(normalise_missing(column, not_missing))
    found = pd.Index(classes, dtype=object).get_indexer(pd.Index(names, dtype=object)).astype(np.int64)
    rest = [at for at, name in enumerate(classes) if fresh_name(OTHER, {*classes} - {name}) == name] if merged else []
    return np.where((found < 0) & ~cells.missing, rest[-1], found) if rest else found


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _predicted(classifier: "TSKClassifier", X: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Class position (N,), probabilities (C, N), and the number of the rule that contributes most, from 1, (N,)."""
    import torch

    from tsk_core.model import blocks

    rules, encoder = classifier.rules_, classifier.encoder_
    x = torch.from_numpy(encoder.normalise(encoder.transform(X)))  # clean already
    weights, biases = rules.weights[0], rules.biases[0]  # (R, C, D), (R, C)
    weights, biases = weights - weights.mean(1, keepdim=True), biases - biases.mean(1, keepdim=True)
    best, rule = (torch.empty(len(x), dtype=torch.int64, device="cpu") for _ in range(2))
    probabilities = torch.empty((weights.shape[1], len(x)), dtype=torch.float64, device="cpu")
    for rows, firing, scores in blocks(rules, x):
        best[rows], probabilities[:, rows] = scores[0].argmax(1), torch.softmax(classifier.model_.log_odds(scores[0]), 1).T
        part, block, levels = best[rows], x[rows], rules.score_weights(firing)[0]
        for c in torch.unique(part):  # only the contributions to the predicted class: (n, R), never (n, R, C)
            here = part == c
            contribution = levels[here] * (block[here] @ weights[:, c].T + biases[:, c])
            rule[rows][here] = contribution.argmax(1) + 1
    return best.numpy(), probabilities.numpy(), rule.numpy()


# Predictions of new rows with a decision that weighs the two mistakes differently, as one column more.


_BESIDE = 3  # new columns of a table of predictions besides the probabilities: "predicted", "rule", "warning"


def decision_name(decision: Decision) -> str:
    """The name of the column, such as "decision if missing malignant costs 5"."""
    return f"decision if missing {decision.positive} costs {decision.miss_cost:g}"


def with_decision(predictions: pd.DataFrame, classes: Sequence[str], decision: Decision) -> pd.DataFrame:
    """A table of ``predict_table`` with one column more behind "predicted", which stays the predicted class.

    classes: of the model, as ``printed``. SettingError as for ``Decision.position``.
    """
    column = decided(predictions, classes, decision)
    at = predictions.shape[1] - len(classes) - _BESIDE + 1
    before, behind = predictions.iloc[:, :at], predictions.iloc[:, at:]
    named = column.rename(fresh_name(decision_name(decision), set(predictions.columns)))
    return pd.concat([before, named, behind], axis=1)


def decided(predictions: pd.DataFrame, classes: Sequence[str], decision: Decision) -> pd.Series:
    """The class of each row by the decision. The arguments are those of ``with_decision``."""
    decision.position(classes)
    start = predictions.shape[1] - len(classes) - _BESIDE
    names = pd.Index(classes)
    predicted = names.get_indexer(pd.Index(predictions.iloc[:, start].map(printed)))
    probabilities = predictions.iloc[:, start + 1 : start + 3].to_numpy(float)
    return pd.Series(names[decision.decide(predicted, probabilities, classes)], index=predictions.index)
