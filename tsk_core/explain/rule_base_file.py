"""Rules in a file, to start a training from: a .fis file of MATLAB, or the JSON of exported rules."""

import hashlib
import json
from pathlib import Path

from tsk_core.data.naming import quoted
from tsk_core.errors import DataError
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.formats.from_fis import from_fis
from tsk_core.explain.reader import read_rules

__all__ = ["MOST_BYTES_OF_RULES", "read_rule_base"]

MOST_BYTES_OF_RULES = 2_000_000  # of a file


def read_rule_base(source: str | Path | bytes, name: str = "") -> ExportedRules:
    """The rules in a file, as ``TSKClassifier(rule_base=…)`` takes them.

    Parameters
    ----------
    source : str, Path or bytes
        A path, or the content of a file of at most 2 MB: a Sugeno system with Gaussian membership functions and one output per
        class, as ``export("fis")`` or MATLAB's ``writeFIS`` write it, or exported rules as JSON (``export("json")``).
    name : str, default ""
        Of the file, where its content is given.

    Returns
    -------
    dict
        The rules as ``to_dict`` has them.

    Raises
    ------
    DataError
        With one sentence for anything else.

    Examples
    --------
    >>> from tsk_core import TSKClassifier, load_dataset, read_rule_base
    >>> iris = load_dataset("iris")
    >>> first = TSKClassifier(n_rules=3, max_epochs=5, random_state=0).fit(iris.X, iris.y)
    >>> rules = read_rule_base(first.export("fis").encode(), "expert.fis")
    >>> TSKClassifier(rule_base=rules, max_epochs=5, random_state=0).fit(iris.X, iris.y).model_.config.n_rules
    3
    """
    content, name = (source, name) if isinstance(source, bytes) else (_read(Path(source)), Path(source).name)
    if len(content) > MOST_BYTES_OF_RULES:
        raise DataError(f"The file of rules {quoted(name)} is larger than {MOST_BYTES_OF_RULES / 1e6:g} MB.")
    text = _decoded(content)
    rules = _from_json(text) if text.lstrip()[:1] == "{" else from_fis(text)
    rules["source"] = f"{name[:100]}, SHA-256 {hashlib.sha256(content).hexdigest()[:12]}" if name else ""
    return rules


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES_OF_RULES + 1)
    except OSError as error:
        raise DataError(f"The file of rules '{path}' cannot be read: {str(error.strerror).lower()}.") from None


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # of old versions of MATLAB; names alone can be other than ASCII


def _from_json(text: str) -> ExportedRules:
    """Exported rules, checked."""
    try:
        rules: ExportedRules = json.loads(text, parse_constant=_not_a_number)
        read_rules(rules)
        known = {"format", "version", "classes", "columns", "normalisation", "rules", "log_prior"}
        return {key: value for key, value in rules.items() if key in known}  # type: ignore[return-value]  # its keys
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError):
        raise DataError("The file is neither exported rules as JSON, nor a .fis file.") from None


def _not_a_number(name: str) -> float:
    raise ValueError(name)
