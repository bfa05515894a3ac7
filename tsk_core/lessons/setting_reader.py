"""SettingReader: the datasets and settings that a file names, as they are, or a sentence with line and key."""

from collections.abc import Mapping
from typing import Any

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.errors import TSKError
from tsk_core.lessons.yaml_file import Place, YamlFile

__all__ = ["SettingReader"]

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
