"""The directive ``gallery``: what each table of the app's gallery is, and what it shows."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from tsk_core.data.gallery import GALLERY, Entry, load_dataset
from ui.charts.drawn import does_well, points_picture

_GROUPS = {"bundled": "Real tables", "generated": "Tables generated for one effect", "paper": "The paper's twelve"}


class Gallery(SphinxDirective):
    """A section for each group, and in it one for each table, drawn where it needs no download."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """The sections."""
        parts = []
        for group, title in _GROUPS.items():
            parts += [f"## {title}", *(_card(entry) for entry in GALLERY.values() if entry.group == group)]
        return self.parse_text_to_nodes("\n\n".join(parts), allow_section_headings=True)


def _card(entry: Entry) -> str:
    lines = [f"### {entry.title}", entry.description]
    if entry.good_for:
        lines.append(f"**What it shows:** {entry.good_for}")
    if entry.group != "paper" and (picture := points_picture(load_dataset(entry.name))):
        lines.append(f'```{{raw}} html\n<div class="points" role="img" aria-label="Rows of {entry.title}">{picture}</div>\n```')
    lines.append(f'{entry.rows:,} rows, {entry.features} features, {entry.classes} classes · `load_dataset("{entry.name}")`')
    if entry.measured is not None:
        lines.append(does_well(entry.measured))
    return "\n\n".join([*lines, f"*{entry.source}. {entry.licence}.*"])
