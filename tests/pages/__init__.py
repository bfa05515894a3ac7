"""Tests of the pages without a browser; they share one engine."""
