"""Tests of the JavaScript in a browser; they share it."""
