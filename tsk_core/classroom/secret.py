"""What only this server can make: tokens that continue a lesson elsewhere, and signatures of completions."""

import hashlib
import hmac
import re

from tsk_core.errors import ClassError

__all__ = ["Secret"]

_TOKEN = re.compile(r"([0-9a-f]{32})([0-9a-f]{32})")


class Secret:
    """The key of a server, made with its database. Nothing tells it."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def token(self, person: str) -> str:
        """The token of a resume link: who has it continues as this person, in any browser. It is kept nowhere."""
        return person + self.signature(f"resume:{person}")[:32]

    def person(self, token: object) -> str:
        """The person of a token. ClassError for one that this server did not make."""
        found = _TOKEN.fullmatch(str(token)[:100])
        if found is None or not hmac.compare_digest(self.signature(f"resume:{found[1]}")[:32], found[2]):
            raise ClassError("This resume link is incomplete, or from another server; copy it again from where you began.")
        return found[1]

    def signature(self, text: str) -> str:
        """The HMAC-SHA-256 of a text, 64 hex digits."""
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def is_signature(self, signature: object, text: str) -> bool:
        """Whether this server signed the text so; takes as long for any wrong one."""
        return hmac.compare_digest(self.signature(text).encode(), str(signature).encode("utf-8", "replace"))
