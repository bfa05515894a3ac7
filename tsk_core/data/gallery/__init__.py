"""The gallery: tables that come with the project, the paper's twelve, and the CSV files of the folders in TSK_DATA_DIR.

entry       Entry: all that a card says, known without loading
bundled     shipped with scikit-learn
generated   drawn from formulas
paper       the paper's twelve: from a folder of TSK_DATA_DIR, else fetched from OpenML
folders     the other files of TSK_DATA_DIR
points      what a thumbnail shows
"""

from tsk_core.data.dataset import Dataset, make_dataset
from tsk_core.data.gallery.bundled import BUNDLED
from tsk_core.data.gallery.entry import Entry
from tsk_core.data.gallery.folders import csv_files, folder_entry
from tsk_core.data.gallery.generated import GENERATED
from tsk_core.data.gallery.openml import is_fetched
from tsk_core.data.gallery.paper import PAPER, PINS
from tsk_core.data.gallery.points import sample_points, telling_features
from tsk_core.errors import DataError

__all__ = [
    "GALLERY", "Entry", "dataset_names", "entries", "is_at_hand", "load_dataset", "sample_points", "telling_features", "titles",
]  # fmt: skip

GALLERY: dict[str, Entry] = {entry.name: entry for entry in (*BUNDLED, *GENERATED, *PAPER)}


def entries() -> list[Entry]:
    """Every dataset there is now: the gallery, then the other files of TSK_DATA_DIR by name. Nothing is loaded."""
    return [*GALLERY.values(), *(folder_entry(path) for name, path in csv_files().items() if name not in GALLERY)]


def dataset_names() -> list[str]:
    """Every name that ``load_dataset`` knows now, in the order of ``entries``."""
    return [entry.name for entry in entries()]


def titles() -> dict[str, str]:
    """``{name: title}`` for every name, in the order of ``entries``."""
    return {entry.name: entry.title for entry in entries()}


def is_at_hand(name: str) -> bool:
    """Whether the dataset of this name loads without the internet."""
    return name not in PINS or name in csv_files() or is_fetched(PINS[name])


def load_dataset(name: str) -> Dataset:
    """A table by name, in any case: one of ``GALLERY``, or ``<name>.csv`` in a folder of TSK_DATA_DIR.

    One of the paper's twelve is taken from such a folder too where it is there, and is fetched from OpenML where not.
    Raises DataError where there is none such, listing the names, or where it can be neither read nor fetched.
    """
    if any(sign in name for sign in ("/", "\\", "\0")):
        raise DataError(f"'{name[:60]}' is not a dataset's name: names hold no path; use read_csv for a file.")
    known = {entry.name.casefold(): entry for entry in entries()}
    entry = known.get(name.strip().casefold())
    if entry is None:
        raise DataError(f"There is no dataset '{name[:60]}'; the names are {', '.join(dataset_names())}.")
    frame, findings = entry.loader()
    target = "class" if entry.group != "folder" and "class" in frame else None
    return make_dataset(frame, target, name=entry.name, source=entry.source, licence=entry.licence, findings=findings)
