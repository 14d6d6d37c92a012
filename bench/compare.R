# Stan's NUTS for bench/compare: 4 chains of 1000 + 1000, all rows into PREFIX_1.csv ... PREFIX_4.csv.
#   Rscript compare.R MODELS DATA METRIC SEED PREFIX
# DATA: a table with label y, or - for Neal's Gaussian. METRIC: diag_e or dense_e.
suppressMessages(library(rstan))
argument <- commandArgs(trailingOnly = TRUE)
models <- argument[1]
table_file <- argument[2]
metric <- argument[3]
seed <- as.integer(argument[4])
prefix <- argument[5]

# Debian's rstan looks for Boost inside an R package that it does not depend on.
if (dir.exists("/usr/include/boost")) rstan_options(boost_lib = "/usr/include")

programs <- list(
  gaussian = "
data { int<lower=1> n; vector[n] scales; }
parameters { vector[n] x; }
model { x ~ normal(0, scales); }",
  logistic = "
data { int<lower=1> N; int<lower=1> n; matrix[N, n] X; int<lower=0, upper=1> y[N]; }
parameters { vector[n] x; }
model { x ~ normal(0, 1); y ~ bernoulli_logit_glm(X, 0, x); }")

compiled <- function(name) {
  file <- file.path(models, paste0(name, ".rds"))
  if (file.exists(file)) return(readRDS(file))
  model <- stan_model(model_code = programs[[name]], model_name = name, save_dso = TRUE)
  saveRDS(model, file)
  model
}

# As `gadwall sample logistic`: zero mean and unit sample variance, constant columns dropped, the
# bias last.
read_design <- function(file) {
  frame <- read.csv(file)
  y <- as.integer(frame$y == max(frame$y))
  features <- as.matrix(frame[, names(frame) != "y", drop = FALSE])
  features <- features[, apply(features, 2, sd) > 0, drop = FALSE]
  X <- cbind(scale(features), 1)
  list(N = nrow(X), n = ncol(X), X = X, y = y)
}

if (table_file == "-") {
  name <- "gaussian"
  data <- list(n = 100, scales = seq(0.01, 1, by = 0.01))
} else {
  name <- "logistic"
  data <- read_design(table_file)
}
set.seed(seed)
starts <- lapply(1:4, function(chain) list(x = array(rnorm(data$n), dim = data$n)))
invisible(sampling(compiled(name), data = data, chains = 4, cores = 1, iter = 2000, warmup = 1000,
                   seed = seed, init = starts, control = list(metric = metric), refresh = 0,
                   save_warmup = TRUE, sample_file = paste0(prefix, ".csv")))
