"""What lists call a run."""

from tsk_core.config import SETTINGS
from tsk_core.runs import Record
from ui.text import in_words

__all__ = ["name_of", "settings_of"]

_SHORT = ("n_rules", "ur_weight", "batch_norm", "batch_size", "random_state")  # settings that fit into a line


def name_of(record: Record) -> str:
    """The name that its owner gave, else its dataset and the beginning of its id."""
    return record.name or f"{record.dataset} {record.id[:4]}"


def settings_of(record: Record) -> str:
    """The settings in a line: "R 20, λ 1, BN bn, B 64, seed 3"."""
    values = record.settings
    return ", ".join(f"{SETTINGS[name].symbol or 'seed'} {in_words(values[name])}" for name in _SHORT if name in values)
