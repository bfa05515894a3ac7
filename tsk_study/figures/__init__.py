"""The paper's figures, computed anew: data, what is drawn of them, and whether they show what the paper says.

figure.py        a figure, and what it is computed with
panels.py        what is drawn of a figure
claims.py        what the paper says of a figure, and whether ours shows it
trained.py       models of the study trained once more, side by side
improvement.py   Fig. 4: RCA and BCA of the four MBGD models over the datasets
firing.py        Fig. 5 and 6: average firing levels of the rules, and the entropy of the firing levels
first_epochs.py  Fig. 7: loss, BCA and gradients in the first 20 epochs
batch_size.py    Fig. 8: RCA and BCA over the batch size
effort.py        beyond the paper: BCA against what one has to read
drawing.py       panels as SVG, by matplotlib
making.py        all of them: what is missing is computed, and written as CSV and SVG
"""

from tsk_study.figures.figure import Claim, Figure, FigureOptions, Panel, Series, repetitions
from tsk_study.figures.making import FIGURES, MadeFigures, make_figures, read_figure

__all__ = ["FIGURES", "Claim", "Figure", "FigureOptions", "MadeFigures", "Panel", "Series", "make_figures", "read_figure",
           "repetitions"]  # fmt: skip
