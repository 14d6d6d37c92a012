"""Handles: progress, stop, wait, resume; Ctrl-C; files."""

import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from conftest import SHORT, normal

import gadwall

ENDLESS = {"draws": 10**9, "warmup": 50, "sampler": "mala"}


def test_a_handle_is_watched_stopped_and_gone_on_with():
    run = gadwall.sample("gaussian2d", blocking=False, **ENDLESS)
    assert not run.wait(0)
    while run.progress().draws < 200:
        assert run.progress().running
    live = run.draws  # so far
    assert live.count > 0 and live["x"].shape[2] == 2
    run.stop()
    assert run.wait()
    progress = run.progress()
    assert not progress.running and progress.sampling and progress.chains == 4
    assert run["x"].shape == (4, progress.draws, 2)
    more = run.resume(draws="+100")
    assert more["x"].shape == (4, progress.draws + 100, 2)
    assert np.array_equal(more["x"][:, :progress.draws], run["x"])


def test_draws_that_progress_counts_are_there():
    """Also where they were counted a moment ago."""
    for seed in range(20):
        run = gadwall.sample("gaussian2d", blocking=False, seed=seed, **ENDLESS)
        while run.progress().draws == 0:
            pass
        count = run.draws.count
        run.stop()
        run.wait()
        assert count > 0


def test_a_stopped_run_that_goes_on_is_one_that_was_not_stopped(run):
    part = gadwall.sample(normal, dim=3, **{**SHORT, "draws": 123})
    assert np.array_equal(part.resume(draws=500)["x"], run["x"])


def test_resume_takes_what_it_can_change(run):
    for changes, told in [({"seed": 2}, "not seed"), ({"draws": 5}, "more than the 500 draws")]:
        with pytest.raises(gadwall.UsageError, match=told):
            run.resume(**changes)


def test_a_handle_that_is_dropped_ends():
    run = gadwall.sample(normal, dim=2, blocking=False, **ENDLESS)
    del run  # returns


def test_files_are_those_of_the_program(here, run):
    filed = gadwall.sample(normal, dim=3, out="run", format="csv", **SHORT)
    assert filed.name == "run"
    assert {"run.checkpoint", "run.nc", "run_1.csv", "run_4.csv"} <= set(os.listdir(here))
    assert np.array_equal(filed["x"], run["x"])
    assert np.array_equal(gadwall.read("run")["x"], run["x"])
    with pytest.raises(gadwall.UsageError, match="force"):
        gadwall.sample(normal, dim=3, out="run", **SHORT)
    more = gadwall.resume("run.nc", normal, dim=3, draws="+20")
    assert more["x"].shape == (4, 520, 3)
    assert np.array_equal(more["x"][:, :500], run["x"])


def test_a_run_of_the_program_is_not_taken_over(here):
    with pytest.raises(gadwall.UsageError, match="none"):
        gadwall.resume("none", normal, dim=2)


def test_a_failed_run_keeps_no_draw_made_after_the_failure(here):
    calls = []

    def density(x):
        calls.append(1)
        if len(calls) == 5000:
            raise ValueError("now")
        return normal(x)

    keywords = dict(dim=2, sampler="mala", warmup=100, draws=3000, chains=2, check_gradient=False)
    with pytest.raises(ValueError):
        gadwall.sample(density, out="broken", checkpoint=60, **keywords)
    whole = gadwall.sample(normal, **{**keywords, "out": "whole"})
    broken = gadwall.read("broken")
    assert 0 < broken.count < 3000
    assert np.array_equal(broken["x"], whole["x"][:, :broken.count])
    again = gadwall.resume("broken", normal, dim=2)  # from its last checkpoint
    assert np.array_equal(again["x"], whole["x"])


def test_ctrl_c_keeps_the_draws(here):
    script = textwrap.dedent("""
        import os, signal, threading, time
        import gadwall

        def interrupt():
            while gadwall.last_run() is None or gadwall.last_run().progress().draws < 100:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        try:
            gadwall.sample(lambda x: (-0.5 * x @ x, -x), dim=2, draws=10**9, warmup=50,
                           sampler="mala", out="stopped")
        except KeyboardInterrupt as stop:
            run = stop.run
            assert run is gadwall.last_run()
            assert run["x"].shape[1] >= 100
            assert run.summary()["stopped_by"] == "signal"
            print("kept", run.resume(draws="+10")["x"].shape[1] - run["x"].shape[1])
    """)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                            timeout=120)
    assert result.stdout == "kept 10\n", result.stderr
    assert gadwall.read("stopped").count > 100


@pytest.mark.parametrize("check_gradient", [True, False])
def test_ctrl_c_before_the_first_draw_is_an_interrupt_too(here, check_gradient):
    """While the gradient is checked, and while chains look for their starts, for some seconds."""
    script = textwrap.dedent(f"""
        import os, signal, time
        import gadwall

        calls = 0

        def slow(x):
            global calls
            calls += 1
            if calls == 1:
                os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            return -0.5 * x @ x, -x

        try:
            gadwall.sample(slow, dim=3, check_gradient={check_gradient})
        except KeyboardInterrupt as stop:
            print(stop.run is gadwall.last_run(), stop.run is None)
    """)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                            timeout=120)
    assert result.stdout == f"True {check_gradient}\n", result.stderr


def test_ctrl_c_in_the_moment_a_run_starts_loses_nothing(monkeypatch):
    library = gadwall.sampling.lib
    start = library.gadwall_run_start

    def start_and_interrupt(*arguments):
        status = start(*arguments)
        os.kill(os.getpid(), signal.SIGINT)
        return status

    usual = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(library, "gadwall_run_start", start_and_interrupt)
    with pytest.raises(gadwall.Interrupted) as stop:
        gadwall.sample("neal100", draws=10**9)
    assert stop.value.run is gadwall.last_run()
    assert not stop.value.run.progress().running
    with pytest.raises(KeyboardInterrupt):
        gadwall.sample("neal100", draws=10**9, blocking=False)
    gadwall.last_run().stop()
    assert signal.getsignal(signal.SIGINT) is usual


def test_an_unhandled_ctrl_c_ends_the_program_as_ever(here):
    script = ("import os, signal, threading, gadwall\n"
              "run = gadwall.sample('neal100', draws=10**9, blocking=False)\n"
              "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
              "run.follow()\n")
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                            timeout=120)
    assert result.returncode != 0
    assert "Interrupted" in result.stderr
    assert result.returncode in (-signal.SIGINT, 1, 130)


def test_many_short_runs_leave_nothing():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    for i in range(1000):
        gadwall.sample(normal, dim=2, warmup=5, draws=5, chains=2, sampler="gadmala",
                       check_gradient=False)["x"]
        if i == 300:
            settled = resident()
    assert resident() - settled < 3_000_000
