"""What the theme copies into the site and no page uses: sources of its scripts and styles, a template."""

from pathlib import Path

from sphinx.application import Sphinx


def remove(app: Sphinx, failed: Exception | None) -> None:
    """Delete it, once the site is built: 2 MB of 8."""
    static = Path(app.outdir, "_static")
    for file in (*static.rglob("*.map"), static / "webpack-macros.html"):
        file.unlink(missing_ok=True)
