"""Pages of the repository that lie outside of docs/: a link to one leads to its page of the site."""

import re

from sphinx.application import Sphinx

# file of the repository -> page of the site that includes it
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changelog.md",
    "CODE_OF_CONDUCT.md": "project/conduct.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "RELEASING.md": "project/releasing.md",
    "SECURITY.md": "project/security.md",
    "study/README.md": "study.md",
}
_LINK = re.compile(r"\]\(((?:\.\./)+)([\w./-]+)")


def lead_to_pages(app: Sphinx, page: str, source: list[str]) -> None:
    """Change the links of a page that leave docs/. A link to a file that is no page stays, and the build fails."""
    depth = page.count("/")

    def changed(link: re.Match[str]) -> str:
        up, name = link[1].count("../"), link[2]
        return f"]({'../' * depth}{PAGES[name]}" if up == depth + 1 and name in PAGES else link[0]

    source[0] = _LINK.sub(changed, source[0])
