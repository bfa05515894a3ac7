"""What exported columns say of how the table was cleaned, so that other programs read raw cells as training did."""

from typing import TYPE_CHECKING

from tsk_core.explain.exported import ExportedColumn, ExportedDate

if TYPE_CHECKING:
    from tsk_core.data.clean.pipeline import CleaningPipeline, CleaningStep

__all__ = ["with_cleaning"]


def with_cleaning(columns: list[ExportedColumn], cleaning: "CleaningPipeline | None") -> list[ExportedColumn]:
    """Exported columns, with what ``cleaning`` has of "date", "missing", "unknown", "codes", "truth" and "flag_of"."""
    steps = {step.feature: step for step in cleaning.steps} if cleaning else {}
    flags = {step.flag: step.column for step in cleaning.steps if step.flag} if cleaning else {}
    names = {(column["feature"], column["category"]) for column in columns}

    def told(column: ExportedColumn) -> ExportedColumn:
        if (feature := column["feature"]) in flags:
            return {**column, "flag_of": flags[feature]}
        return _with_step(column, steps[feature], names) if feature in steps else column

    return list(map(told, columns))


def _with_step(column: ExportedColumn, step: "CleaningStep", names: set[tuple[str, str | None]]) -> ExportedColumn:
    from tsk_core.data.clean.categories import OTHER  # pandas: only where a table was cleaned

    exported = column.copy()
    if column["kind"] == "number" and step.date:
        form = step.date
        date: ExportedDate = {"format": form.format, "scale": form.scale, "origin": form.origin, "midnights": form.midnights}
        exported["date"] = date
    if (step.feature, step.missing) in names:
        exported["missing"] = step.missing
    if step.kept is not None and (step.feature, OTHER) in names:
        exported["unknown"] = OTHER
    if step.codes:
        exported["codes"] = list(step.codes)
    if step.truth:
        exported["truth"] = True
    return exported
