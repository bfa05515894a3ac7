"""What of exported rules a format cannot hold: functions that say so in a sentence, and "" where there is none of it."""

from tsk_core.explain.exported import ExportedRules

__all__ = ["empty_category", "layer_normalised", "log_levels"]


def layer_normalised(rules: ExportedRules) -> str:
    """For formats without the step between firing levels and scores."""
    if rules["normalisation"]["kind"] != "layer-relu":
        return ""
    return "Code, SQL, ONNX, .fis and FML cannot hold layer-normalised firing levels; export JSON instead."


def log_levels(rules: ExportedRules) -> str:
    """For formats that multiply memberships."""
    if rules["normalisation"]["kind"] != "log":
        return ""
    return "A fuzzy system of .fis or FML cannot hold firing levels of kind log; export JSON, ONNX or code instead."


def empty_category(rules: ExportedRules) -> str:
    """For formats that take empty text as missing."""
    for column in rules["columns"]:
        if "" in (column["category"], *column.get("levels", ())):
            return f"An ONNX file takes empty text as missing, but it is a category of {column['feature']!r}; rename that."
    return ""
