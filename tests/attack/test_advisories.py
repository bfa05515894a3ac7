"""Known vulnerabilities of the pinned versions, where a source of advisories can be reached."""

import json
import subprocess
import sys

import pytest

from tests import requirements


@pytest.mark.soak
def test_no_pinned_version_has_a_known_vulnerability(tmp_path):
    pins = tmp_path / "requirements.txt"
    served = (name for name in requirements.FILES if name not in ("requirements-dev.txt", "requirements-docs.txt"))
    pinned = requirements.pins(*served, "constraints.txt")
    pins.write_text("\n".join(f"{name}=={version}" for name, version in pinned.items()))
    audit = [sys.executable, "-m", "pip_audit", "-r", str(pins), "--no-deps", "--disable-pip", "--format", "json"]
    done = subprocess.run([*audit, "--progress-spinner", "off", "--timeout", "10"], capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        pytest.skip(f"No source of advisories can be reached: {done.stderr.strip().splitlines()[-1][:200]}")
    found = json.loads(done.stdout)["dependencies"]
    audited = [dependency for dependency in found if "skip_reason" not in dependency]
    if not audited:
        pytest.skip("The package index here has no advisories.")
    assert [(one["name"], one["version"], [known["id"] for known in one["vulns"]]) for one in audited if one["vulns"]] == []
