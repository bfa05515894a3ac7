"""TSK fuzzy classifiers: train them, watch them, read their rules.

TSKClassifier   the scikit-learn estimator
TSKClassifierCV the same with settings found by cross-validation
fit_many        many of them on one table, side by side
TrainConfig     one training run's settings
load_dataset    a dataset of the gallery by name
read_csv        a table of one's own
make_dataset    the same of a pandas frame, with the same findings
read_rule_base  the rules in a .fis or JSON file, to start a training from
explain_with_rules  a readable rule base that predicts what another classifier predicts
rule_stability  how often the rules of one come back when it is trained again
compare         variants of the settings over several seeds, as a pandas frame
compare_pairs   how far each two of these variants are apart, as a pandas frame
sweep           all combinations of some values over several seeds, as a pandas frame

Everything loads when first used, so that a command that needs no torch does not wait for it.
"""

from lazy_loader import attach_stub

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
