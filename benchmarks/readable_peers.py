"""Crisp rules of a given size on the same splits: ``python -m benchmarks.readable_peers [--tables vehicle,…] [--conditions 30]``.

For each table and split (70/30): CART and the rule list of ``tsk_core.evaluate.same_size``, Weka's JRip and PART where Weka is
installed, each with at most so many conditions, and the Explainable Boosting Machine with ``--ebm``. Prints conditions, rules,
test RCA and BCA, and seconds.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from threadpoolctl import threadpool_limits

from tsk_core import load_dataset
from tsk_core.evaluate.same_size import Peer, equal_size
from tsk_core.study import ebm, weka
from tsk_core.study.parts import SplitData, split_data
from tsk_core.study.weka.client import LEAST_ROWS, within

TABLES = "vehicle,credit-a,heart-h"


def timed_peers(split: SplitData, conditions: int, with_ebm: bool = False) -> Iterator[tuple[Peer, float]]:
    """Each classifier beside a rule base of so many conditions on this split, and the seconds it took."""
    y = np.asarray(split.dataset.y)
    rows = (split.frame_train, y[split.train], split.frame_test, y[split.test])
    makers: list[Callable[[], list[Peer]]] = [lambda: equal_size(*rows, conditions, seed=split.seed)]
    if not weka.missing():
        makers += [lambda name=name: [within(name, split, conditions)] for name in LEAST_ROWS]
    if with_ebm:
        makers.append(lambda: [ebm.main_effects(*rows, seed=split.seed)])
    for make in makers:
        began = time.perf_counter()
        found = make()
        for peer in found:
            yield peer, (time.perf_counter() - began) / len(found)


def peers(split: SplitData, conditions: int) -> list[Peer]:
    """CART, the rule list, and JRip and PART where Weka is installed."""
    return [peer for peer, _ in timed_peers(split, conditions)]


def main() -> None:
    """Print a line for each table and classifier: means over the splits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default=TABLES)
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--conditions", type=int, default=30)
    parser.add_argument("--ebm", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'table':18}{'classifier':18}" + "".join(f"{name:>12}" for name in ("conditions", "rules", "RCA", "BCA", "seconds")))
    with threadpool_limits(1):
        for table in given.tables.split(","):
            found: dict[str, list[tuple[float, ...]]] = {}
            for seed in range(given.splits):
                for peer, seconds in timed_peers(split_data(load_dataset(table), seed), given.conditions, given.ebm):
                    numbers = (peer.conditions, peer.rules, peer.rca, peer.bca, seconds)
                    found.setdefault(peer.name, []).append(tuple(np.nan if value is None else value for value in numbers))
            for name, lines in found.items():
                print(f"{table:18}{name:18}" + "".join(f"{mean:12.3f}" for mean in np.mean(lines, 0)), flush=True)


if __name__ == "__main__":
    main()
