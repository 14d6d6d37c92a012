"""Stan programs from Python."""

import json
import os

import numpy as np
import pytest

import gadwall
from gadwall import _data


def test_a_compiled_program_is_a_model(fake_stan):
    """mu free, tau > 0: log density -(mu^2 + log(tau)^2)/2."""
    model = gadwall.StanModel(fake_stan)
    assert model.dim == 2
    logp, gradient = model.log_density_gradient([1.0, 2.0])
    assert logp == pytest.approx(-2.5)
    assert np.allclose(gradient, [-1, -2])
    many, _ = model.log_density_gradient(np.zeros((3, 2)))
    assert many.shape == (3,)
    values = model.output([1.0, np.log(3.0)])
    assert values["mu"] == 1 and values["tau"] == pytest.approx(3)
    assert np.allclose(model.point({"mu": 1, "tau": 3}), [1, np.log(3)])
    with pytest.raises(gadwall.UsageError, match="expected"):
        model.log_density([1.0])
    run = gadwall.sample(model, sampler="nuts", warmup=200, draws=200, init={"mu": 0, "tau": 1})
    assert (run["tau"] > 0).all()
    again = gadwall.sample(fake_stan, sampler="nuts", warmup=200, draws=200,
                           init={"mu": 0, "tau": 1})
    assert np.array_equal(again["mu"], run["mu"])


def test_generated_values_are_no_parameters(fake_stan, here):
    """They may have a group of their own in the file, and are no more than the program's."""
    keywords = dict(sampler="nuts", warmup=50, draws=50, out="run")
    run = gadwall.sample(fake_stan, groups={"posterior_predictive": "noise"}, **keywords)
    assert run.keys() == ["mu", "tau", "twice", "noise"]
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset("run.nc", group="posterior_predictive") as group:
        assert list(group.data_vars) == ["noise"]
    with pytest.raises(gadwall.UsageError, match="mu"):  # a parameter
        gadwall.sample(fake_stan, groups="posterior_predictive=mu", force=True, **keywords)


def test_data_that_the_model_does_not_take(fake_stan):
    with pytest.raises(gadwall.UsageError, match="N is -1"):
        gadwall.StanModel(fake_stan, data={"bad": 1})


def test_data_may_be_a_dict_a_text_or_a_file(fake_stan, here):
    (here / "data.json").write_text('{"N": 1}')
    for data in [{"N": np.int64(1)}, '{"N": 1}', "data.json", here / "data.json", None]:
        gadwall.StanModel(fake_stan, data)
    with pytest.raises(gadwall.UsageError, match="none.json"):
        gadwall.StanModel(fake_stan, "none.json")
    with pytest.raises(gadwall.UsageError, match="expected a dict"):
        gadwall.StanModel(fake_stan, 3)


def test_dicts_become_stans_json():
    text = _data.to_json({"N": 3, "flag": True, "x": np.array([[1.5, np.nan], [np.inf, 2]]),
                          "y": [1, 2, 3], "none": [], "k": np.float32(0.5)})
    assert json.loads(text) == {"N": 3, "flag": 1, "x": [[1.5, "NaN"], ["Infinity", 2]],
                                "y": [1, 2, 3], "none": [], "k": 0.5}
    for bad in ({"x": "text"}, {"x": [[1], [1, 2]]}, {"x": {"a": 1}}):
        with pytest.raises(gadwall.UsageError, match=r"data\['x'\]"):
            _data.to_json(bad)


def test_eight_schools_come_with_their_shapes(real_stan):
    with open(os.path.join(os.environ["GADWALL_STAN_SOURCE"], "schools.json")) as file:
        data = json.load(file)
    run = gadwall.sample(os.path.join(real_stan, "eight_schools.so"), data=data, seed=1,
                         sampler="nuts")
    assert run["theta"].shape == (4, 1000, 8)
    assert run["mu"].shape == (4, 1000)
    assert run.summary().parameters["mu"]["rhat"] < 1.05
