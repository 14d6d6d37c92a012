"""Densities of Python are sampled, and what is said of a run is what it does."""

import threading

import numpy as np
import pytest
from conftest import SHORT, normal, normal_many

import gadwall


def z_scores(run, name, mean, sd):
    """Of the mean and of the mean of squares, by their own standard errors."""
    parameters = run.summary().parameters
    rows = [row for n, row in parameters.items() if n.split(".")[0] == name]
    return [(row["mean"] - mean) / row["mcse_mean"] for row in rows] + [
        (row["sd"] - sd) / row["mcse_sd"] for row in rows]


def test_a_function_is_sampled(run):
    assert run["x"].shape == (4, 500, 3)
    assert run["x"].flags.c_contiguous
    assert np.max(np.abs(z_scores(run, "x", 1, 2))) < 4
    assert run.diagnose().sound


def test_batched_gives_the_same_draws(run):
    batched = gadwall.sample(normal_many, dim=3, batched=True, **SHORT)
    assert np.array_equal(batched["x"], run["x"])


def test_lanes_are_asked_for_at_once():
    sizes = set()

    def density(x):
        sizes.add(x.shape)
        return normal_many(x)

    gadwall.sample(density, dim=2, batched=True, chains=8, lanes=8, warmup=50, draws=50,
                   sampler="gadmala", check_gradient=False)
    assert (8, 2) in sizes


def test_the_seed_decides_and_threads_do_not(run):
    again = gadwall.sample(normal, dim=3, threads=3, **SHORT)
    assert np.array_equal(again["x"], run["x"])
    other = gadwall.sample(normal, dim=3, **{**SHORT, "seed": 4})
    assert not np.array_equal(other["x"], run["x"])


def test_the_default_sampler_is_that_of_the_library():
    run = gadwall.sample("gaussian2d", warmup=50, draws=20)
    from gadwall._options import catalogue

    assert run.summary()["sampler"] == catalogue()["default_sampler"]
    row = next(row for row in catalogue()["samplers"] if row["name"] == run.summary()["sampler"])
    assert run.summary()["chains"] == row["chains"]


def test_names_are_those_given():
    run = gadwall.sample(normal, dim=3, names=["a", "b.1", "b.2"], warmup=20, draws=10,
                         sampler="nuts")
    assert run.keys() == ["a", "b"]
    assert run["a"].shape == (4, 10)
    assert run["b"].shape == (4, 10, 2)
    assert np.array_equal(run["b.2"], run["b"][:, :, 1])
    with pytest.raises(KeyError, match="there are: a, b"):
        run["c"]


def test_logistic_regression_of_arrays():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((300, 2))
    y = rng.random(300) < 1 / (1 + np.exp(-2 * x[:, 0]))
    run = gadwall.logistic(x, y, names=["age", "size"], prior_sd=2, **SHORT)
    assert run.keys() == ["age", "size", "bias"]
    assert 1 < run["age"].mean() < 3
    assert abs(run["size"].mean()) < 1
    model = gadwall.LogisticModel(x, y, bias=False, standardise=False, prior_sd=3)
    w = np.array([0.3, -0.2])
    margin = np.where(y, 1, -1) * (x @ w)
    expected = -np.log1p(np.exp(-margin)).sum() - 0.5 * w @ w / 9
    assert model.log_density(w) == pytest.approx(expected, rel=1e-12)


def test_until_and_save_and_thin():
    run = gadwall.sample(normal, dim=3, sampler="nuts", until="ess=200", save="x[1:2]", thin=2)
    assert run.keys() == ["x"] and run["x"].shape[2] == 2
    summary = run.summary()
    assert summary["stopped_by"] == "ess" and summary["ess_worst"] >= 200
    assert summary["thin"] == 2


def test_save_takes_a_list():
    run = gadwall.sample(normal, dim=3, names=["a", "b", "c"], save=["a", "c"], warmup=20, draws=5)
    assert run.keys() == ["a", "c"]


def test_parts_of_a_larger_run(run):
    part = gadwall.sample(normal, dim=3, **{**SHORT, "chains": 2, "chain_offset": 2})
    assert np.array_equal(part["x"], run["x"][2:])


def test_scores_are_gradients():
    run = gadwall.sample(normal, dim=3, save_scores=True, warmup=50, draws=20, sampler="nuts")
    assert run.stats["score"].shape == (4, 20, 3)
    assert np.allclose(run.stats["score"][1, 7], normal(run["x"][1, 7])[1])


@pytest.mark.parametrize("sampler, options", [
    ("auto", {"warp": "off"}),
    ("gadmala", {"drift": "exact"}),
    ("gadmala", {"metric": "lowrank", "rank": 1}),
    ("gadmala", {"pool": True}),
    ("gadmala", {"scout": 50}),
    ("gadhmc", {"leapfrog": 5}),
    ("fishermala", {"damping": 1.0}),
    ("hmc", {"integrator": "two-stage"}),
])
def test_options_of_samplers_are_not_for_nothing(sampler, options):
    def draws(**options):
        return gadwall.sample("funnel", sampler=sampler, warmup=300, draws=5, **options)["x"]

    assert np.array_equal(draws(), draws())
    assert not np.array_equal(draws(), draws(**options))


def test_states_of_warmup_are_kept_in_the_file(here):
    gadwall.sample(normal, dim=2, warmup=30, draws=20, save_warmup=True, out="run", sampler="mala")
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset("run.nc", group="warmup_posterior") as group:
        assert group["x"].shape == (4, 30, 2)


def test_init_takes_laws_points_and_values():
    starts = []

    def density(x):
        starts.append(x.copy())
        return normal(x)

    keywords = dict(dim=2, warmup=5, draws=5, check_gradient=False, sampler="mala")
    points = np.arange(8.0).reshape(4, 2)
    gadwall.sample(density, init=points, **keywords)
    assert np.array_equal(starts[:4], points)
    starts.clear()
    gadwall.sample(density, init={"x": [5, 6]}, **keywords)
    assert np.array_equal(starts[0], [5, 6])
    starts.clear()
    gadwall.sample(density, init=0, **keywords)
    assert np.array_equal(starts[0], [0, 0])
    with pytest.raises(gadwall.UsageError, match=r"expected \(4, 2\)"):
        gadwall.sample(density, init=np.zeros((3, 2)), **keywords)


def test_a_run_begins_with_what_another_learnt(run):
    again = gadwall.sample(normal, dim=3, tuning=run, sampler="nuts", warmup=0, draws=50)
    assert np.allclose(again.metric().covariance, run_metric_mean(run))
    assert again.metric().form == run.metric().form


def run_metric_mean(run):
    return np.mean([run.metric(batch).covariance for batch in range(4)], axis=0)


def test_two_runs_in_two_threads(run):
    found = {}

    def work(seed):
        found[seed] = gadwall.sample(normal, dim=3, **{**SHORT, "seed": seed})["x"]

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(found[3], run["x"])
    assert not np.array_equal(found[4], run["x"])
