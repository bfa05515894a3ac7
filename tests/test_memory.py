"""A million rows fit where they should: measured on a process of its own."""

import subprocess
import sys

import pytest

SCRIPT = """
import re
import numpy as np
from tsk_core import TrainConfig, TSKClassifier

rng = np.random.default_rng(0)
X = rng.standard_normal((1_000_000, 36))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
clf = TSKClassifier(**TrainConfig.paper(batch_size=512, max_epochs=1, random_state=0).to_dict()).fit(X, y)
assert clf.score(X, y) > 0.9
with open("/proc/self/status") as file:  # ru_maxrss has the memory of the process that started this one, too
    print(int(re.search(r"VmHWM:\\s+(\\d+) kB", file.read())[1]) // 1024)
"""


@pytest.mark.slow
def test_a_million_rows_by_36_features_train_and_predict_in_less_than_1500_mb():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1500
