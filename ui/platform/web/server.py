"""The web server of the app: ``python -m ui.platform.web.server``, with the options of ``streamlit run``.

Streamlit's own command starts uvicorn without a way to choose its protocols, and here they bound what a connection may hold. So
uvicorn is started here, with Streamlit's options: those of config.toml, of variables STREAMLIT_… and of the command line.
"""

import socket
import sys
from pathlib import Path

import uvicorn

from tsk_core import limits
from ui.platform.streamlit_internals import config, main_run
from ui.platform.web.protocols import BoundedHTTP, BoundedWebSocket, apply_bounds

APP = Path(__file__).parents[3] / "app.py"
FAILED = 3  # the status that uvicorn ends with where the app does not start
PING_SECONDS = 30.0  # between two questions to a browser whether it is there, as Streamlit has it


def main(arguments: list[str]) -> int:
    """Serve until a signal ends this process; returns its status. arguments: such as ``--server.port=8501``."""
    _take_options(arguments)
    apply_bounds()
    host, port = config.get_option("server.address") or "localhost", int(config.get_option("server.port"))
    try:
        listening = _listening(host, port)
    except OSError as error:
        print(f"error: Port {port} of {host} is not available: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"\n  You can now view TSK Explorer in your browser.\n\n  URL: {_address(port)}\n", flush=True)
    server = uvicorn.Server(_settings(host, port))
    with listening:
        server.run(sockets=[listening])
    return 0 if server.started else FAILED


def _take_options(arguments: list[str]) -> None:
    """Let Streamlit's options be as ``streamlit run app.py`` makes them with these arguments."""
    config._main_script_path = str(APP)  # the folder whose config.toml counts, before the options are read
    given = main_run.make_context("server", [*arguments, str(APP)]).params
    options = {name.replace("_", "."): value for name, value in given.items() if value not in (None, ())}
    del options["target"]
    config.get_config_options(force_reparse=True, options_from_flags=options)


def _listening(host: str, port: int) -> socket.socket:
    """The socket of the server. Browsers that come before the app is ready wait, and are served then."""
    is_six = ":" in host
    family = socket.AF_INET6 if is_six else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=is_six and socket.has_dualstack_ipv6())


def _settings(host: str, port: int) -> uvicorn.Config:
    option = config.get_option
    ping = option("server.websocketPingInterval") or PING_SECONDS
    return uvicorn.Config(
        "app:app", host=host, port=port, http=BoundedHTTP, ws=BoundedWebSocket,
        ws_max_size=limits.value("message_kb") * 1000, ws_per_message_deflate=option("server.enableWebsocketCompression"),
        ws_ping_interval=ping, ws_ping_timeout=ping,
        ssl_certfile=option("server.sslCertFile"), ssl_keyfile=option("server.sslKeyFile"),
        server_header=False,  # which program serves is nobody's business
        proxy_headers=False,  # ``VisitorAddress`` says whose are believed
        access_log=False, use_colors=False,
    )  # fmt: skip


def _address(port: int) -> str:
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    below = config.get_option("server.baseUrlPath").strip("/")
    return "/".join(filter(None, [f"{scheme}://{config.get_option('browser.serverAddress')}:{port}", below]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
