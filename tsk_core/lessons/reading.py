"""read_lesson: a YAML file -> Lesson.

The schema says what may stand where (jsonschema checks it), yaml_file.py finds the lines. What a schema cannot say is checked
here: that settings, datasets, scenes and measures exist, and that lists fit each other.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tsk_core.lessons.lesson import (
    Break,
    Formula,
    Lesson,
    Option,
    OutcomeMeasure,
    Play,
    Prediction,
    Scene,
    Screen,
    See,
    Trial,
    placeholders,
)
from tsk_core.lessons.outcomes import OUTCOMES, misfit
from tsk_core.lessons.yaml_file import Place, SettingReader, YamlFile, check_schema, text_of
from tsk_core.settings import SETTINGS

_PLAYED = ("rule", "epoch")  # controls of free play that are no settings


def read_lesson(source: Path | str) -> Lesson:
    """A lesson from a file, or from the text of one. LessonError, in one sentence with line and key, where it is wrong."""
    return lesson_of(YamlFile(*text_of(source)))


def lesson_of(file: YamlFile) -> Lesson:
    """The lesson that a file says; errors as ``read_lesson``."""
    check_schema(file, "lesson")
    return _Builder(file).lesson()


@cache
def _table(data: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The features and the classes of a dataset."""
    from tsk_core.data import load_dataset

    dataset = load_dataset(data)
    return tuple(map(str, dataset.X.columns)), tuple(map(str, dataset.classes))


