"""What the site needs beyond Sphinx's own extensions.

arguments   lists of arguments, of docstrings that explain them in sentences
decisions   their numbers before their titles
formulas    LaTeX becomes MathML while the site is built: browsers draw it without a script
gallery     the cards of the app's gallery, with a picture of each table
limits      the limits of a server, from their one list
metrics     the metrics of a rule base, from their one list
outside     links to files of the repository that the site has as pages
settings    the parameters of the classes that take the settings, from their one list
unused      what the theme leaves in the site and no page uses
"""

from typing import Any

from sphinx.application import Sphinx

from site_build import arguments, decisions, formulas, gallery, limits, metrics, outside, settings, unused


def setup(app: Sphinx) -> dict[str, Any]:
    """Add all of it."""
    app.add_html_math_renderer("mathml", (formulas.inline, None), (formulas.block, None))
    app.add_directive("gallery", gallery.Gallery)
    app.add_directive("limits", limits.Limits)
    app.add_directive("metrics", metrics.RuleBaseMetrics)
    app.connect("source-read", outside.lead_to_pages)
    app.connect("source-read", decisions.number_the_title)
    app.connect("autodoc-process-docstring", arguments.list_arguments, priority=100)
    app.connect("autodoc-process-docstring", settings.add_parameters, priority=100)  # before numpydoc reads it
    app.connect("build-finished", unused.remove)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
