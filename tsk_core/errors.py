"""Every error a person can meet: one sentence that says what is wrong, where, and what to do.

Pages and the command line show ``str(error)`` and nothing else, so the sentence has to stand alone.
"""


class TSKError(Exception):
    """Base of all errors this project raises on purpose; ``str(error)`` is the sentence to show."""


class SettingError(TSKError, ValueError):
    """A training setting is outside its range or of the wrong kind."""


class DataError(TSKError, ValueError):
    """A table cannot be read, or cannot be trained on."""


class LimitError(TSKError):
    """A quota of ``limits.py`` would be exceeded; raised before anything is allocated."""


class TrainingError(TSKError):
    """Training could not produce a model."""


class RunError(TSKError):
    """A run is unknown, or has no result."""


class ModelFileError(TSKError, ValueError):
    """A saved model is malformed, hostile, or of another version."""
