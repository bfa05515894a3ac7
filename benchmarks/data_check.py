"""How well the data check finds traps: ``python -m benchmarks.data_check [--seed 0] [--tables 40] [--real]``.

Draws tables with planted traps (``benchmarks/traps``): codes for missing values, leaks, subjects with several rows, repeated
rows, numbers of records, ordered categories, times. A quarter of the tables has none, and all have decoys: ages, counts with
many zeros, postcodes, scores, years, incomes that hardly repeat, categories that only sound ordered, rows that are equal by
nature. Each is read from its bytes as an upload. Printed for each check: traps planted and found, false alarms, precision and
recall with 95% Wilson intervals, and how many remedies do what they say; below, each miss and each false alarm. ``--seed``
takes several seeds, as 1,2,3.

``--real`` reads the gallery instead, with the tables of the folders in TSK_DATA_DIR, and prints each alarm with the verdict
that ``benchmarks/traps/judged.csv`` has about it: true, false or debatable.
"""

import argparse
import time
from collections import Counter

from benchmarks.traps.scoring import judged, score
from benchmarks.traps.table import CHECKS
from benchmarks.traps.tables import trap_tables
from tsk_core import load_dataset
from tsk_core.data.gallery import dataset_names, is_available_offline

VERDICTS = ("true", "false", "debatable", "unjudged", "missed")


def planted(seeds: list[int], number: int) -> None:
    """Count and print the alarms about generated tables."""
    began = time.perf_counter()
    tally = score(table for seed in seeds for table in trap_tables(seed, number))
    print(f"{number * len(seeds)} tables, seed {', '.join(map(str, seeds))}, {time.perf_counter() - began:.0f} s\n")
    print(tally.table(), *tally.lines, sep="\n")


def real() -> None:
    """Print the alarms about real tables with their verdicts, and count them by check."""
    counts: Counter[tuple[str, str]] = Counter()
    names = [name for name in dataset_names() if is_available_offline(name)]
    for name in names:
        found = list(judged(name, load_dataset(name)))
        print(f"{name}: {len(found)}")
        for verdict, (check, column), text in found:
            counts[check, verdict] += 1
            print(f"  {verdict:10}{check:14}'{column}': {text}")
    print(f"\n{len(names)} tables\n{'check':14}" + "".join(f"{verdict:>11}" for verdict in VERDICTS))
    for check in CHECKS:
        print(f"{check:14}" + "".join(f"{counts[check, verdict]:11}" for verdict in VERDICTS))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", default="0", help="of the generated tables; several are separated by commas")
    parser.add_argument("--tables", type=int, default=40, help="number of generated tables of each seed")
    parser.add_argument("--real", action="store_true", help="the gallery and the tables of TSK_DATA_DIR instead")
    options = parser.parse_args()
    if options.real:
        real()
    else:
        planted([int(seed) for seed in options.seed.split(",")], options.tables)


if __name__ == "__main__":
    main()
