"""The paper's figures, computed anew: data, what is drawn of them, and whether they show what the paper says."""

from tsk_study.figures.figure import Claim, Figure, FigureOptions, Panel, Series, repetitions
from tsk_study.figures.making import FIGURES, MadeFigures, make_figures, read_figure

__all__ = ["FIGURES", "Claim", "Figure", "FigureOptions", "MadeFigures", "Panel", "Series", "make_figures", "read_figure",
           "repetitions"]  # fmt: skip
