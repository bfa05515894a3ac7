"""The ids of persons."""

import hashlib

__all__ = ["person_of"]


def person_of(owner: str) -> str:
    """The id of a person, 32 hex digits: the owner's id, hashed, since who knows an owner's id can change its runs."""
    return hashlib.sha256(f"person:{owner}".encode("utf-8", "replace")).hexdigest()[:32]
