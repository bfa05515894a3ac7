"""The variants every test of this folder runs through."""

import pytest


@pytest.fixture(params=["none", "bn", "gbn", "rbn"])
def batch_norm(request):
    """Every variant of batch normalisation."""
    return request.param


@pytest.fixture(params=["softmax", "paper", "htsk", "scaled", "log"])
def firing(request):
    """Every normalisation of firing levels."""
    return request.param
