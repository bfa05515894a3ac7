"""The reverse proxy of docs/nginx.conf, on this machine: HTTPS, the address of a visitor, Streamlit's files from its cache."""

import getpass
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import expect

from tests.chromium import running
from tests.load.server import ROOT, Server
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.browser, pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed (make test-slow installs it where apt-get is)"),
]  # fmt: skip


@pytest.fixture
def proxied(tmp_path):
    """The app behind nginx: (the port of nginx, the server)."""
    with Server(tmp_path, TSK_WORKERS="1", STREAMLIT_SERVER_ALLOWED_HOSTS="fuzzy.example.edu localhost") as server:
        port = free_port()
        folder = tmp_path / "nginx"
        (folder / "tsk-nginx").mkdir(parents=True)
        certify(folder / "tsk-nginx")
        text = (ROOT / "docs" / "nginx.conf").read_text()
        text = text.replace("127.0.0.1:8501", server.address.removeprefix("http://")).replace("8443", f"127.0.0.1:{port}")
        (folder / "nginx.conf").write_text(re.sub("tsk-nginx(?=[/.])", f"{folder}/tsk-nginx", text))
        owner = f"daemon off; user {getpass.getuser()};" if os.geteuid() == 0 else "daemon off;"  # root's nginx would be nobody's
        nginx = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", owner])
        try:
            wait_until(lambda: listens(port), seconds=20)
            yield port, server
        finally:
            nginx.terminate()
            nginx.wait(20)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def listens(port):
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def certify(folder):
    """A certificate for fuzzy.example.edu that nobody signed but itself."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "fuzzy.example.edu")])
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    )  # fmt: skip
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(private)
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def answer(port, path, host="fuzzy.example.edu", **headers):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context)
    connection.request("GET", path, headers={"Host": f"{host}:{port}"} | headers)
    answered = connection.getresponse()
    found = answered.status, answered.headers, answered.read()
    connection.close()
    return found


def test_a_class_trains_over_https(proxied):
    port, _ = proxied
    with running() as browser:
        context = browser.new_context(base_url=f"https://localhost:{port}", ignore_https_errors=True)
        page = context.new_page()
        page.goto("/?epochs=3")
        page.get_by_test_id("stMain").get_by_role("button", name="Train", exact=True).click()
        expect(page.get_by_test_id("stProgress")).to_contain_text("Finished")
        (cookie,) = (cookie for cookie in context.cookies() if cookie["name"] == "tsk_owner")
        assert cookie["secure"] and cookie["httpOnly"]


def test_files_come_from_the_cache_and_bring_no_cookie(proxied):
    port, _ = proxied
    status, headers, page = answer(port, "/")
    assert status == 200 and "Secure" in headers["Set-Cookie"]
    script = re.search(rb'src="\./(static/[^"]+\.js)"', page)[1].decode()
    assert answer(port, f"/{script}")[1]["X-Cache"] == "MISS"
    status, headers, _ = answer(port, f"/{script}")
    assert status == 200 and headers["X-Cache"] == "HIT" and headers["Set-Cookie"] is None


def test_a_rebound_name_is_refused_behind_the_proxy_too(proxied):
    assert answer(proxied[0], "/", host="evil.example")[0] == 421
