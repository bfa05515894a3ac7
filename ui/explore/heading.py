"""What the results on the page are of: the data and settings of the run shown, and what the controls have changed since.

The controls may be changed at any time; scores, charts and rules remain those of the run shown until Train is pressed.
"""

from dataclasses import dataclass, field

from tsk_core.config import TrainConfig
from tsk_core.runs import same_dataset
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.data.choose import Chosen
from ui.runs.differences import Side, changed_settings
from ui.runs.run_view import RunView
from ui.settings.controls import TEST_KEY
from ui.text import in_markdown, shortened

NAMED = 3  # changed settings whose values are listed


@dataclass(frozen=True)
class Pending:
    """What Train would change: the data, and settings. It is false where Train would repeat the run shown, or without one.

    shown: the data of the run shown, with its values of the first changed settings. changes: the data of the next run if they are
    others, and the changed settings, such as "λ 1 → 5". keys: of the widgets that differ.
    """

    shown: str = ""
    changes: str = ""
    keys: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.shown)

    @property
    def text(self) -> str:
        """As "Showing satellite, λ 1. The settings in the sidebar differ and apply to the next run."."""
        what = "data" if self.keys == ["data"] else "data and settings" if "data" in self.keys else "settings"
        return f"Showing {self.shown}. The {what} in the sidebar differ and apply to the next run." if self else ""


def heading(run: RunView | None, config: TrainConfig | None, chosen: Chosen | None, comparison: RunView | None = None) -> str:
    """The heading of the results, as Markdown: data and settings of the run shown, or of the controls before the first run.

    comparison: settings in which it differs are bold, before and now.
    """
    if run is not None:
        name, config = run.data["name"], run.config if run.settled else None
    else:
        name = "" if chosen is None else chosen.shown.name
    parts = [f"**{in_markdown(shortened(name, 40))}**"] if name else []
    if config is not None:
        parts += _settings(comparison.config if comparison else config, config)
    return " · ".join(parts)


def pending(run: RunView | None, config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> Pending:
    """How the controls differ from the run shown; data that cannot be trained on and invalid settings are left out."""
    if run is None or not run.settled:
        return Pending()
    dataset = chosen and chosen.dataset
    other = dataset if dataset is not None and not same_dataset(dataset, run.data) else None
    now = Side(config or run.config, test_size if config else run.test_size, (), {})
    changes = changed_settings(Side(run.config, run.test_size, (), {}), now)
    if other is None and not changes:
        return Pending()
    values = [f"{change.short} {change.old}" for change in changes[:NAMED]] + ["…"] * (len(changes) > NAMED)
    keys = [SETTINGS[change.name].key if change.name else TEST_KEY for change in changes]
    named = [*([] if other is None else [shortened(other.name, 24)]), *map(str, changes)]
    data = [] if other is None else ["data"]
    return Pending(", ".join([shortened(run.data["name"], 24), *values]), ", ".join(named), [*data, *filter(None, keys)])


def _settings(before: TrainConfig, now: TrainConfig) -> list[str]:
    """The settings that lectures are about, and others that changed, as Markdown."""
    old, new = _named(before), _named(now)
    others = [change for change in changed_settings(Side(before, 0, (), {}), Side(now, 0, (), {})) if change.name not in new]
    settled = [in_markdown(new[name]) if old[name] == new[name] else _changed(old[name], new[name]) for name in new]
    return [*settled, *(f"**{in_markdown(change)}**" for change in others[:NAMED])]


def _named(config: TrainConfig) -> dict[str, str]:
    """The name of a setting -> as a lecturer says it."""
    symbols = {name: SETTINGS[name].symbol for name in ("n_rules", "ur_weight", "batch_size", "firing")}
    named = {name: f"{symbol} {in_words(getattr(config, name))}" for name, symbol in symbols.items()}
    return named | {"batch_norm": "without BN" if config.batch_norm == "none" else config.batch_norm.upper()}


def _changed(old: str, new: str) -> str:
    """As "**λ 0 → 10**", or "**without BN → BN**"."""
    symbol, _, value = new.partition(" ")
    return f"**{in_markdown(f'{old} → {value if value and old.startswith(symbol) else new}')}**"
