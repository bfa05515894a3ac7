"""Every quota, once: its name, default, environment variable and what it is for.

``limits.value("rows")`` is the number in force. Quotas protect a shared app; plain Python use of
``TSKClassifier`` is bounded by nothing but the machine.
"""

import os
from dataclasses import dataclass

from tsk_core.errors import LimitError, SettingError

KEEP_DAYS = "TSK_KEEP_DAYS"  # environment variable


@dataclass(frozen=True)
class Limit:
    """One quota. ``default`` is in the unit that ``help`` names."""

    name: str
    default: int
    help: str

    @property
    def variable(self) -> str:
        """The environment variable that changes it."""
        return f"TSK_MAX_{self.name.upper()}"


LIMITS = {
    limit.name: limit
    for limit in (
        Limit("upload_mb", 20, "Size of an uploaded file, in megabytes."),
        Limit("rows", 200_000, "Rows of a table."),
        Limit("columns", 500, "Columns of a table."),
        Limit("classes", 100, "Classes of a target column."),
        Limit("categories", 50, "Categories of one column; rarer ones are counted as 'other'."),
        Limit("rules", 200, "Rules of one model."),
        Limit("memory_mb", 350, "Estimated memory of one training, in megabytes; a worker of 1 GiB has that much free."),
        Limit("parse_seconds", 5, "Time for reading one file of up to upload_mb, in seconds; a larger file has more time."),
        Limit("parse_mb", 500, "Memory for reading one file of up to upload_mb, in megabytes; a larger file has more memory."),
        Limit("table_cells", 10_000_000, "Cells of a table read from one file of up to upload_mb; a larger file has more."),
        Limit("table_mb", 100, "Memory of the table of one file of up to upload_mb, in megabytes; a larger file has more."),
        Limit("unpacked_mb", 100, "Size of the table in an archive or of an unpacked workbook, in megabytes."),
        Limit(
            "predicted_cells",
            12_000_000,
            "Cells of a table of predictions on the page: rows times columns and classes.",
        ),
        Limit("connections", 8_000, "Open connections of all network addresses, as far as the system's descriptor limit allows."),
        Limit("connections_per_address", 2_000, "Open connections of one network address; a browser opens up to seven."),
        Limit("pages_per_address", 500, "Open pages of one network address, which a lecture hall may share."),
        Limit("message_kb", 1_000, "One message from a browser, in kilobytes."),
        Limit(
            "unfinished_mb", 32, "Messages from browsers that have begun and not ended, in megabytes; half of it for one address."
        ),
        Limit("widget_states", 2_000, "Widgets of one page whose values a browser sends."),
        Limit("readers_per_address", 1, "Files of one network address that are read at the same time, of two in all."),
        Limit("files_per_session", 8, "Uploaded files that one page in a browser may have on the server at a time."),
        Limit("files_mb_per_session", 50, "Uploaded files of one page in a browser, in megabytes."),
        Limit("files_mb_per_address", 100, "Uploaded files of one network address, in megabytes."),
        Limit("files_mb", 150, "Uploaded files of all visitors, in megabytes."),
        Limit("tables_mb_per_address", 200, "Tables of the open pages and queued runs of one network address, in megabytes."),
        Limit("tables_mb", 300, "Tables of all open pages and queued runs, in megabytes; those of closed pages go first."),
        Limit("fetch_seconds", 60, "Time for fetching one dataset of the gallery from OpenML, in seconds."),
        Limit("fetch_mb", 20, "Size of each file of a dataset fetched from OpenML, in megabytes."),
        Limit("running_per_owner", 1, "Runs of one owner that train at the same time, if workers are free."),
        Limit("queued_per_owner", 3, "Runs one owner may have in the queue."),
        Limit(
            "background_per_owner",
            100,
            "Experiments, tunings and cells of the study one owner may have in the queue or in training.",
        ),
        Limit(
            "background_per_address",
            150,
            "Experiments, tunings and cells of the study of one network address in the queue or in training.",
        ),
        Limit(
            "open_per_address",
            300,
            "Trainings of one network address in the queue or in training, which a full lecture hall may share; experiments have"
            " their own.",
        ),
        Limit("kept_per_owner", 2, "Runs of one owner that go on without viewers."),
        Limit("kept_per_address", 20, "Runs of one network address that go on without viewers."),
        Limit(
            "queued",
            400,
            "Trainings in the queue in total; as many experiments, tunings and cells of the study may wait as well.",
        ),
        Limit("run_seconds", 600, "Duration of one run, in seconds."),
        Limit("slow_seconds", 180, "Time that one slowed run may spend waiting, in seconds; then it trains at full speed."),
        Limit("experiment_trainings", 2_000, "Trainings of one comparison or sweep."),
        Limit("turn_seconds", 20, "Time an experiment keeps its worker before others have their turn, in seconds."),
        Limit("points_mb", 500, "Disk space of the results of experiments, in megabytes; beyond this, the oldest are deleted."),
        Limit(
            "runs_mb",
            2_000,
            "Disk space of all runs, in megabytes; beyond this, unpinned runs are deleted, first the oldest of the owner"
            " who takes the most space.",
        ),
        Limit("pinned_percent", 50, "Share of runs_mb that pinned runs may take, in percent."),
        Limit("classes_per_owner", 10, "Classes of one teacher on the page Learn; one unused for a day is deleted."),
        Limit("classes_per_address", 50, "Classes started from one network address; unused ones are deleted likewise."),
        Limit("learners_per_class", 500, "Learners in one class."),
        Limit(
            "answers",
            100_000,
            "Answers of learners, each kept for 30 days; beyond this, the oldest given without a class are deleted.",
        ),
        Limit("pinned_percent_per_owner", 10, "Share of runs_mb that one owner's pinned runs may take, in percent."),
    )
}


