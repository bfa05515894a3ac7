"""Scripts of this folder in node, which comes from a wheel beside Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def node(script, *given):
    """What a script of this folder prints as JSON, given JSON-ready values."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["node", HERE / script, *map(json.dumps, given)]
    return json.loads(subprocess.run(command, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True).stdout)
