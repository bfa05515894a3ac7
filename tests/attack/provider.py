"""A small OpenID Connect provider on this machine, for tests: it logs in whoever the query ``login_hint`` or its cookie names."""

import secrets
import threading
import time
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route


class Provider:
    """Serves on a free port between ``with`` and its end. person: who logs in next, by name; each has an account of that name."""

    def __init__(self) -> None:
        self.person = "ann"
        self._key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
        self._codes: dict[str, tuple[str, str]] = {}  # code -> person and nonce
        routes = [
            Route("/.well-known/openid-configuration", self._configuration),
            Route("/authorize", self._authorize),
            Route("/token", self._token, methods=["POST"]),
            Route("/keys", lambda request: JSONResponse({"keys": [self._key.as_dict(private=False)]})),
        ]
        self._server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), port=0, log_level="warning"))
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> "Provider":
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *error: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    @property
    def address(self) -> str:
        """Its address, which is also its name as the issuer."""
        return f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    def secrets(self, app: str) -> str:
        """The text of a secrets.toml for an app at this address."""
        return f"""[auth]
redirect_uri = "{app}/oauth2callback"
cookie_secret = "{secrets.token_hex(32)}"
client_id = "tsk"
client_secret = "secret"
server_metadata_url = "{self.address}/.well-known/openid-configuration"
"""

    async def _configuration(self, request: Request) -> JSONResponse:
        return JSONResponse(
            {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "jwks_uri": f"{self.address}/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    async def _authorize(self, request: Request) -> RedirectResponse:
        asked, code = request.query_params, secrets.token_hex(8)
        self._codes[code] = self.person, asked.get("nonce", "")
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")

    async def _token(self, request: Request) -> JSONResponse:
        person, nonce = self._codes.pop((await request.form())["code"])
        now = int(time.time())
        claims = {"iss": self.address, "sub": person, "aud": "tsk", "iat": now, "exp": now + 600, "nonce": nonce}
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims | {"email": f"{person}@example.edu"}, self._key)
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "id_token": token, "expires_in": 600})