def value(name: str) -> int:
    """The quota in force: the environment variable ``TSK_MAX_<NAME>`` where set, else the default.

    Raises SettingError when the variable is not a whole number of at least 1.
    """
    limit = LIMITS[name]
    given = whole_number(limit.variable)
    return limit.default if given is None else given


def keep_days() -> int | None:
    """Days after which the server deletes a run that has ended: the environment variable TSK_KEEP_DAYS; None, never, without it.

    Raises SettingError when the variable is not a whole number of at least 1.
    """
    return whole_number(KEEP_DAYS)


def check_environment() -> None:
    """Raise SettingError where the variable of a quota is wrong, as a server does before it serves anybody."""
    for name in LIMITS:
        value(name)
    keep_days()


def whole_number(variable: str) -> int | None:
    """The whole number in an environment variable; None without it; SettingError where it is none, or below 1."""
    text = os.environ.get(variable)
    if text is None:
        return None
    if not text.strip().isdecimal() or int(text) < 1:
        raise SettingError(f"The environment variable {variable} is {text!r}; set it to a whole number of at least 1.")
    return int(text)


def check(name: str, count: float, what: str) -> None:
    """Raise LimitError if ``count`` is above the quota; its sentence calls it ``what``."""
    allowed = value(name)
    if count > allowed:
        raise LimitError(
            f"{what}: {count:,.0f} is above this server's limit of {allowed:,}; use fewer, or raise {LIMITS[name].variable}."
        )


def for_file(megabytes: float) -> dict[str, int]:
    """The quotas ``parse_seconds``, ``parse_mb``, ``unpacked_mb``, ``table_cells`` and ``table_mb`` for a file of this size.

    For a file above ``upload_mb``, which comes from the command line or from Python, they grow in proportion to its size.
    """
    share = max(1.0, megabytes / value("upload_mb"))
    names = ("parse_seconds", "parse_mb", "unpacked_mb", "table_cells", "table_mb")
    return {name: int(value(name) * share) for name in names}


def shared_out(processes: int) -> dict[str, str]:
    """Environment variables with which so many processes that draw pages together keep to the quotas of uploads and tables.

    A browser always comes to the same process. Each has at least room for one file and one table of the largest size.
    """
    least = {"files_mb": "upload_mb", "tables_mb": "table_mb"}
    names = {name: one for total, one in least.items() for name in (total, f"{total}_per_address")}
    return {LIMITS[name].variable: str(max(value(name) // processes, value(one))) for name, one in names.items()}


def check_training(n_rules: int, batch_size: int, n_rows: int, n_features: int, n_classes: int, n_trainings: int = 1) -> None:
    """Raise LimitError for a training that is too large for this server, before anything is allocated.

    The estimate counts what is in memory at the same time: the table (twice in float32, once in float64), one block
    of firing levels and consequents, the parameters with their optimiser state, and what each further training beside the first
    adds: the order of its rows and its mini-batches.
    """
    check("rules", n_rules, "Rules")
    check("classes", n_classes, "Classes")
    block = min(max(batch_size, 4096), n_rows)
    floats = 4 * n_rows * n_features + 4 * block * n_rules * (n_classes + 2) + 6 * n_rules * (n_features + 1) * (n_classes + 2)
    floats += (n_trainings - 1) * floats_of_batches(batch_size, n_rows, n_features)
    check("memory_mb", 8 * floats / 1e6, "Estimated memory in MB for this table and number of rules")


def floats_of_batches(batch_size: int, n_rows: int, n_features: int) -> int:
    """How many numbers of 8 bytes one of several trainings side by side has: the order of its rows, and a mini-batch."""
    return 2 * n_rows + min(batch_size, n_rows) * (3 * n_features + 2)
