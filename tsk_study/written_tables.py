"""Tables as files: CSV to compute with, Markdown to read, LaTeX (booktabs) to print."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.errors import TSKError
from tsk_study.names import DATASETS
from tsk_study.tables import Table

if TYPE_CHECKING:
    import pandas as pd

DASH, MINUS = "–", "−"
_TEXT_WIDTH = 345.0  # points, of LaTeX's class article in ten-point type
_LETTER, _BOLD, _BETWEEN = 5.0, 1.15, 12.0  # points of a letter, and between two columns


def write_tables(tables: Mapping[str, Table], folder: Path) -> list[Path]:
    """Write each table as NAME.csv, NAME.md and NAME.tex into the folder, which is made where there is none; their paths.

    Raises TSKError where they cannot be written.
    """
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            for ending, write in (("csv", table_csv), ("md", table_markdown), ("tex", table_latex)):
                path = folder / f"{name}.{ending}"
                path.write_text(write(table), encoding="utf-8", newline="\n")
                made.append(path)
    except OSError as error:
        raise TSKError(f"The tables could not be written to {folder} ({error.strerror}).") from None
    return made


def table_csv(table: Table) -> str:
    """The table's numbers, six significant digits; what stands beside a number in columns of its own, such as "CART SD"."""
    import pandas as pd

    columns = {}
    for name in table.frame:
        columns[name] = table.frame[name]
        if pd.api.types.is_numeric_dtype(table.frame[name]):
            columns |= {f"{name} {key}": part[name] for key, part in table.beside.items()}
    frame = pd.DataFrame(columns, index=table.frame.index).rename(index=DATASETS)
    return frame.to_csv(float_format="%.6g", lineterminator="\n", index_label=_corner(table))


def table_markdown(table: Table) -> str:
    """Title, table and note."""
    cells = _cells(table)
    lines = [_line([_corner(table), *cells.columns]), _line(["---", *["--:"] * len(cells.columns)])]
    for (name, row), (_, bold) in zip(cells.iterrows(), table.bold.iterrows(), strict=True):
        marked = [f"**{text}**" if mark else text for text, mark in zip(row, bold, strict=True)]
        lines.append(_line([str(name), *marked]))
    return "\n".join([f"**{table.title}**", "", *lines, "", table.note, ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def table_latex(table: Table) -> str:
    """A floating table for the package booktabs, all text escaped; the note is part of the caption.

    One that is wider than the text of an article is made as wide as that, by the package graphicx.
    """
    cells = _cells(table)
    marks = table.bold.to_numpy()
    styler = cells.rename_axis(index=None, columns=None).style.format(_tex).format_index(_tex, axis=0).format_index(_tex, axis=1)
    styler = styler.apply(lambda _: np.where(marks, "textbf:--rwrap", ""), axis=None)
    text: str = styler.to_latex(
        hrules=True, column_format="l" + "r" * len(cells.columns), position_float="centering", position="htbp",
        label=f"tab:{table.name}", caption=f"{_tex(table.title)}. {_tex(table.note)}",
    )  # fmt: skip
    if _points(cells, marks) <= _TEXT_WIDTH:
        return text
    for end, wide in (
        ("\\begin{tabular}", "\\resizebox{\\textwidth}{!}{%\n\\begin{tabular}"),
        ("\\end{tabular}", "\\end{tabular}}"),
    ):
        text = text.replace(end, wide)
    return text


def _points(cells: "pd.DataFrame", marks: np.ndarray) -> float:
    """About how wide the table is in ten-point type; what is in bold is wider."""
    lengths = cells.map(len).to_numpy() * np.where(marks, _BOLD, 1.0)
    widest = np.maximum(lengths.max(axis=0), [len(name) for name in cells.columns])
    return float(_LETTER * (widest.sum() + cells.index.map(len).max()) + _BETWEEN * (len(widest) + 1))


def _cells(table: Table) -> "pd.DataFrame":
    """The table as text, with the printed names of datasets."""
    frame = table.frame.astype(object)
    for name in frame:
        beside = zip(*(part[name] for part in table.beside.values()), strict=True) if table.beside else [()] * len(frame)
        frame[name] = [_cell(value, others, table.digits) for value, others in zip(table.frame[name], beside, strict=True)]
    return frame.rename(index=DATASETS)


def _cell(value: str | float, beside: tuple[float, ...], digits: int | None) -> str:
    if isinstance(value, str):
        return value
    if np.isnan(value):
        return DASH
    known = " to ".join(_number(other, 3) for other in beside if not np.isnan(other))
    return _number(value, digits) + (f" ({known})" if known else "")


def _number(value: float, digits: int | None) -> str:
    text = f"{value:.3g}" if digits is None else f"{round(value, digits) + 0.0:.{digits}f}"  # + 0.0: no "−0.0000"
    return text.replace("-", MINUS)


def _corner(table: Table) -> str:
    name = table.frame.index.name
    return "" if name is None else str(name).capitalize()


_TEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"}, "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    MINUS: "$-$", "–": "--", "×": r"$\times$", "λ": r"$\lambda$", "χ": r"$\chi$", "²": "$^2$", "±": r"$\pm$", "α": r"$\alpha$",
}  # fmt: skip


def _tex(text: object) -> str:
    return "".join(_TEX.get(character, character) for character in str(text))
