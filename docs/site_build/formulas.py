"""Formulas as MathML, with the converter of the app."""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator

from ui.charts.explanations import mathml


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """A formula in a line."""
    translator.body.append(_converted(node, "inline"))
    raise nodes.SkipNode


def block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """A formula on lines of its own; wide ones scroll."""
    translator.body.append(f'<div class="formula" tabindex="0">{_converted(node, "block")}</div>')
    raise nodes.SkipNode


def _converted(node: nodes.Element, display: str) -> str:
    try:
        return mathml(node.astext().strip(), display)
    except ValueError as error:
        raise ExtensionError(f"{node.source}:{node.line}: {error}") from error
