"""JRip and PART, trained by Weka itself."""

from tsk_study.weka.client import jrip, missing, part

__all__ = ["jrip", "missing", "part"]
