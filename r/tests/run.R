# From a density, a table and files to draws; mistakes; what a function says when it fails.
library(gadwall)

fails <- function(code, words) {
  said <- tryCatch({ code; "" }, error = conditionMessage)
  if (!grepl(words, said)) stop("expected an error with '", words, "', got '", said, "'")
}

normal <- function(x) list(-sum((x - 1)^2) / 8, -(x - 1) / 4)
run <- gadwall_sample(normal, dim = 3, sampler = "nuts", warmup = 300, draws = 400, seed = 3)
stopifnot(identical(dim(run$draws), c(400L, 4L, 3L)))
stopifnot(identical(dimnames(run$draws)[[3]], c("x[1]", "x[2]", "x[3]")))
table <- summary(run)$table
stopifnot(abs(table$mean - 1) < 4 * table$mcse_mean, table$rhat < 1.05)
lp <- apply(run$draws, c(1, 2), function(x) normal(x)[[1]])
stopifnot(all.equal(lp, run$statistics[, , "lp"], check.attributes = FALSE))
stopifnot(all.equal(mean(run$draws[, , 2]), table$mean[2]))

more <- gadwall_resume(run, draws = "+50")
stopifnot(identical(more$draws[1:400, , ], run$draws[, , ]), dim(more$draws)[1] == 450)

starts <- matrix(1:8 / 10, 4, 2)
seen <- list()
density <- function(x) {
  seen[[length(seen) + 1]] <<- x
  list(-sum(x^2) / 2, -x)
}
gadwall_sample(density, dim = 2, sampler = "mala", warmup = 5, draws = 5, init = starts,
               check_gradient = FALSE)
stopifnot(all.equal(do.call(rbind, seen[1:4]), starts))

seen <- list()
gadwall_sample(density, dim = 2, sampler = "mala", warmup = 5, draws = 5, init = c(3, 4),
               check_gradient = FALSE)
stopifnot(all.equal(do.call(rbind, seen[1:4]), matrix(c(3, 4), 4, 2, byrow = TRUE)))
fails(gadwall_sample(normal, dim = 2, init = matrix(0, 3, 2)), "6 numbers, expected 16 rows")
fails(gadwall_sample(normal, dim = 2, init = matrix(0, 2, 16)), "16 columns, expected 2")

wrong <- function(x) list(-sum(x^2) / 2, c(-x[1], x[2]))
said <- tryCatch(gadwall_sample(wrong, dim = 2, warmup = 5, draws = 5), warning = conditionMessage)
stopifnot(grepl("the gradient of x\\[2\\] is", said))

part <- gadwall_sample(normal, dim = 3, sampler = "nuts", warmup = 300, draws = 400, seed = 3,
                       chains = 2, chain_offset = 2)
stopifnot(identical(part$draws[, , ], run$draws[, 3:4, ]))

# Options that are more than one number.
kept <- gadwall_sample(normal, dim = 3, names = c("a", "b", "c"), save = c("a", "c"),
                       save_scores = TRUE, sampler = "nuts", warmup = 20, draws = 10)
stopifnot(identical(dimnames(kept$draws)[[3]], c("a", "c")))
stopifnot(all.equal(kept$statistics[, , "score.1"], -(kept$draws[, , "a"] - 1) / 4))
fails(gadwall_sample(normal, dim = 3, save = c("x", NA)), "save must be one value")
straight <- lapply(c("auto", "off"), function(warp) {
  gadwall_sample("funnel", warp = warp, warmup = 300, draws = 10)$draws
})
stopifnot(!identical(straight[[1]], straight[[2]]))
models <- Sys.getenv("GADWALL_FAKE_MODELS")
if (nzchar(models)) {  # compiled Stan programs
  compiled <- file.path(models, "fake_good.so")
  gadwall_sample(compiled, sampler = "nuts", warmup = 50, draws = 50,
                 groups = list(posterior_predictive = "noise"))
  fails(gadwall_sample(compiled, groups = list(posterior_predictive = "mu")), "mu")
}

set.seed(1)
X <- cbind(age = rnorm(200), size = rnorm(200))
y <- as.numeric(runif(200) < plogis(2 * X[, "age"]))
fit <- gadwall_logistic(X, y, sampler = "nuts", warmup = 300, draws = 300, prior_sd = 2)
stopifnot(identical(dimnames(fit$draws)[[3]], c("age", "size", "bias")))
stopifnot(mean(fit$draws[, , "age"]) > 1)

folder <- tempfile()
dir.create(folder)
name <- file.path(folder, "neal")
filed <- gadwall_sample("gaussian2d", warmup = 100, draws = 100, out = name)
stopifnot(identical(gadwall_read(name)$draws, filed$draws))
gadwall_report(filed, file.path(folder, "page.html"))
stopifnot(file.exists(file.path(folder, "page.html")))
fails(gadwall_report(filed, file.path(folder, "page.html")), "the file exists")

fails(gadwall_sample("gaussian2d", chians = 3), "did you mean chains")
fails(gadwall_sample("gaussian2d", Chains = 3), "unknown option Chains .did you mean chains")
fails(gadwall_sample(normal, dim = 2.5), "dim is 2.5, expected a whole number")
fails(gadwall_sample(normal, dim = 2, 100), "data is for a Stan program")
stopifnot(c("prior_sd", "stanc_flags", "raw") %in% gadwall:::model_words())
fails(gadwall_sample("gaussian2d", max_time = "soon"), "max_time is 'soon'")
fails(gadwall_sample(normal), "dim")
fails(gadwall_sample("none.stan"), "none.stan")
fails(gadwall_sample(function(x) stop("in the density"), dim = 2), "in the density")
fails(gadwall_sample(function(x) list(0, 1), dim = 2), "one number for each coordinate")
fails(gadwall_sample(function(x) 0, dim = 2), "must return list")

json <- gadwall:::stan_json(list(J = 2L, y = c(1.5, NaN), m = matrix(1:4, 2), one = array(3, 1)))
stopifnot(json == '{"J": 2, "y": [1.5, "NaN"], "m": [[1, 3], [2, 4]], "one": [3]}')

# Ctrl-C, which comes where most of the time goes: in the density.
calls <- 0
slow <- function(x) {
  calls <<- calls + 1
  if (calls == 3000) tools::pskill(Sys.getpid(), tools::SIGINT)
  for (i in 1:200) sqrt(i)
  list(-sum(x^2) / 2, -x)
}
said <- ""
kept <- withCallingHandlers(
  gadwall_sample(slow, dim = 2, sampler = "mala", warmup = 50, draws = 1e7, chains = 1),
  warning = function(w) {
    said <<- conditionMessage(w)
    invokeRestart("muffleWarning")
  })
stopifnot(grepl("interrupted", said), dim(kept$draws)[1] > 1000)

if (requireNamespace("posterior", quietly = TRUE)) {
  draws <- posterior::as_draws_array(run)
  stopifnot(posterior::nchains(draws) == 4, posterior::ndraws(draws) == 1600)
  means <- as.numeric(posterior::summarise_draws(draws, "mean")$mean)
  stopifnot(all.equal(means, table$mean))
}
