"""What Weka prints of its rules, counted."""

import re
from collections.abc import Sequence

__all__ = ["conditions_and_rules"]

_COMPARED = re.compile(r"\bx(\d+) (?:<=|>=|<|>|=) ")  # attributes are named by ``client.arff``
_NUMBER_OF_RULES = re.compile(r"^Number of Rules\s*:\s*(\d+)", re.MULTILINE)


def conditions_and_rules(text: str, feature_of: Sequence[int]) -> tuple[int, int]:
    """How many conditions and rules its reader counts in Weka's text: a condition for each feature that a rule compares."""
    rules = re.sub(r" AND\s*\n", " AND ", text).splitlines()  # PART has a line for each comparison
    [number] = _NUMBER_OF_RULES.findall(text)
    return sum(len({feature_of[int(column)] for column in _COMPARED.findall(rule)}) for rule in rules), int(number)