class _Builder:
    """The parts of a lesson, each checked where it is made."""

    def __init__(self, file: YamlFile) -> None:
        self.file, self.values, self.read = file, file.values, SettingReader(file)
        self.scenes: dict[str, Scene] = {}

    def lesson(self) -> Lesson:
        values = self.values
        for name in values["scenes"]:
            self.scenes[name] = self._scene(name)
        question, play, predict = self._screen("question"), self._play(), self._predict()
        run, see, formula, broken = self._screen("run"), self._see(), self._formula(), self._break()
        return Lesson(
            values["name"], values["title"], values["sentence"], values["minutes"], dict(self.scenes), question, play, predict,
            run, see, formula, broken, tuple(values.get("notes", ())),
        )  # fmt: skip

    # Scenes.

    def _scene(self, name: str) -> Scene:
        said = self._inherited(name, ())
        path: Place = ("scenes", name)
        if "data" not in said:
            raise self.file.error(path, "the scene has no 'data', and is not 'like' one that has.")
        self.read.check_data(said["data"], path)
        config = self.read.config(said.get("settings", {}), (*path, "settings"))
        over = None
        if "over" in said:
            ((setting, numbers),) = said["over"].items()
            over = self.read.field(setting, (*path, "over")), tuple(numbers)
            for number in numbers:
                self.read.changed(config, {over[0]: number}, (*path, "over"))
        if said.get("seeds", 1) > 1 and over is None:
            raise self.file.error((*path, "seeds"), "several seeds need 'over'.")
        columns = tuple(said["columns"]) if "columns" in said else None
        for k, column in enumerate(columns or ()):
            self._check_column(column, _table(said["data"])[0], (*path, "columns", k))
        return Scene(
            name, said.get("title", name), said["data"], config, said.get("test", 0.3), columns, over, said.get("seeds", 1)
        )

    def _inherited(self, name: str, seen: tuple[str, ...]) -> dict[str, Any]:
        """What a scene says, over what the one says that it is like."""
        said = self.values["scenes"][name]
        if "like" not in said:
            return dict(said)
        parent = said["like"]
        if parent not in self.values["scenes"] or parent in (*seen, name):
            raise self.file.error(("scenes", name, "like"), f"there is no other scene '{parent}'.")
        inherited = self._inherited(parent, (*seen, name))
        inherited.pop("title", None)
        settings = {**inherited.get("settings", {}), **said.get("settings", {})}
        return {**inherited, **said, "settings": settings}

    def _check_column(self, column: str, known: Sequence[str], path: Place) -> None:
        if column not in known:
            raise self.file.error(path, f"there is no feature '{column}'; the features are {', '.join(known)}.")

    def _check_rule(self, rule: int, scene: str, path: Place) -> None:
        rules = self.scenes[scene].config.n_rules
        if not 1 <= rule <= rules:
            raise self.file.error(path, f"there is no rule {rule}; the scene '{scene}' has {rules}.")

    def _known(self, name: str, path: Place) -> str:
        if name not in self.scenes:
            raise self.file.error(path, f"there is no scene '{name}'; the scenes are {', '.join(self.scenes)}.")
        return name

    # Screens.

    def _screen(self, part: str) -> Screen:
        said = self.values[part]
        for key in ("scene", "beside"):
            if key in said:
                self._known(said[key], (part, key))
        if "beside" in said and self.scenes[said["beside"]].over is not None:
            raise self.file.error((part, "beside"), f"the scene '{said['beside']}' has many trainings; 'beside' needs one.")
        if said.get("charts") and "scene" not in said:
            raise self.file.error((part, "charts"), "charts need a 'scene'.")
        charts = tuple(said.get("charts", ()))
        for k, chart in enumerate(charts):
            if (chart in ("sweep",)) != (self.scenes[said["scene"]].over is not None):
                raise self.file.error((part, "charts", k), f"the chart '{chart}' does not fit the scene '{said['scene']}'.")
        if "rule" in said and "scene" in said:
            self._check_rule(said["rule"], said["scene"], (part, "rule"))
        return Screen(said["text"], charts, said.get("scene", ""), said.get("beside", ""), said.get("epoch"), said.get("rule", 1))

    def _play(self) -> Play:
        said, screen = self.values["play"], self._screen("play")
        path: Place = ("play", "control")
        values = tuple(said["values"])
        if said["control"] in _PLAYED:
            if not all(isinstance(value, int) and value >= 0 for value in values):
                raise self.file.error(("play", "values"), f"values of '{said['control']}' are whole numbers.")
            for k, value in enumerate(values if said["control"] == "rule" else ()):
                self._check_rule(value, screen.scene, ("play", "values", k))
            return Play(screen, said.get("label", said["control"].capitalize()), said["control"], values)
        setting = self.read.field(said["control"], path)
        scenes = tuple(self._played(screen.scene, setting, value) for value in values)
        return Play(screen, said.get("label", SETTINGS[setting].title), setting, values, scenes)

    def _played(self, like: str, setting: str, value: float | str) -> str:
        """The scene for a value of free play: the screen's, one that is the same, or a new one."""
        scene = self.scenes[like]
        config = self.read.changed(scene.config, {setting: value}, ("play", "values"))
        for known in self.scenes.values():
            if (known.data, known.config, known.test_size, known.columns, known.over) == (
                scene.data, config, scene.test_size, scene.columns, scene.over,
            ):  # fmt: skip
                return known.name
        symbol = SETTINGS[setting].symbol or SETTINGS[setting].label
        name = f"{like}:{setting}={value}"
        self.scenes[name] = Scene(name, f"{symbol} = {value}", scene.data, config, scene.test_size, scene.columns)
        return name

    def _predict(self) -> Prediction:
        said, screen, kind = self.values["predict"], self._screen("predict"), self.values["predict"]["kind"]
        needed = {"choice": ("options",), "region": ("features", "outcome", "scene")}.get(kind, ("labels", "outcome"))
        for key in needed:
            if key not in said:
                raise self.file.error(("predict",), f"a prediction of the kind '{kind}' needs '{key}'.")
        low, high = said.get("low", 0.0), said.get("high", 1.0)
        if not low < high:
            raise self.file.error(("predict", "high"), f"{high} is not above 'low', {low}.")
        labels = tuple(map(str, said.get("labels", ())))
        if "start" in said and len(said["start"]) != len(labels):
            raise self.file.error(("predict", "start"), f"{len(said['start'])} values for {len(labels)} labels.")
        for k, feature in enumerate(said["features"] if kind == "region" else ()):
            scene = self.scenes[screen.scene]
            self._check_column(feature, scene.columns or _table(scene.data)[0], ("predict", "features", k))
        options = self._options(("predict", "options")) if kind == "choice" else ()
        line = said.get("line")
        place = ("predict", "outcome")
        outcome = None if kind == "choice" else self._outcome(said["outcome"], place, screen.scene, kind, labels)
        return Prediction(
            screen, kind, options, labels, said.get("x", ""), said.get("y", ""), low, high,
            tuple(said["start"]) if "start" in said else None, line and (line["at"], line["text"]),
            tuple(said["features"]) if "features" in said else None, said.get("grid", 12), outcome,
        )  # fmt: skip

    def _options(self, path: Place) -> tuple[Option, ...]:
        said: Sequence[Mapping[str, Any]] = self.values[path[0]][path[1]]
        options = tuple(Option(one["text"], one.get("right", False), one.get("why", "")) for one in said)
        if sum(option.right for option in options) != 1:
            raise self.file.error(path, "exactly one option is 'right: true'.")
        return options

    def _outcome(self, said: Mapping[str, Any], path: Place, scene: str, *shape: Any) -> OutcomeMeasure:
        """shape: kind and labels of the prediction that it is compared with."""
        if said["measure"] not in OUTCOMES:
            known = ", ".join(OUTCOMES)
            raise self.file.error((*path, "measure"), f"there is no measure '{said['measure']}'; the measures are {known}.")
        names = said.get("scenes", [said["scene"]] if "scene" in said else [scene])
        for name in names:
            if not name:
                raise self.file.error(path, "the measure needs a 'scene'.")
            self._check_rule(said.get("rule", 1), self._known(name, path), (*path, "rule"))
            classes = _table(self.scenes[name].data)[1] if said["measure"] == "predicted_class" else ()
            if classes and str(said.get("class", "")) not in classes:
                raise self.file.error((*path, "class"), f"the measure needs a 'class', one of {', '.join(classes)}.")
        outcome = OutcomeMeasure(
            said["measure"], tuple(names), said.get("rule", 1), str(said.get("class", "")), said.get("epoch")
        )
        if wrong := misfit(outcome, [self.scenes[name] for name in names], *shape):
            raise self.file.error(path, wrong)
        return outcome

    def _see(self) -> See:
        return See(self._screen("see"), self._options(("see", "options")))

    def _formula(self) -> Formula:
        said, screen = self.values["formula"], self._screen("formula")
        numbers = {
            name: self._outcome(outcome, ("formula", "numbers", name), screen.scene)
            for name, outcome in said.get("numbers", {}).items()
        }
        for key in ("text", "latex"):
            for name in placeholders(said[key]):
                if name not in numbers:
                    raise self.file.error(("formula", key), f"'[[{name}]]' is not one of 'numbers'.")
        return Formula(screen, said["latex"], numbers)

    def _break(self) -> Break:
        trials = []
        for k, said in enumerate(self.values["break"].get("try", ())):
            path: Place = ("break", "try", k)
            scene = self.scenes[self._known(said["scene"], (*path, "scene"))]
            settings = self.read.named(said.get("settings", {}), (*path, "settings"))
            self.read.changed(scene.config, settings, (*path, "settings"))
            trials.append(Trial(said["label"], scene.name, settings, said.get("tab", "Training")))
        return Break(self._screen("break"), tuple(trials))
