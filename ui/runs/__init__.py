"""Runs as pages show them."""
