"""YamlFile: the values of a lesson's file, and the line of each.

Names for parts (anchors and aliases) are refused, so that no small file can stand for a huge one, and so is a key that stands
twice, of which YAML would keep the last without a word.
"""

import math
from pathlib import Path

import yaml

from tsk_core.errors import LessonError

__all__ = ["MOST_BYTES", "Place", "YamlFile", "text_of"]

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
