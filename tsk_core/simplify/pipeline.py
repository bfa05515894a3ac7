"""Pipeline: how a simplified model came about, so that it can be measured by other trainings."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.simplify.options import Options

__all__ = ["Pipeline"]


@dataclass(frozen=True)
class Pipeline:
    """A training, and the simplifications that followed.

    config: of the training, its seed among them. options: of each simplification, with the size that a search chose in place of
    the search.
    """

    config: TrainConfig
    options: tuple[Options, ...]

    def check_repeatable(self) -> None:
        """Raise SettingError where other trainings cannot be simplified in the same way."""
        if any(one.without for one in self.options):
            raise SettingError(
                "This model leaves out rules or conditions that somebody chose by their numbers; another training has other rules"
                " under these numbers, so neither its stability nor a cross-validation can be measured."
            )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {"config": self.config.to_dict(), "options": [asdict(one) for one in self.options]}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """What ``to_dict`` returned; SettingError, KeyError or TypeError for anything else."""
        options = tuple(Options(**one) for one in values["options"])
        if set(values) != {"config", "options"} or not options:
            raise SettingError("The simplifications of the model are malformed.")
        return cls(TrainConfig.from_dict(values["config"]), options)
