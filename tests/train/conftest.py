"""The table that most tests of this folder train on."""

import pytest
import torch
from sklearn.datasets import load_iris

from tsk_core.train import Table


@pytest.fixture(scope="session")
def iris():
    X, y = load_iris(return_X_y=True)
    return Table(torch.tensor((X - X.mean(0)) / X.std(0)).float(), torch.tensor(y), 3)
