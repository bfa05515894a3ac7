"""Live: what is recorded of a training while it runs, and the messages in which a browser gets it.

series.py               the names of the series of records, and who takes them
snapshots.py            the rules at some epochs; snapshot_values.py: one of these as a line of a file, and as exported rules
evaluations.py          confusion matrix and calibration at some epochs
condition_strengths.py  how strong each condition is, of rules that may lose some
feed.py                 the parts of a message that bring a browser what is new
epochs.py               the values of an epoch in a message
rule_texts.py           rules in words in a message

Importing this package loads no torch; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
