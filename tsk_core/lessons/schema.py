"""What may stand where in a lesson's or a playlist's file; jsonschema checks it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from tsk_core.lessons.yaml_file import YamlFile

__all__ = ["check_schema"]


@cache
def _validator(kind: str) -> Any:
    import jsonschema  # where Jupyter is installed as well, it compiles grammars of addresses: more than a second

    schema = json.loads(Path(__file__).with_name("lesson.schema.json").read_text("utf-8"))
    return jsonschema.Draft202012Validator(schema if kind == "lesson" else {**schema["$defs"][kind], "$defs": schema["$defs"]})


def check_schema(file: YamlFile, kind: str) -> None:
    """Raise a LessonError with line and key where the file is no "lesson", or no "playlist"."""
    from jsonschema.exceptions import best_match

    error = best_match(_validator(kind).iter_errors(file.values))
    if error is not None:
        if error.validator == "additionalProperties":
            known = error.schema["properties"]
            key = next(key for key in error.instance if key not in known)
            raise file.error((*error.absolute_path, key), f"there is no such key here; the keys are {', '.join(known)}.")
        message = error.message if len(error.message) <= 200 else f"{error.message[:199]}…"
        raise file.error(tuple(error.absolute_path), f"{message[:1].lower()}{message[1:]}.")
