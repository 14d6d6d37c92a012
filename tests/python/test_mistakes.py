"""Mistakes are named in Python's words, and failures end a run cleanly."""

import traceback

import numpy as np
import pytest
from conftest import normal

import gadwall


@pytest.mark.parametrize("options, told", [
    ({"chians": 4}, r"unknown option chians \(did you mean chains\?\)"),
    ({"Chains": 4}, r"unknown option Chains \(did you mean chains\?\)"),
    ({"dims": 4}, r"unknown option dims \(did you mean dim\?\)"),
    ({"inits": 0}, r"did you mean init\?"),
    ({"block": False}, r"did you mean blocking\?"),
    ({"zzz": 4}, "unknown option zzz$"),
    ({"draws": "ten"}, "draws is 'ten', expected a whole number"),
    ({"draws": 1.5}, "draws is '1.5'"),
    ({"max_time": "soon"}, "max_time is 'soon', expected a time"),
    ({"sampler": "nutz"}, r"'nutz' \(did you mean 'nuts'\?\)"),
    ({"sampler": "nuts", "learning_rate": 1}, "learning_rate is not an option of nuts"),
    ({"chains": 4, "lanes": 3}, "lanes is 3"),
    ({"save": "y"}, "there is no parameter 'y'"),
    ({"draws": object()}, "draws is <object"),
    ({"out": ""}, "out is ''"),
])
def test_wrong_options_are_named(options, told):
    with pytest.raises(gadwall.UsageError, match=told):
        gadwall.sample(normal, dim=2, **options)


@pytest.mark.parametrize("model, keywords, told", [
    (normal, {}, "dim="),
    (3, {}, "expected a Stan program"),
    ("neal10", {}, "did you mean 'neal100'"),
    ("none.stan", {}, "none.stan"),
    (normal, {"dim": 2, "data": {}}, "data is for a Stan program"),
    (normal, {"dim": 2, "names": ["a"]}, "1 names, expected 2"),
    (normal, {"dim": 0}, "the dimension is 0"),
    (normal, {"dim": "3"}, "dim is '3', expected a whole number"),
    (normal, {"dim": 3.0}, "dim is 3.0, expected a whole number"),
])
def test_wrong_models_are_named(model, keywords, told):
    with pytest.raises(gadwall.UsageError, match=told):
        gadwall.sample(model, **keywords)


def test_what_a_function_raises_is_raised():
    calls = []

    def density(x):
        calls.append(1)
        if len(calls) > 500:
            raise ZeroDivisionError("in the density")
        return normal(x)

    with pytest.raises(ZeroDivisionError, match="in the density") as caught:
        gadwall.sample(density, dim=2, check_gradient=False)
    assert any("density" in frame.name for frame in traceback.extract_tb(caught.value.__traceback__))
    assert len(calls) == 501  # not called again
    gadwall.sample(normal, dim=2, warmup=10, draws=10)  # and the next run is as ever


@pytest.mark.parametrize("result, told", [
    (lambda x: (0.0, 1.0), r"shape \(\), expected \(2,\)"),
    (lambda x: (0.0, np.zeros(3)), r"shape \(3,\), expected \(2,\)"),
    (lambda x: (-0.5 * x * x, -x), r"log density is array\(.*, expected one number"),
    (lambda x: ("a", -x), "log density is 'a', expected one number"),
])
def test_a_result_of_another_shape_is_refused(result, told):
    with pytest.raises(gadwall.UsageError, match=told):
        gadwall.sample(result, dim=2)


@pytest.mark.parametrize("result, found", [
    (lambda x: -0.5 * x @ x, "float64"),
    (lambda x: None, "NoneType"),
    (lambda x: (None, -x), r"\(NoneType, ndarray\)"),
    (lambda x: (0.0, -x, 1), r"\(float, ndarray, int\)"),
])
def test_a_density_without_a_gradient_is_refused(result, found):
    with pytest.raises(gadwall.UsageError, match=f"returned {found}, expected .log density, grad"):
        gadwall.sample(result, dim=2)


def test_batched_results_of_another_shape_are_refused():
    with pytest.raises(gadwall.UsageError, match="expected"):
        gadwall.sample(lambda x: (np.zeros(len(x) + 1), x), dim=2, batched=True)


def test_a_wrong_gradient_is_a_warning_that_names_it():
    def wrong(x):
        logp, gradient = normal(x)
        gradient[1] *= -1
        return logp, gradient

    with pytest.warns(gadwall.GadwallWarning, match=r"the gradient of x.2 is .* by differences"):
        gadwall.sample(wrong, dim=3, warmup=10, draws=10)
    with pytest.raises(gadwall.RunError, match="x.2"):
        gadwall.CallableModel(wrong, 3).check_gradient(np.zeros(3))
    assert gadwall.CallableModel(normal, 3).check_gradient(np.ones(3)) < 1e-8


def test_a_density_that_is_nowhere_finite_fails():
    with pytest.raises(gadwall.RunError, match="finite"):
        gadwall.sample(lambda x: (-np.inf, x), dim=2)


def test_options_of_a_regression_have_their_nearest_name():
    with pytest.raises(gadwall.UsageError, match=r"unknown option prior \(did you mean prior_sd"):
        gadwall.logistic(np.eye(3), [0, 1, 0], prior=2)


def test_wrong_tables_are_named():
    x = np.arange(8.0).reshape(4, 2)
    for y, told in [([0, 1, 2, 1], "y has 2 in row 3"), ([0, 0, 0, 0], "0 in every row"),
                    ([0, 1], r"expected \(4,\)")]:
        with pytest.raises(gadwall.UsageError, match=told):
            gadwall.logistic(x, y)
    x[2, 1] = np.nan
    with pytest.raises(gadwall.UsageError, match="row 3 of X"):
        gadwall.logistic(x, [0, 1, 0, 1])
