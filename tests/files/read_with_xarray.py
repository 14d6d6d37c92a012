# Opens a file of netcdf_tool's with netCDF4 and xarray, and has it read one that xarray wrote:
#   python3 read_with_xarray.py NETCDF_TOOL
import os
import subprocess
import sys
import tempfile

import netCDF4
import numpy as np
import xarray

tool = sys.argv[1]
directory = tempfile.TemporaryDirectory()
path = os.path.join(directory.name, "run.nc")
subprocess.run([tool, "write", path], check=True)

with netCDF4.Dataset(path) as file:
    groups = list(file.groups)
    assert file.sampler == "gadmala" and file.finished == 1
assert groups == ["posterior", "log_likelihood", "sample_stats", "warmup_posterior",
                  "warmup_log_likelihood", "warmup_sample_stats", "constant_data", "observed_data",
                  "gadwall"], groups
data = {group: xarray.open_dataset(path, group=group).load() for group in groups}

for group in groups[:-1]:
    for name in ("created_at", "inference_library", "inference_library_version"):
        assert name in data[group].attrs, (group, name)
assert data["posterior"].attrs["sampling_time"] == 2

expected = 1000 * np.arange(2)[:, None] + np.arange(700)[None, :]
posterior = data["posterior"]
assert list(posterior.data_vars) == ["sigma", "x", "m", "a_b"]
assert posterior.x.dims == ("chain", "draw", "x_dim_0")
assert posterior.m.dims == ("chain", "draw", "m_dim_0", "m_dim_1")
assert posterior.chain.dtype == np.int64 and posterior.draw.dtype == np.int64
assert (posterior.draw.values == np.arange(700)).all()
assert (posterior.sigma.values == expected).all()
for j in range(3):
    assert (posterior.x.values[:, :, j] == expected + (1 + j) / 8).all()
for row in range(2):
    for column in range(2):  # Stan's order: rows move fastest
        assert (posterior.m.values[:, :, row, column] == expected + (4 + row + 2 * column) / 8).all()

likelihood = data["log_likelihood"]
assert list(likelihood.data_vars) == ["log_lik"] and likelihood.log_lik.dims[:2] == ("chain", "draw")
assert (likelihood.draw.values == np.arange(700)).all()
assert (likelihood.log_lik.values[:, :, 1] == expected + 10 / 8).all()
assert data["warmup_log_likelihood"].log_lik.shape == (2, 100, 2)

# Names as the coordinate of one array, for a few columns, for more than 256, for thousands.
for count, variable, dimension in ((30, "beta", "feature"), (300, "parameters", "parameters_dim_0"),
                                   (20000, "parameters", "parameters_dim_0")):
    labelled = os.path.join(directory.name, f"run_{count}.nc")
    subprocess.run([tool, "write_labelled", labelled], check=True)
    wide = xarray.open_dataset(labelled, group="posterior")
    assert list(wide.data_vars) == [variable] and wide[variable].dims == ("chain", "draw", dimension)
    assert wide[variable].sel({dimension: "column 17"}).values == [[17]]
    assert wide.sizes[dimension] == count
    assert os.path.getsize(labelled) < 200000 + 120 * count, os.path.getsize(labelled)

# Names that netCDF has no room for are shortened; the whole ones are attributes.
long = os.path.join(directory.name, "long.nc")
subprocess.run([tool, "write_long", long], check=True)
wide = xarray.open_dataset(long, group="posterior")
with netCDF4.Dataset(long) as file:
    assert set(file["posterior"].variables) == set(wide.variables)
full = ["a" * 256, "b" * 300, "b" * 299 + "c", "é" * 150]
assert [wide[name].attrs["gadwall_name"] for name in wide.data_vars] == full, list(wide.data_vars)
assert max(len(name.encode()) for name in wide.variables) < 256
assert [float(wide[name].values.max()) for name in wide.data_vars] == [0, 1, 2, 4]

statistics = data["sample_stats"]
assert list(statistics.data_vars) == ["lp", "acceptance_rate", "step_size", "tree_depth",
                                      "n_steps", "diverging", "energy"]
assert statistics.diverging.dtype == bool and statistics.diverging.values.sum() == 700
assert (statistics.lp.values == np.arange(700)).all()
assert statistics.tree_depth.dtype == np.int64
assert (data["warmup_posterior"].sigma.values == expected[:, :100]).all()
assert (data["constant_data"].X.values == [[1, 2, 3], [4, 5, 6]]).all()
assert data["constant_data"].N.values == 2
assert (data["observed_data"].y.values == [0, 1]).all()
assert (xarray.open_dataset(path, group="gadwall/batch_0").factor.values == 1).all()
stages = xarray.open_dataset(path, group="gadwall/stages")
assert list(stages.name.values) == ["warm-up", "draws"], stages
assert list(stages.iterations.values) == [100, 700] and list(stages.gradients.values) == [200, 1400]
assert list(stages.note_name.values) == ["chosen", "efficiency"]
assert stages.note_text.values[0] == "größer" and stages.note_number.values[1] == 0.25
assert list(stages.note_is_text.values) == [1, 0] and list(stages.note_stage.values) == [0, 0]

# The other direction: what ArviZ writes is what xarray writes, group by group.
other = os.path.join(directory.name, "other.nc")
values = np.random.default_rng(1).normal(size=(3, 50, 2, 2)).astype(np.float32)
xarray.Dataset({"tau": (("chain", "draw"), values[:, :, 0, 0]),
                "z": (("chain", "draw", "row", "column"), values)},
               coords={"chain": np.arange(3), "draw": np.arange(50)}
               ).to_netcdf(other, mode="w", group="posterior")
xarray.Dataset({"diverging": (("chain", "draw"), values[:, :, 0, 0] > 2)}
               ).to_netcdf(other, mode="a", group="sample_stats")
printed = subprocess.run([tool, "read", other], check=True, capture_output=True, text=True).stdout
means = dict(line.split() for line in printed.splitlines())
assert list(means) == ["tau", "z.1.1", "z.2.1", "z.1.2", "z.2.2"], means
exact = values.astype(float)
assert abs(float(means["tau"]) - exact[:, :, 0, 0].mean()) < 1e-12
assert abs(float(means["z.2.1"]) - exact[:, :, 1, 0].mean()) < 1e-12
