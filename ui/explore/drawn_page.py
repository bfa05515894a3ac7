"""What the page Explore was drawn with, beside the controls of the settings: whether it stays as it is when these change."""

from dataclasses import replace
from typing import Any

from tsk_core.config import TrainConfig
from ui import presets
from ui.data.choose import Chosen
from ui.explore.heading import Pending, pending
from ui.explore.steering import Toolbar
from ui.page.presenter import presenting
from ui.platform import session
from ui.presets import Preset
from ui.runs import current_run
from ui.tuning import is_shown


class DrawnPage:
    """One drawing of the page. ``note`` at its end says what it shows of the settings, ``follow`` draws what else changes."""

    def __init__(self, toolbar: Toolbar) -> None:
        self._toolbar = toolbar
        self._chosen: Chosen | None = None
        self._shown: Any = None  # before the page is drawn, and where another change than of a setting changes it

    def note(self, chosen: Chosen | None, changed: Pending, preset: Preset | None, failure: str) -> None:
        """The page is drawn. failure: why the last press failed, which the page says until anything changes."""
        self._chosen = chosen
        self._shown = None if failure or presenting() or is_shown(chosen) else _shown(changed, preset)

    def reserve(self) -> None:
        """Make room for what ``follow`` draws."""
        self._toolbar.reserve()

    def follow(self, config: TrainConfig, test_size: float) -> bool:
        """Draw what else changes with these settings; returns False, and draws nothing, where the page has to be drawn."""
        run, start = current_run.get(), session.RULE_BASE.get()
        config = config if start is None else replace(config, rule_base=start)
        changed = pending(run, config, test_size, self._chosen)
        if self._shown != _shown(changed, presets.matching(run, config, test_size, self._chosen)):
            return False
        self.reserve()
        self._toolbar.say(changed)
        return True


def _shown(changed: Pending, preset: Preset | None) -> tuple[Any, ...]:
    """What the page says of the settings beside what ``Toolbar.say`` says: which run is shown, whether its data are those
    chosen, once it has ended whether anything differs from it, and the preset.
    """
    run, ended = current_run.get(), current_run.active() is None
    return run and run.id, "data" in changed.keys, ended and bool(changed), preset and preset.name
