"""Tables, settings and, for those that ask for it, an engine."""
