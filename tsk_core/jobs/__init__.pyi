from .control import STOPPED as STOPPED
from .engine import Engine as Engine
from .open_runs import WaitEstimate as WaitEstimate
from .queue import FairQueue as FairQueue
from .shared import SharedEngine as SharedEngine
from .status import Status as Status
