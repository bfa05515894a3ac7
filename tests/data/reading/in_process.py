"""Read files in the process of the test, which is quick."""

from tsk_core.data.reading.process import parse
from tsk_core.data.reading.table import raw_table


def read_here(content, read_options=None):
    """Like ``read_table``, but without a separate process."""
    return raw_table(parse(content, read_options))


def parse_bytes(content, read_options=None):
    """The table with the names of the file, and the findings as text."""
    parsed = parse(content, read_options)
    return parsed.table.to_pandas().set_axis(parsed.names, axis=1), [str(finding) for finding in parsed.findings]
