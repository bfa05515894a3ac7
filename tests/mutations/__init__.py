"""Faults that the tests have to notice."""
