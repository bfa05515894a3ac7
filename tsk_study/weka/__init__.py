"""JRip and PART, trained by Weka itself.

client.py   asks Weka from this process, which loads nothing of it
sizes.py    their rules within a number of conditions
printed.py  their conditions, counted in what Weka prints
process.py  Weka's own process: the only file that imports python-weka-wrapper3, which is under the GPL
"""

from tsk_study.weka.client import jrip, missing, part

__all__ = ["jrip", "missing", "part"]
