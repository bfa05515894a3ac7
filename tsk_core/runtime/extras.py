"""The libraries that a part of TSK Explorer needs and the library by itself does not: each part is an extra of the package."""

from importlib.util import find_spec

from tsk_core.errors import TSKError

# Extra -> what the names of its libraries are in an import; an extra includes those above it.
EXTRAS = {
    "cluster": ("dask", "distributed"),
    "study": ("filelock", "matplotlib", "scikit_posthocs"),
    "app": (
        "brotli", "cryptography", "jinja2", "jsonschema", "latex2mathml", "plotly", "segno", "starlette", "streamlit", "uvicorn",
        "uvloop", "yaml",
    ),
    "onnx": ("onnx",),
    "login": ("authlib", "httpx"),
    "notebook": ("anywidget", "IPython", "traitlets"),
}  # fmt: skip


def is_installed(extra: str) -> bool:
    """Whether all libraries of an extra are there; none is imported."""
    return all(find_spec(name) for name in EXTRAS[extra])


def missing_extra(library: str | None) -> TSKError | None:
    """The error that says how to install what is missing; None where no extra has it. library: as a failed import names it."""
    name = (library or "").partition(".")[0]
    for extra, names in EXTRAS.items():
        if name in names:
            return TSKError(f"This needs {name}, which is not installed: pip install 'tsk-explorer[{extra}]'.")
    return None
