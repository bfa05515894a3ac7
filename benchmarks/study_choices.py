"""Count which λ validation chose in the study: ``python -m benchmarks.study_choices`` writes ``experiments/study_choices.csv``.

To be run again when study/results/results.csv has new splits.
"""

import argparse
import csv
from collections import Counter
from pathlib import Path

from tsk_core.experiments.variants import FILE
from tsk_core.study import ALGORITHMS, DATASETS, read_results

RESULTS = Path(__file__).parents[1] / "study" / "results" / "results.csv"


def main() -> None:
    """A line for each dataset, variant of batch normalisation and λ that was chosen at least once."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    family = {name: algorithm.batch_norm for name, algorithm in ALGORITHMS.items() if algorithm.selects_ur}
    chosen = Counter(
        (one.dataset, family[one.algorithm], one.ur_weight) for one in read_results(RESULTS).values() if one.algorithm in family
    )
    order = {name: place for place, name in enumerate((*DATASETS, *family.values()))}
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["dataset", "batch_norm", "lambda", "splits"])
        for key in sorted(chosen, key=lambda key: (order[key[0]], order[key[1]], key[2])):
            writer.writerow([*key[:2], f"{key[2]:g}", chosen[key]])


if __name__ == "__main__":
    main()
