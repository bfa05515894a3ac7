"""The directive ``metrics``: the keys of a rule base's metrics, as ``explain.base.quadrants`` has them."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from tsk_core.explain.base.quadrants import QUADRANTS


class RuleBaseMetrics(SphinxDirective):
    """A table: key, name, and which values are good."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """The table."""
        lines = ["| Key | Metric | Good values |", "|---|---|---|"]
        lines += [f"| `{kind.key}` | {kind.name} | {kind.good} |" for kinds in QUADRANTS.values() for kind in kinds]
        return self.parse_text_to_nodes("\n".join(lines))
