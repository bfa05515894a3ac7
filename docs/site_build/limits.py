"""The directive ``limits``: each limit of a server, as ``tsk_core.limits`` has it."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from tsk_core.limits import LIMITS


class Limits(SphinxDirective):
    """A table: the environment variable, the default, and what is limited."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """The table."""
        lines = ["| Variable | Default | Limits |", "|---|--:|---|"]
        lines += [f"| `{limit.variable}` | {limit.default:,} | {limit.help} |" for limit in LIMITS.values()]
        return self.parse_text_to_nodes("\n".join(lines))
