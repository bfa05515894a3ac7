"""YamlFile: the values of a lesson's file, and the line of each.

Names for parts (anchors and aliases) are refused, so that no small file can stand for a huge one, and so is a key that stands
twice, of which YAML would keep the last without a word.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tsk_core.config import TrainConfig
from tsk_core.errors import LessonError, TSKError
from tsk_core.settings import SETTINGS

MOST_BYTES = 200_000  # of a lesson's file
MOST_DEEP = 20  # lists and mappings inside each other; the format needs 6
Place = tuple[str | int, ...]  # where a value stands: keys, and numbers from 0
_TEXT = "tag:yaml.org,2002:str"
# The first reading is PyYAML's own, which says better what is wrong where; libyaml's then takes a tenth of the time.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def text_of(source: Path | str) -> tuple[str, str]:
    """The name and the text of a file, or of what is a text already."""
    if isinstance(source, str):
        return "the lesson", source
    try:
        if source.is_dir():
            raise LessonError(f"{source.name} cannot be read: it is a folder.")
        if (size := source.stat().st_size) > MOST_BYTES:
            raise LessonError(f"{source.name} has {size:,} bytes; a lesson has at most {MOST_BYTES:,}.")
        return source.name, source.read_bytes().decode("utf-8")
    except OSError as error:
        raise LessonError(f"{source.name} cannot be read: {str(error.strerror).lower()}.") from error
    except UnicodeDecodeError as error:
        raise LessonError(f"{source.name} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from error


class YamlFile:
    """What a file says. values: a mapping whose keys are texts, all the way down."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        try:
            self._check_events(text)
            self._root = yaml.compose(text, Loader=_LOADER)
            self._check_keys(self._root)
            self.values = yaml.load(text, Loader=_LOADER)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            if isinstance(error, LessonError):
                raise
            mark = getattr(error, "problem_mark", None)
            where = f", line {mark.line + 1}" if mark else ""
            what = getattr(error, "problem", None) or "it is not YAML"
            raise LessonError(f"{name}{where}: {what}.") from error
        if not isinstance(self.values, dict):
            raise LessonError(f"{name}: a lesson is a mapping that begins with 'format: 1'.")
        self._check_numbers(self.values, ())

    def error(self, place: Place, what: str) -> LessonError:
        """The sentence about what stands at a place."""
        return LessonError(f"{self.name}, line {self._line(place)}, {_key(place)}: {what}")

    def _at(self, part: yaml.Node | yaml.Event) -> str:
        return f"{self.name}, line {part.start_mark.line + 1}"

    def _check_events(self, text: str) -> None:
        """Neither anchors nor deep nesting; a deep text is refused where it gets deep, since reading on takes long."""
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if getattr(event, "anchor", None) is not None:
                raise LessonError(f"{self._at(event)}: anchors (&) and aliases (*) are not allowed; write the value out.")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MOST_DEEP:
                raise LessonError(f"{self._at(event)}: the value is nested more than {MOST_DEEP} deep.")

    def _check_keys(self, node: yaml.Node | None) -> None:
        """Every key is a text, and stands once."""
        known: set[str] = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if not isinstance(key, yaml.ScalarNode) or key.tag != _TEXT:
                raise LessonError(f"{self._at(key)}: a key is a word; put it in quotes if it looks like a number, yes or no.")
            if key.value in known:
                raise LessonError(f"{self._at(key)}, '{key.value}': the key occurs a second time here.")
            known.add(key.value)
        for _, child in _children(node).values():
            self._check_keys(child)

    def _check_numbers(self, value: object, place: Place) -> None:
        """YAML has .nan and .inf, which no setting, axis or bar has."""
        if isinstance(value, float) and not math.isfinite(value):
            raise self.error(place, f"{value} is not a finite number.")
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for step, one in inner:
            self._check_numbers(one, (*place, step))

    def _line(self, place: Place) -> int:
        """The line at which a value begins; where there is none, that of what should have it."""
        node, line = self._root, 1
        for step in place:
            children = _children(node)
            if step not in children:
                break
            line, node = children[step]
        return line


def _children(node: yaml.Node | None) -> dict[str | int, tuple[int, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        return {key.value: (key.start_mark.line + 1, value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return {number: (item.start_mark.line + 1, item) for number, item in enumerate(node.value)}
    return {}


def _key(place: Place) -> str:
    """As "scenes.with.settings" or "see.options[2].text", counted from 1."""
    text = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in place)
    return f"'{text.lstrip('.')}'" if text else "top"


# What may stand where in a lesson's or a playlist's file; jsonschema checks it.


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


# SettingReader: the datasets and settings that a file names, as they are, or a sentence with line and key.


_FIELDS = {setting.key: name for name, setting in SETTINGS.items() if setting.key}


class SettingReader:
    """Reads what one file says. path: where it stands there. Each method raises LessonError where the file is wrong."""

    def __init__(self, file: YamlFile) -> None:
        self.file = file

    def check_data(self, data: str, path: Place) -> None:
        """Refuse a dataset that is not in the gallery, or that this machine would have to fetch."""
        from tsk_core.data.gallery import GALLERY, is_available_offline

        if data not in GALLERY or not is_available_offline(data):
            known = ", ".join(name for name in GALLERY if is_available_offline(name))
            raise self.file.error((*path, "data"), f"no dataset '{data}' is available offline; those available are {known}.")

    def config(self, settings: Mapping[str, Any], path: Place) -> TrainConfig:
        """The paper's settings with these changes, seed 0."""
        start = {"random_state": 0}
        return self.changed(TrainConfig.paper(), {**start, **self.named(settings, path)}, path)

    def named(self, settings: Mapping[str, Any], path: Place) -> dict[str, Any]:
        """The same values by the names in TrainConfig."""
        return {self.field(key, (*path, key)): value for key, value in settings.items()}

    def field(self, key: str, path: Place) -> str:
        """The name in TrainConfig of a key, such as "ur" or "ur_weight"."""
        if key not in _FIELDS and key not in SETTINGS:
            raise self.file.error(path, f"there is no setting '{key}'; the keys are {', '.join(_FIELDS)}.")
        return _FIELDS.get(key, key)

    def changed(self, config: TrainConfig, changes: Mapping[str, Any], path: Place) -> TrainConfig:
        """The config with these values, by the names in TrainConfig."""
        for name, value in changes.items():
            high = SETTINGS[name].high
            if high is not None and isinstance(value, int | float) and value > high:
                raise self.file.error(path, f"{name} is {value}; it must be at most {high}.")
        try:
            return TrainConfig.from_dict({**config.to_dict(), **changes})
        except TSKError as error:
            raise self.file.error(path, str(error)) from error
