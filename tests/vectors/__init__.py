"""Numbers that the Python and the JavaScript have to agree with, from formulas written out slowly."""
