"""Lessons: their file, their outcomes, and what they show."""
