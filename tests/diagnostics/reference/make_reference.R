# Chains, and what R's posterior 1.4.0 (Debian: r-cran-posterior) says of them, for the tests.
#
# Run in this folder: Rscript make_reference.R
#
# posterior.txt: blocks "chains NAME N C", N rows of C values, then "NUMBER VALUE" or
# "NUMBER P VALUE" lines up to "end". NA is written NaN. qnorm.txt: lines "P QNORM(P)".

suppressMessages(library(posterior))
stopifnot(packageVersion("posterior") == "1.4.0")
set.seed(20230817, kind = "Mersenne-Twister", normal.kind = "Inversion")

ar1 <- function(n, chains, phi) {
  replicate(chains, as.vector(stats::filter(rnorm(n), phi, "recursive", init = rnorm(1))))
}
normal <- function(n, chains) matrix(rnorm(n * chains), n, chains)
with_value <- function(x, row, col, value) { x[row, col] <- value; x }

cases <- list(
  normal = normal(200, 4),
  long_normal = normal(1000, 4),
  ar_high = ar1(1000, 4, 0.99),
  ar_middle = ar1(500, 3, 0.9),
  ar_low = ar1(200, 4, 0.3),
  ar_negative = ar1(200, 4, -0.5),
  ar_very_negative = ar1(200, 4, -0.95),
  random_walk = apply(normal(300, 2), 2, cumsum),
  alone = ar1(301, 1, 0.6),
  ties = matrix(rpois(400, 2), 100, 4),
  binary_rare = matrix(rbinom(400, 1, 0.03), 100, 4),
  binary_even = matrix(rep(c(0, 1, 1, 0), 50), 50, 4),
  sticky = apply(normal(200, 4), 2, function(x) x[1 + cumsum(runif(200) < 0.2)]),
  constant = matrix(0.1, 20, 4),
  nearly_constant = 1e-17 * normal(40, 2),
  one_constant_chain = cbind(normal(51, 3), 0.1),
  constant_chains_apart = matrix(rep(c(0.1, 0.2, 0.4), each = 30), 30, 3),
  large_mean = 1e4 + 0.1 * ar1(100, 4, 0.5),
  tiny_scale = 1e-8 * ar1(100, 4, 0.5),
  cauchy = matrix(rcauchy(1200), 300, 4),
  different_means = sweep(ar1(100, 4, 0.4), 2, c(0, 0.5, 1, 3), "+"),
  different_scales = sweep(normal(101, 4), 2, c(1, 1, 2, 5), "*"),
  trend = normal(150, 3) + seq_len(150) / 50,
  nan = with_value(normal(20, 3), 4, 2, NaN),
  nan_in_the_middle = with_value(normal(21, 3), 11, 2, NaN),
  infinite = with_value(normal(20, 3), 4, 2, Inf),
  two_infinities = with_value(with_value(normal(20, 3), 4, 2, Inf), 9, 1, -Inf),
  infinite_in_the_middle = with_value(normal(21, 3), 11, 2, Inf),
  mostly_infinite = with_value(normal(20, 2), 1:15, 1:2, Inf)
)
for (n in c(1:13, 15)) {
  for (chains in c(1, 4)) cases[[sprintf("short_%d_%d", n, chains)]] <- normal(n, chains)
}

probabilities <- c(0, 0.05, 0.1, 0.25, 0.5, 0.9, 0.95, 1)
text <- function(value) if (is.na(value)) "NaN" else sprintf("%.17g", value)

write_case <- function(name, x, out) {
  # What the tests read is what is diagnosed: six digits, exactly as printed.
  printed <- matrix(sprintf("%.6g", x), nrow(x), ncol(x))
  x <- matrix(as.numeric(printed), nrow(x), ncol(x))
  cat("chains", name, nrow(x), ncol(x), "\n", file = out)
  cat(apply(printed, 1, paste, collapse = " "), sep = "\n", file = out)
  number <- function(what, value) cat(what, text(value), "\n", file = out)
  number("mean", mean(x))
  number("sd", sd(as.vector(x)))
  number("rhat", rhat(x))
  number("rhat_basic", rhat_basic(x))
  number("ess_bulk", ess_bulk(x))
  number("ess_tail", ess_tail(x))
  number("ess_mean", ess_mean(x))
  number("ess_sd", ess_sd(x))
  number("ess_square", ess_mean((x - mean(x))^2))
  number("mcse_mean", mcse_mean(x))
  number("mcse_sd", mcse_sd(x))
  for (p in probabilities) {
    number(paste("quantile", p), quantile2(x, p))
    number(paste("ess_quantile", p), ess_quantile(x, p))
    number(paste("mcse_quantile", p), mcse_quantile(x, p))
  }
  cat("end\n", file = out)
}

out <- file("posterior.txt", "w")
for (name in names(cases)) suppressWarnings(write_case(name, cases[[name]], out))
close(out)

p <- c(1e-300, 1e-100, 1e-20, 1e-12, 1e-8, 1e-5, 1e-3, 0.01, 0.02425, 0.07, 0.0749999, 0.075,
       0.0750001, 0.1, 0.25, 0.4, 0.499, 0.5, 0.501, 0.7, 0.925, 0.93, 0.99, 0.999, 1 - 1e-6,
       1 - 1e-12, (c(1, 17, 4000, 79999, 80000) - 0.375) / 80000.25)
writeLines(sprintf("%.17g %.17g", p, qnorm(p)), "qnorm.txt")
