"""How much a search has done, in seconds of one machine: what it tries depends on this count, and so on no other machine.

A search that followed the clock would try other settings wherever something else is running. The constants were measured with one
torch thread (decision 0072), and foretell somewhat more than most searches take there with nothing else running.
"""

from tsk_core.config import TrainConfig

__all__ = ["Work", "epoch_seconds", "placing_seconds", "start_seconds"]

# Seconds: of an epoch, a step, a model in a step, a product in it; of a model in an epoch, a product of its validation.
EPOCH, STEP, MODEL_STEP, PRODUCT, MODEL_EPOCH, VALIDATED = 3.2e-3, 360e-6, 35e-6, 4e-10, 20e-6, 1e-10
START, CENTRES = 1e-3, 8e-9  # of a model: where it begins, and of its initial centres for each row, rule and column
PLACED = 2e-7  # of a number of the table of a repeat, which is encoded for each fold


class Work:
    """seconds: of the work so far."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Count more work."""
        self.seconds += seconds


def epoch_seconds(config: TrainConfig, rows: int, validated: int, columns: int, classes: int, members: int) -> float:
    """Of an epoch of so many members side by side. rows, validated: of each."""
    slopes = columns if config.has_slopes else 1
    products = config.n_rules * (2 * columns + classes * slopes)  # of a row
    steps, batch = config.steps_per_epoch(rows), min(rows, config.batch_size)
    step = STEP + members * (config.n_parts * MODEL_STEP + PRODUCT * batch * products)
    return EPOCH + steps * step + members * (MODEL_EPOCH + VALIDATED * validated * products)


def placing_seconds(numbers: int) -> float:
    """Of the table of a repeat's folds, which has so many numbers."""
    return PLACED * numbers


def start_seconds(config: TrainConfig, rows: int, columns: int, members: int) -> float:
    """Before the first epoch of so many members."""
    return members * (config.n_parts * START + CENTRES * rows * config.n_rules * columns)
