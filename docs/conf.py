"""How Sphinx makes the documentation site of these pages and of tsk_core's docstrings: ``make docs``."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import tsk_core  # noqa: E402

project = "TSK Explorer"
author = copyright = "TSK Explorer contributors"
version = release = tsk_core.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "site_build"]
exclude_patterns = ["site_build"]
nitpicky = True
show_warning_types = True

# The pages are plain Markdown, which is read in the repository too; headings are anchors there.
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath", "colon_fence"]

autodoc_typehints = "none"  # numpydoc's sections have them
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "TSK Explorer"
html_static_path = ["site_build/site.css"]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs/site_build/scorer.js")
html_favicon = "../ui/icon.svg"
html_copy_source = html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "search_bar_text": "Search",
}
