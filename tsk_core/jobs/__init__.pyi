from .control import STOPPED as STOPPED
from .engine import Engine as Engine
from .queue import FairQueue as FairQueue
from .shared import SharedEngine as SharedEngine
from .status import Status as Status
from .wait_estimate import WaitEstimate as WaitEstimate
