"""The page Learn: lessons that ask for a prediction first.

answers.py      what a learner predicted and answered
class_panel.py  a class: its code, what came in, the reveal
"""
