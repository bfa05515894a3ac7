"""Reading in the test's own process, which is quick."""

from tsk_core.data.reading.parse import parse
from tsk_core.data.reading.table import raw_table


def read_here(content, wish=None):
    """As ``read_table``, without the process of its own."""
    return raw_table(parse(content, wish))


def parse_bytes(content, wish=None):
    """The table with the names that the file gives, and what was said."""
    parsed = parse(content, wish)
    return parsed.table.to_pandas().set_axis(parsed.names, axis=1), [str(finding) for finding in parsed.findings]
