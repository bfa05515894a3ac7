"""One cluster for all tests of a file."""

from tests.engines import endless, engine, nothing_left, short, small

__all__ = ["endless", "engine", "nothing_left", "short", "small"]
