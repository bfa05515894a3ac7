"""The reverse proxy of docs/nginx.conf, on this machine: HTTPS, the address of a visitor, Streamlit's files from its cache."""

import http.client
import re
import shutil
import ssl

import pytest

from tests.browser.helpers import train_to_the_end
from tests.chromium import running
from tests.load.server import Server
from tests.proxy import Proxy

pytestmark = [
    pytest.mark.browser, pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed (make test-slow installs it where apt-get is)"),
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The app, which sees nothing of what its proxies cached."""
    with Server(tmp_path_factory.mktemp("app"), TSK_WORKERS="1", STREAMLIT_SERVER_ALLOWED_HOSTS="fuzzy.example.edu") as server:
        yield server


@pytest.fixture
def port(server, tmp_path):
    """The port of nginx in front of the app; its cache is empty."""
    with Proxy(tmp_path / "nginx", [server.address]) as proxy:
        yield proxy.port


def answer(port, path, host="fuzzy.example.edu", **headers):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context)
    connection.request("GET", path, headers={"Host": f"{host}:{port}"} | headers)
    answered = connection.getresponse()
    found = answered.status, answered.headers, answered.read()
    connection.close()
    return found


def test_a_class_trains_over_https(port):
    with running() as browser:
        context = browser.new_context(base_url=f"https://localhost:{port}", ignore_https_errors=True)
        page = context.new_page()
        page.goto("/?epochs=3")
        train_to_the_end(page)
        (cookie,) = (cookie for cookie in context.cookies() if cookie["name"] == "__Host-tsk_owner")
        assert cookie["secure"] and cookie["httpOnly"]


def test_files_come_from_the_cache_and_bring_no_cookie(port):
    status, headers, page = answer(port, "/")
    assert status == 200 and "Secure" in headers["Set-Cookie"]
    script = re.search(rb'src="\./(static/[^"]+\.js)"', page)[1].decode()
    assert answer(port, f"/{script}")[1]["X-Cache"] == "MISS"
    status, headers, _ = answer(port, f"/{script}")
    assert status == 200 and headers["X-Cache"] == "HIT" and headers["Set-Cookie"] is None


def test_a_rebound_name_is_refused_behind_the_proxy_too(port):
    assert answer(port, "/", host="evil.example")[0] == 421
