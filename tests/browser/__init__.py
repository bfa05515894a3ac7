"""Tests of the app in a browser; they share one server and one browser."""
