from .watching import show as show
from .watching import watch as watch
