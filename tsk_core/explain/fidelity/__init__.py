"""How faithful the printed rules are: the classes inferred from them in four ways, at every length.

inference.py   one method of inference from the text, with its agreement and accuracy, in a sentence
lengths.py     all methods measured at every length in one pass over the rows
constants.py   constant scores per rule, fitted by least squares: rules whose THEN is a table of numbers (zero-order TSK)
"""

from tsk_core.explain.fidelity.constants import fit_constants
from tsk_core.explain.fidelity.inference import INFERENCES, Inference, heading_text, measured_text, uncovered_text
from tsk_core.explain.fidelity.lengths import Lengths, mask_of, measure_lengths

__all__ = [
    "INFERENCES",
    "Inference",
    "Lengths",
    "fit_constants",
    "heading_text",
    "mask_of",
    "measure_lengths",
    "measured_text",
    "uncovered_text",
]
