"""The process that code runs in.

child_process.py   a process that this one starts, talks to and ends
whole_file.py      a file that appears whole or not at all
torch_settings.py  torch's threads and denormal numbers
"""

from tsk_core.runtime.whole_file import replace_file

__all__ = ["replace_file"]
