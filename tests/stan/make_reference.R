# Makes reference.json: means and sds of rstan's own draws, with their Monte Carlo standard errors.
#   Rscript make_reference.R      in this directory; needs r-cran-rstan, r-cran-posterior
library(rstan)

read_json <- function(path) {  # our data files hold what R's parser reads after this
  text <- paste(readLines(path), collapse = " ")
  text <- gsub("[", "c(", gsub("]", ")", text, fixed = TRUE), fixed = TRUE)
  text <- gsub("\"([a-zA-Z_]+)\" *:", "\\1 =", text)
  data <- eval(parse(text = sub("\\}", ")", sub("\\{", "list(", text))))
  if (!is.null(data$x)) data$x <- matrix(data$x, nrow = data$N, byrow = TRUE)
  if (is.numeric(data$y) && !is.null(data$counts)) data$y <- matrix(data$y, nrow = data$N, byrow = TRUE)
  data
}

describe <- function(draws) {
  list(mean = mean(draws), mcse_mean = posterior::mcse_mean(draws), sd = sd(draws),
       mcse_sd = posterior::mcse_sd(draws))
}

reference <- function(model, data) {
  fit <- sampling(model, data = data, chains = 4, iter = 6000, warmup = 1000, seed = 1, refresh = 0,
                  control = list(adapt_delta = 0.99))
  draws <- rstan::extract(fit, permuted = FALSE)  # draws x chains x values
  names <- setdiff(dimnames(draws)[[3]], "lp__")
  results <- lapply(names, function(name) describe(draws[, , name]))
  setNames(results, gsub(",", ".", gsub("]", "", sub("[", ".", names, fixed = TRUE), fixed = TRUE)))
}

number <- function(x) if (is.finite(x)) format(x, digits = 8) else "null"
to_json <- function(results) {
  rows <- vapply(names(results), function(name) {
    sprintf("    \"%s\": {%s}", name, paste(sprintf("\"%s\": %s", names(results[[name]]),
            vapply(results[[name]], number, "")), collapse = ", "))
  }, "")
  paste0("{\n", paste(rows, collapse = ",\n"), "}")
}

programs <- c("eight_schools", "constrained", "logistic", "rejects")
data_files <- c("schools.json", "constrained.json", "logistic.json", NA)
parts <- character()
for (i in seq_along(programs)) {
  data <- if (is.na(data_files[i])) list() else read_json(data_files[i])
  model <- stan_model(paste0(programs[i], ".stan"), boost_lib = "/usr/include")
  parts[i] <- sprintf("  \"%s\": %s", programs[i], to_json(reference(model, data)))
}
writeLines(c("{", paste(parts, collapse = ",\n"), "}"), "reference.json")
