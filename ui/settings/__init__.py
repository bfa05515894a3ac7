"""The settings of a training on the page."""
