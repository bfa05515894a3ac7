"""The page Compare.

controls.py   variants, seeds, score and band, in the page and in its link; the plan that they make
presets.py    one-click comparisons for a lecture
texts.py      the verdict in sentences, and the table of variants
panel.py      a comparison as it goes and at its end: progress, verdict, charts
charts.py     the charts by tab, and the messages that feed them
opening.py    a training of a comparison as a run of the page Explore
exports.py    CSV and the HTML report; report.py, comparison.html: the report
presenter.py  presenter mode
my_runs.py    any two runs of this browser
"""
