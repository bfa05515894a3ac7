"""Tables, settings, a store and, for those that ask for it, an engine."""
