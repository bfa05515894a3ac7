"""Simplify and refit: a small rule base that is trained on, so that it is a model of its own.

structure.py        which conditions and score terms a rule base has
reduce.py           fewer rules with fewer conditions, from the rules of a trained model
terms.py            which features stay in the scores
fit.py              the training that goes on, for many sizes at once
problem.py          rows, encoding and settings
search.py           the smallest size within a tolerance of the full model, by cross-validation
options.py          how small the base is to be
pipeline.py         how a simplified model came about, to measure it by other trainings
simplification.py   from the full model to the start of the last training, and what became of the base
"""

from tsk_core.simplify.fit import Plan, fit_sizes, plans
from tsk_core.simplify.options import AUTO, Options
from tsk_core.simplify.pipeline import Pipeline
from tsk_core.simplify.problem import Problem
from tsk_core.simplify.search import Candidate, Search
from tsk_core.simplify.simplification import Simplification, plan
from tsk_core.simplify.structure import Size, Structure

__all__ = [
    "AUTO",
    "Candidate",
    "Options",
    "Pipeline",
    "Plan",
    "Problem",
    "Search",
    "Simplification",
    "Size",
    "Structure",
    "fit_sizes",
    "plan",
    "plans",
]
