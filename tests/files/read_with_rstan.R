# Opens Stan CSV files with rstan: Rscript read_with_rstan.R run_1.csv run_2.csv ... mean=0.1 ...
# Prints "name mean" a parameter, means over all chains; exits with 1 where rstan cannot read them
# or where the means, in the order of the parameters, are not those given.
options(warn = 2)  # a warning of rstan's is a failure too
arguments <- commandArgs(trailingOnly = TRUE)
expected <- as.numeric(sub("^mean=", "", grep("^mean=", arguments, value = TRUE)))
files <- grep("^mean=", arguments, value = TRUE, invert = TRUE)
if (length(files) == 0) {
  message("usage: Rscript read_with_rstan.R FILE.csv ...")
  quit(status = 1)
}
fit <- tryCatch(rstan::read_stan_csv(files), error = function(failure) {
  message("rstan::read_stan_csv: ", conditionMessage(failure))
  quit(status = 1)
})
sampler_columns <- colnames(rstan::get_sampler_params(fit, inc_warmup = FALSE)[[1]])
wanted <- c("accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__")
if (!setequal(sampler_columns, wanted)) {
  message("sampler columns: ", paste(sampler_columns, collapse = " "))
  quit(status = 1)
}
draws <- as.array(fit)  # iterations x chains x parameters, lp__ last
if (dim(draws)[2] != length(files) || anyNA(rstan::get_elapsed_time(fit))) {
  message("chains or elapsed times are missing")
  quit(status = 1)
}
for (name in dimnames(draws)[[3]]) {
  cat(sprintf("%s %.17g\n", name, mean(draws[, , name])))
}
means <- apply(draws, 3, mean)[seq_along(expected)]
if (length(expected) != dim(draws)[3] - 1 || any(abs(means - expected) > 1e-12)) {
  message("expected means: ", paste(expected, collapse = " "))
  quit(status = 1)
}
