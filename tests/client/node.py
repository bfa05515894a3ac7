"""Scripts of this folder in node, which comes from a wheel beside Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def node(script, *given):
    """What a script of this folder prints as JSON, given JSON-ready values."""
    return json.loads(run_node(HERE / script, *map(json.dumps, given)))


def run_node(*arguments):
    """What node prints, called with these arguments."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["node", *arguments], env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True
    ).stdout
