"""A store of runs."""

from tests.engines import store

__all__ = ["store"]
