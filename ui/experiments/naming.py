"""What an experiment is called where nobody chose a name: in messages to the browser, and as a file."""

import hashlib

from tsk_core.data import Dataset
from tsk_core.experiments import Plan
from ui.platform.caches import table_key
from ui.text import in_file_name


def experiment_name(plan: Plan, dataset: Dataset) -> str:
    """32 letters and digits: the same for the same plan on the same dataset, split and roles of columns included."""
    table = hashlib.sha256(repr(table_key(dataset)).encode()).hexdigest()
    return f"{plan.key[:16]}{table[:16]}"


def experiment_file(plan: Plan, dataset: Dataset, what: str) -> str:
    """The start of a file's name, such as "comparison-iris-1f0c3a2b"."""
    return f"{what}-{in_file_name(dataset.name)}-{experiment_name(plan, dataset)[:8]}"
