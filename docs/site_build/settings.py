"""The settings of a training, each with its range and help as ``SETTINGS`` has them: written once, printed here."""

from dataclasses import fields
from typing import Any

from sphinx.application import Sphinx

from tsk_core.config import TrainConfig
from tsk_core.settings import SETTINGS

_OF = ("tsk_core.TSKClassifier", "tsk_core.TrainConfig")


def add_parameters(app: Sphinx, kind: str, name: str, shown: object, options: Any, lines: list[str]) -> None:
    """Add numpydoc's section "Parameters" to the classes that take the settings."""
    if kind == "class" and name in _OF:
        lines += ["", "Parameters", "----------"]
        for field in fields(TrainConfig):
            setting = SETTINGS[field.name]
            of = getattr(field.type, "__name__", str(field.type))
            lines += [f"{field.name} : {of}, default {field.default!r}", *_indented(setting.help)]
            if setting.options:
                lines += _indented("One of " + ", ".join(f'"{option}"' for option in setting.options) + ".")
            elif setting.low is not None:
                lines += _indented(f"{'Above' if setting.above else 'At least'} {setting.low:g}.")
            if setting.symbol:
                lines += _indented(f"In the formulas: {setting.symbol}.")
        lines.append("")


def _indented(text: str) -> list[str]:
    return [f"    {text}", ""]
