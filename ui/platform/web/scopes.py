"""What a request's scope says, changed before it is passed on."""

from starlette.types import Scope

__all__ = ["without"]


def without(scope: Scope, *names: str) -> Scope:
    """A copy without the headers of these names, which are in small letters."""
    left_out = {name.encode("latin-1") for name in names}
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name not in left_out]}
