"""Runs as pages show them.

run_view.py      a run: its state, epochs and result, kept up to date; shared.py: what all sessions share of it
current_run.py   the run that the Explore page of this session shows: start, open, stop, reset
side_tasks.py    tasks beside it, such as a cross-validation
rules.py         its readable rules; stability.py: how often they came back when it was trained again
differences.py   what differs between two runs, as lines of text; pairing.py: their test scores, row by row
split_ways.py    how the rows of a run were split; other_split.py: what the score was with another split
decision.py      what a missed case costs, as chosen, and its effect on test rows; decision_texts.py: the same in words
jitter.py        whether the test scores jitter from epoch to epoch
reproduction.py  what repeats a run
names.py         what lists call a run; run_list.py: the list of the page Runs
"""
