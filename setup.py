"""What pyproject.toml cannot say: how the app comes into the wheel, as a folder tsk_explorer that is laid out like a checkout.

Its packages ``ui`` and ``pages`` are no top-level names for everyone: Streamlit puts the folder of app.py on the path of the
app alone. The wheel has a filled ``static``, so that a server may run where it is not allowed to write into site-packages; the
documentation is in it where ``make docs`` has built it.
"""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))

from ui.charts.explanations import provide_explanations  # noqa: E402
from ui.notebook import widget_text  # noqa: E402
from ui.platform.assets import provide  # noqa: E402


class BuildWithApp(build_py):
    """Build the library, then the app beside it."""

    def run(self) -> None:
        """Start from nothing, since a file that was deleted since the last build must not come back."""
        if self.editable_mode:  # the app is served from the checkout
            super().run()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        app = Path(self.build_lib, "tsk_explorer")
        for folder in ("pages", "ui"):
            shutil.copytree(ROOT / folder, app / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "study", app / "study")
        (app / ".streamlit").mkdir()
        for file in ("app.py", ".streamlit/config.toml"):
            shutil.copyfile(ROOT / file, app / file)
        if (site := ROOT / "static" / "docs").is_dir():
            shutil.copytree(site, app / "static" / "docs")
        provide(app / "static")
        provide_explanations(app / "static")
        Path(self.build_lib, "tsk_core", "notebook", "widget.json").write_text(widget_text(), "utf-8")


setup(cmdclass={"build_py": BuildWithApp})
