"""The training that moves on the first screen of Explore, recorded by ``benchmarks.demonstration``, and which *Play* repeats.

Three rules learn two features of Iris. The browser plays the recorded epochs (``ui/client/stage/demonstration.js``), so nothing
is trained for a visitor who only looks.
"""

from tsk_core.config import TrainConfig
from tsk_core.data import Choices, Dataset, load_dataset
from ui.data.decisions import key_of, reset_decisions, set_role
from ui.data.source import DATA, TARGET
from ui.live import mount
from ui.platform.assets import demonstration_file
from ui.runs import current_run
from ui.settings.opening import use_settings

RUN = "demonstration"  # its id in the browser
DATASET, CLASS = "iris", "class"
LEFT_OUT = ("sepal length (cm)", "sepal width (cm)")
CONFIG = TrainConfig.paper(n_rules=3, batch_size=16, max_epochs=40, random_state=0)
TEST_SIZE = 0.3


def dataset() -> Dataset:
    """The table as *Play* sets it."""
    return load_dataset(DATASET).with_choices(Choices(CLASS, roles=dict.fromkeys(LEFT_OUT, "ignored")))


def demonstration() -> None:
    """The stage on which it moves."""
    mount("demonstration", key="demonstration", demonstration=f"./app/static/{demonstration_file()}")


def play() -> None:
    """Set the page to the demonstration's table and settings, and train them; a callback."""
    use_settings(CONFIG, TEST_SIZE, data={DATA.name: DATASET, TARGET.name: CLASS})
    table = f"gallery:{DATASET}"
    reset_decisions(table, CLASS)
    for column in LEFT_OUT:
        set_role(table, key_of(table, CLASS), column, "ignored")
    current_run.restart()
