"""Every error and warning a person can meet: one sentence that says what is wrong, where, and what to do.

Pages and the command line show ``str(error)`` and nothing else, so the sentence has to stand alone.
"""

import re

UNPRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # names from files may hold what steers a terminal


class TSKError(Exception):
    """Base of all errors this project raises on purpose; ``str(error)`` is the sentence to show."""

    def __str__(self) -> str:
        return UNPRINTED.sub(" ", super().__str__())


class SettingError(TSKError, ValueError):
    """A training setting is outside its range or of the wrong kind."""


class DataError(TSKError, ValueError):
    """A table cannot be read, or cannot be trained on."""


class DataWarning(UserWarning):
    """Cells of a table are not taken as they may be meant; the message is the sentence to show."""


class FindingWarning(DataWarning):
    """The data check of a table found what a person should decide; ``Dataset.check`` lists it."""


class RegressionTarget(DataError):  # noqa: N818 - it names the target, as the sentence does
    """The target has too many different numbers for classes; ``column`` names it. ``Choices.bins`` can group them."""

    def __init__(self, message: str, column: str = "") -> None:
        super().__init__(message)
        self.column = column


class NoFeature(DataError):  # noqa: N818 - it says what the table lacks
    """Every column besides the target is left out; ``columns`` are those that vary, which can be used as categories."""

    def __init__(self, message: str, columns: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.columns = columns


class LimitError(TSKError):
    """A quota of ``limits.py`` would be exceeded; raised before anything is allocated."""


class TrainingError(TSKError):
    """Training could not produce a model."""


class RunError(TSKError):
    """A run is unknown, or has no result."""


class DiskFullError(RunError):
    """The disk with the folder of runs takes nothing more."""


class LessonError(TSKError, ValueError):
    """The file of a lesson is malformed."""


class ClassError(TSKError):
    """A class of learners is unknown, full or another's, or what a learner sent is no answer."""


class ModelFileError(TSKError, ValueError):
    """A saved model is malformed, hostile, or of another version."""


def error_sentence(error: BaseException) -> str:
    """The sentence for an error that ended a run; an error that is not ours is named by its type alone."""
    if isinstance(error, TSKError):
        return str(error)
    return f"Training failed unexpectedly ({type(error).__name__}); the log has the details."
