"""Painted points: a table of two features that a person paints."""

from tsk_core.data.painted.points import (
    CLASSES,
    IN_LINK,
    LETTERS,
    LONGEST,
    MOST,
    NAME,
    NOISE,
    NONE,
    PRESETS,
    ROWS,
    SOURCE,
    STEPS,
    TARGET,
    Points,
    as_dataset,
    as_frame,
    as_text,
    from_frame,
    from_text,
    lacking,
    preset,
    resampled,
)  # fmt: skip

__all__ = [
    "CLASSES", "IN_LINK", "LETTERS", "LONGEST", "MOST", "NAME", "NOISE", "NONE", "PRESETS", "ROWS", "SOURCE", "STEPS", "TARGET",
    "Points", "as_dataset", "as_frame", "as_text", "from_frame", "from_text", "lacking", "preset", "resampled",
]  # fmt: skip
