"""Tables, settings, a store and, for those that ask for it, an engine."""

from tests.engines import endless, engine, nothing_left, short, small, store

__all__ = ["endless", "engine", "nothing_left", "short", "small", "store"]
