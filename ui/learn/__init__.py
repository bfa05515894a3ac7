"""The page Learn: lessons that ask for a prediction first."""
