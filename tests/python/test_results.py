"""What is read off a run: statistics, summary, verdict, page, metric, xarray."""

import re
import subprocess
import sys
import types

import numpy as np
import pytest
from conftest import normal

import gadwall
from gadwall._errors import in_python
from gadwall.shapes import variables


def test_statistics_are_those_of_the_draws(run):
    lp = [[normal(x)[0] for x in chain] for chain in run["x"]]
    assert np.allclose(run.stats["lp"], lp, rtol=1e-12)
    assert run.stats["diverging"].dtype == bool
    assert run.stats["n_steps"].min() >= 1
    assert run.stats["acceptance_rate"].shape == (4, 500)


def test_the_summary_is_a_table_and_numbers(run):
    summary = run.summary()
    row = summary.parameters["x.2"]
    assert row["mean"] == pytest.approx(run["x"][:, :, 1].mean(), rel=1e-12)
    assert row["sd"] == pytest.approx(run["x"][:, :, 1].std(ddof=1), rel=1e-12)
    assert summary["dim"] == 3 and summary["draws"] == 500
    assert "x.3" in str(summary) and "R-hat" in str(summary)


def test_the_verdict_speaks_python():
    short = gadwall.sample("funnel", sampler="nuts", warmup=50, draws=30, seed=2)
    verdict = short.diagnose()
    assert not verdict and not verdict.sound
    assert any(finding.serious for finding in verdict.findings)
    assert "--" not in str(verdict) and "`" not in str(verdict)


def test_the_page_is_written_once(here, run):
    assert run.report("page.html", name="three normals") == "page.html"
    page = (here / "page.html").read_text()
    assert page.startswith("<!") and "three normals" in page
    with pytest.raises(gadwall.UsageError, match="page.html: the file exists"):
        run.report("page.html")
    run.report("page.html", force=True)


def test_the_metric_is_near_the_covariance():
    run = gadwall.sample("gaussian2d", sampler="nuts", metric="dense", seed=1, draws=200)
    metric = run.metric()
    assert metric.form == "dense" and metric.step > 0
    assert metric.covariance[0, 1] / metric.covariance[0, 0] == pytest.approx(0.99, abs=0.05)
    with pytest.raises(gadwall.UsageError, match="no batch 9"):
        run.metric(9)


def test_xarray_has_the_dimensions_of_arviz(run):
    xarray = pytest.importorskip("xarray")
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset)
    assert data["x"].dims == ("chain", "draw", "x_dim_0")
    assert np.array_equal(data["x"].values, run["x"])


def test_arviz_is_asked_for_where_it_is_missing(run):
    try:
        import arviz  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match="pip install arviz"):
            run.to_arviz()
    else:
        assert run.to_arviz().posterior["x"].shape == (4, 500, 3)


def test_elements_become_arrays():
    names = ["mu", "m.1.1", "m.2.1", "m.1.2", "m.2.2", "t.2", "a.b.1", "a.b.2"]
    found = {name: where.tolist() for name, where in variables(names).items()}
    assert found == {"mu": 0, "m": [[1, 3], [2, 4]], "t.2": 5, "a.b": [6, 7]}


def test_messages_are_in_pythons_words():
    assert in_python("`max-time` is 'x'") == "max_time is 'x'"
    assert in_python("try `metric=dense` `max-depth=12`") == "try metric='dense' max_depth=12"
    assert in_python("try --metric dense or raise --max-depth") == (
        "try metric='dense' or raise max_depth")


def test_options_come_from_the_tables():
    table = gadwall.options("nuts")
    assert {"chains", "lanes", "max_time", "out", "target_accept", "max_depth"} <= set(table)
    assert table["target_accept"].endswith("[0.8]")
    with pytest.raises(gadwall.UsageError, match="there are"):
        gadwall.options("none")


def test_the_library_shows_its_interface_alone():
    from gadwall._library import _FUNCTIONS, lib

    listed = subprocess.run(["nm", "-D", "--defined-only", lib._name], capture_output=True,
                            text=True, check=True).stdout
    symbols = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
    symbols.discard("GADWALL_0")
    assert all(re.fullmatch("gadwall_[a-z_]+", symbol) for symbol in symbols)
    assert {"gadwall_" + name for name in _FUNCTIONS} <= symbols


def test_progress_is_one_line(run):
    from gadwall._view import line, make_view

    p = run.progress()
    assert re.fullmatch(r"sampling 500 / 500  worst ESS \S+  R-hat \S+  divergences 0  0 s left",
                        line(p))
    assert type(make_view(False)).__name__ == "NoView"
    assert type(make_view(True)).__name__ == "TerminalView"
    assert repr(run) == "<gadwall run, ended: 4 chains, 500 of 500 draws>"


def test_progress_in_a_notebook_is_one_output_that_goes(run, monkeypatch):
    from gadwall import _view

    shown = []

    class Handle:
        def update(self, data, raw):
            assert raw
            shown.append(data["text/plain"])

    def display(data, raw, display_id):
        assert raw and display_id
        shown.append(data["text/plain"])
        return Handle()

    class ZMQInteractiveShell:
        pass

    notebook = types.ModuleType("IPython")
    notebook.get_ipython = ZMQInteractiveShell
    notebook.display = types.ModuleType("IPython.display")
    notebook.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", notebook.display)
    view = _view.make_view(None)
    view.show(run.progress())
    view.close()
    assert shown == ["", _view.line(run.progress()), ""]
