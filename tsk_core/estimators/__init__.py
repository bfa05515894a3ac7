"""The scikit-learn face of the project."""
