"""Experiments: many trainings compared.

A comparison or a sweep, from its settings to its sentences:
variants.py       settings that an experiment compares, by their names
study_choices.py  the λ that validation chose in the study; validation.py: the λ that it chooses in an experiment
grid.py           the axes of a sweep, and their combinations
plan.py           which trainings an experiment consists of
stacks.py         which rows they use, and which of them train together
trainings.py      trained side by side, and the point that each leaves; plane.py: the plane of a model with two features
metrics.py        what is measured of each training
wording.py        a difference over seeds in words
verdicts.py       how far variants are apart over seeds, in sentences
sweep_summary.py  what a sweep found, cell by cell and in a sentence
frames.py         both as pandas frames; in_process.py: compare and sweep, which train here and return such frames

Importing this package loads neither torch nor pandas; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
