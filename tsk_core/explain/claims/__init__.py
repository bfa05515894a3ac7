"""What a rule claims, and whether it holds: its class against the classes of the training rows, and against the whole system.

claim.py       one rule's claim: confidence with its interval, lift, certainty, what it is confused with, the class at its centre
measuring.py   the claims of all rules of a model
intervals.py   intervals of confidences

Sources: confidence, lift and support of fuzzy rules: Ishibuchi, Nakashima and Nii (2005); certainty: their penalised certainty
factors; literal truth: after Galende, Gacto, Sainz and Alcalá (2014).
"""

from tsk_core.explain.claims.claim import CLAIM, Claim
from tsk_core.explain.claims.measuring import claims_of, conclusions_of

__all__ = ["CLAIM", "Claim", "claims_of", "conclusions_of"]
