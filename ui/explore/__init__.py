"""The Explore page, from top to bottom.

heading.py      what the results are of, and what the controls have changed since
steering.py     the buttons, from Train to Copy full link
presenter.py    presenter mode; keys.py: its keys
run_panel.py    what a run shows; scores.py, comparison.py: the lines above its tabs
costs.py        what a missed case costs, on the tab Mistakes
rules_tab.py, samples_tab.py, export_tab.py   tabs that the server draws a part of; downloads.py: their downloads
readings.py     the readings of a readable rule base, and a tree and a rule list of the same size, on the tab Rules
rule_base.py    the rule base as a whole, on the tab Rules; stability.py: whether its rules come back
"""
