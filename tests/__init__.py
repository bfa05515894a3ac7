"""The tests. A folder that is a package has fixtures of its own that live as long as its tests run."""
