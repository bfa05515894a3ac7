"""nginx as docs/nginx.conf sets it up, on a free port of this machine."""

import getpass
import os
import re
import socket
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import tsk_core
from tests.network import free_port
from tests.waiting import wait_until

CONFIGURATION = Path(tsk_core.__file__).parents[1] / "docs" / "nginx.conf"
SECRET = re.search(r'X-TSK-Proxy-Secret "(.+)"', CONFIGURATION.read_text())[1]


class Proxy:
    """nginx in front of the apps at these addresses, between ``with`` and its end. https: with a certificate of its own."""

    def __init__(self, folder: Path, apps: Sequence[str], https: bool = True) -> None:
        self.port = free_port()
        self.address = f"{'https' if https else 'http'}://127.0.0.1:{self.port}"
        self._folder = folder
        (folder / "tsk-nginx").mkdir(parents=True)
        _certify(folder / "tsk-nginx")
        (folder / "nginx.conf").write_text(self._configuration(apps, https))

    def __enter__(self) -> "Proxy":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def start(self) -> None:
        """Start nginx and wait until it listens."""
        owner = f"daemon off; user {getpass.getuser()};" if os.geteuid() == 0 else "daemon off;"  # root's nginx would be nobody's
        command = ["nginx", "-p", str(self._folder), "-c", str(self._folder / "nginx.conf"), "-g", owner]
        self._process = subprocess.Popen(command)
        wait_until(self._listens, seconds=20)

    def end(self) -> None:
        """End nginx."""
        self._process.terminate()
        self._process.wait(20)

    def _configuration(self, apps: Sequence[str], https: bool) -> str:
        text = CONFIGURATION.read_text()
        text = text.replace("server 127.0.0.1:8501;", " ".join(f"server {urlsplit(app).netloc};" for app in apps))
        text = text.replace("listen 8443", f"listen 127.0.0.1:{self.port}")
        if not https:
            text = re.sub(r"\n *ssl_.*;", "", text.replace(" ssl;", ";"))
        return re.sub("tsk-nginx(?=[/.])", f"{self._folder}/tsk-nginx", text)

    def _listens(self) -> bool:
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) == 0


def _certify(folder: Path) -> None:
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
