# Opens a file of netcdf_tool's with ncdf4: Rscript read_with_ncdf4.R NETCDF_TOOL
options(warn = 2)
tool <- commandArgs(trailingOnly = TRUE)[1]
path <- tempfile(fileext = ".nc")
stopifnot(system2(tool, c("write", path)) == 0)
file <- ncdf4::nc_open(path)
expected <- outer(0:699, 1000 * 0:1, "+")  # R turns the order of the dimensions around
stopifnot(
  identical(dim(ncdf4::ncvar_get(file, "posterior/m")), c(2L, 2L, 700L, 2L)),
  all(ncdf4::ncvar_get(file, "posterior/sigma") == expected),
  all(ncdf4::ncvar_get(file, "posterior/x")[2, , ] == expected + 2 / 8),
  all(ncdf4::ncvar_get(file, "posterior/m")[2, 1, , ] == expected + 6 / 8),
  all(ncdf4::ncvar_get(file, "sample_stats/lp") == 0:699),
  sum(ncdf4::ncvar_get(file, "sample_stats/diverging")) == 700,
  all(ncdf4::ncvar_get(file, "warmup_posterior/sigma") == expected[1:100, ]),
  all(ncdf4::ncvar_get(file, "constant_data/X") == 1:6),
  ncdf4::ncatt_get(file, 0, "sampler")$value == "gadmala"
)
ncdf4::nc_close(file)
