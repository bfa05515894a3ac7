"""Known vulnerabilities of the pinned versions, where a source of advisories can be reached."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tsk_core

ROOT = Path(tsk_core.__file__).parents[1]


@pytest.mark.slow
def test_no_pinned_version_has_a_known_vulnerability(tmp_path):
    pins = tmp_path / "requirements.txt"
    files = ("requirements.txt", "requirements-login.txt", "requirements-onnx.txt", "requirements-study.txt", "constraints.txt")
    lines = [line.split(";")[0] for name in files for line in (ROOT / name).read_text().splitlines() if "==" in line]
    pins.write_text("\n".join(line for line in lines if not line.startswith("#")))
    audit = [sys.executable, "-m", "pip_audit", "-r", str(pins), "--no-deps", "--disable-pip", "--format", "json"]
    done = subprocess.run([*audit, "--progress-spinner", "off", "--timeout", "10"], capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        pytest.skip(f"No source of advisories can be reached: {done.stderr.strip().splitlines()[-1][:200]}")
    found = json.loads(done.stdout)["dependencies"]
    audited = [dependency for dependency in found if "skip_reason" not in dependency]
    if not audited:
        pytest.skip("The package index here has no advisories.")
    assert [(one["name"], one["version"], [known["id"] for known in one["vulns"]]) for one in audited if one["vulns"]] == []
