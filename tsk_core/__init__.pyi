from .config import TrainConfig as TrainConfig
from .data import load_dataset as load_dataset
from .data import make_dataset as make_dataset
from .data import read_csv as read_csv
from .estimators.classifier import TSKClassifier as TSKClassifier
from .estimators.classifier_cv import TSKClassifierCV as TSKClassifierCV
from .estimators.fit_many import fit_many as fit_many
from .estimators.stability import rule_stability as rule_stability
from .estimators.surrogate import explain_with_rules as explain_with_rules
from .experiments.in_process import compare as compare
from .experiments.in_process import compare_pairs as compare_pairs
from .experiments.in_process import sweep as sweep
from .explain.rule_base_file import read_rule_base as read_rule_base

__version__: str
