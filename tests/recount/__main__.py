"""``python -m tests.recount``: of each kind of number, how many were recounted and how many differ; ends with 1 if any does."""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.pages.helpers import page_engine
from tests.recount.lines import differing
from tests.recount.pages import lines_of
from tests.recount.tables import TABLES, table_of


def main() -> int:
    """Recount the tables and CSV files (class last) that are named on the command line, else the six tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.recount", description="Recount what the pages print of tables.")
    parser.add_argument(
        "tables", nargs="*", help=f"CSV files whose last column is the class, or {', '.join(TABLES)} (default: these)"
    )
    parser.add_argument(
        "--missing", action="append", default=[], metavar="[COL=]CODE", help="cells of a file that are missing values; repeatable"
    )
    arguments = parser.parse_args()
    codes: dict[str, tuple[str, ...]] = {}
    for option in arguments.missing:
        column, _, code = option.rpartition("=")
        codes[column] = (*codes.get(column, ()), code)
    tables = arguments.tables or list(TABLES)
    with tempfile.TemporaryDirectory() as folder, page_engine(Path(folder)) as engine:
        lines = [line for name in tables for line in lines_of(engine, table_of(name, codes))]
    counts, wrong = Counter(line.kind for line in lines), differing(lines)
    different = Counter(line.kind for line in wrong)
    print(f"{'Number':42}  {'recounted':>9}  {'differ':>6}")
    for kind, n in counts.items():
        print(f"{kind:42}  {n:9,}  {different[kind]:6,}")
    print(f"{'all':42}  {len(lines):9,}  {len(wrong):6,}")
    for line in wrong:
        print(f"{line.kind}, {line.where}: printed {line.printed}, recounted {line.recounted}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
