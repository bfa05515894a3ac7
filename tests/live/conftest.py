"""A store of runs."""
