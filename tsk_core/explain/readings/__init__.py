"""How faithful the printed rules are: what they predict, read in four ways, at every length.

reading.py     one way of reading the text, with its agreement and accuracy, in a sentence
lengths.py     all readings measured at every length in one pass over the rows
constants.py   fixed scores for each rule, fitted by least squares: the reading whose THEN is a table of numbers
"""

from tsk_core.explain.readings.constants import fit_constants
from tsk_core.explain.readings.lengths import Lengths, mask_of, measure_lengths
from tsk_core.explain.readings.reading import READINGS, Reading, heading_text, measured_text, uncovered_text

__all__ = [
    "READINGS",
    "Lengths",
    "Reading",
    "fit_constants",
    "heading_text",
    "mask_of",
    "measure_lengths",
    "measured_text",
    "uncovered_text",
]
