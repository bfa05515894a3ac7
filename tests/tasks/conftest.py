"""Tables, settings and, for those that ask for it, an engine."""

from tests.engines import endless, engine, nothing_left, short, small

__all__ = ["endless", "engine", "nothing_left", "short", "small"]
