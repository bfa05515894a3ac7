"""The process that code runs in."""

from tsk_core.runtime.whole_file import replace_file

__all__ = ["replace_file"]
