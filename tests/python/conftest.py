"""Densities and runs that the tests share."""

import os

import numpy as np
import pytest

import gadwall

SHORT = {"sampler": "nuts", "warmup": 300, "draws": 500, "chains": 4, "seed": 3}


def normal(x):
    """N(1, 4 I)."""
    z = (x - 1) / 2
    return -0.5 * z @ z, -z / 2


def normal_many(x):
    """The same numbers to the last bit."""
    values = [normal(point) for point in x]
    return np.array([value for value, _ in values]), np.array([slope for _, slope in values])


@pytest.fixture(scope="session")
def run():
    return gadwall.sample(normal, dim=3, **SHORT)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fake_stan():
    """A library with the interface of a compiled Stan program."""
    folder = os.environ.get("GADWALL_FAKE_MODELS")
    if not folder:
        pytest.skip("GADWALL_FAKE_MODELS is not set")
    return os.path.join(folder, "fake_good.so")


@pytest.fixture
def real_stan():
    """Compiled programs of tests/stan."""
    folder = os.environ.get("GADWALL_STAN_LIBRARIES")
    if not folder:
        pytest.skip("GADWALL_STAN_LIBRARIES is not set")
    return folder
