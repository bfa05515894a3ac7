"""The Explore page, from top to bottom."""
