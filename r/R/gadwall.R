# Options as the command line's, with _ for -: numbers, texts and switches.
as_options <- function(given) {
  given <- given[!vapply(given, is.null, logical(1))]
  if (length(given) > 0 && (is.null(names(given)) || any(names(given) == ""))) {
    stop("options need names, as draws = 1000", call. = FALSE)
  }
  values <- vapply(names(given), function(name) option_text(name, given[[name]]), character(1))
  list(names = gsub("_", "-", as.character(names(given))), values = as.character(values))
}

# save = c("mu", "tau"), groups = list(log_likelihood = "ll"): several texts are one with commas.
option_text <- function(name, value) {
  if (is.list(value) || (is.character(value) && !is.null(names(value)))) {
    parts <- vapply(value, function(part) option_text(name, part), character(1))
    return(paste0(names(value), "=", parts, collapse = ","))
  }
  if (is.character(value) && length(value) > 1 && !anyNA(value)) {
    return(paste(value, collapse = ","))
  }
  if (length(value) != 1 || is.na(value)) {
    stop(name, " must be one value", call. = FALSE)
  }
  if (is.logical(value)) return(if (value) "true" else "false")
  if (is.numeric(value)) return(format(value, digits = 17, scientific = abs(value) >= 1e15))
  as.character(value)
}

# The library names options in backquotes: `max-time` becomes max_time.
in_r <- function(words) {
  parts <- gregexpr("`[A-Za-z][A-Za-z_-]*(=[^`]*)?`|--[a-z][a-z-]*[a-z]", words)
  regmatches(words, parts) <- lapply(regmatches(words, parts), function(found) {
    gsub("-", "_", gsub("`|^--", "", found))
  })
  words
}

call_library <- function(...) {
  tryCatch(.Call(...), error = function(e) stop(in_r(conditionMessage(e)), call. = FALSE))
}

# Stan's JSON. A vector of length one is a number, unless it is wrapped: array(3, dim = 1).
stan_json <- function(data) {
  if (length(data) == 0) return("{}")
  members <- vapply(names(data), function(name) {
    value <- data[[name]]
    if (is.logical(value)) storage.mode(value) <- "integer"
    if (is.data.frame(value)) value <- as.matrix(value)
    if (!is.numeric(value)) stop("data: ", name, " is not numeric", call. = FALSE)
    paste0("\"", name, "\": ", json_array(value))
  }, character(1))
  paste0("{", paste(members, collapse = ", "), "}")
}

json_numbers <- function(x) {
  numbers <- if (is.integer(x)) format(x, trim = TRUE, scientific = FALSE)
             else vapply(x, function(v) format(v, digits = 17), character(1))
  whole <- !is.integer(x) & is.finite(x) & x == round(x) & abs(x) < 2^31
  numbers[whole] <- format(as.integer(x[whole]), trim = TRUE)
  numbers[is.nan(x)] <- "\"NaN\""
  numbers[is.infinite(x)] <- ifelse(x[is.infinite(x)] > 0, "\"Infinity\"", "\"-Infinity\"")
  if (any(is.na(x) & !is.nan(x))) stop("data: NA is not a number", call. = FALSE)
  numbers
}

json_array <- function(x) {
  if (is.null(dim(x)) && length(x) == 1) return(json_numbers(x))
  if (length(dim(x)) <= 1) return(paste0("[", paste(json_numbers(c(x)), collapse = ", "), "]"))
  rows <- vapply(seq_len(dim(x)[1]), function(i) {
    json_array(array(slice(x, i), dim = dim(x)[-1]))
  }, character(1))
  paste0("[", paste(rows, collapse = ", "), "]")
}

# x[i, , ...]
slice <- function(x, i) {
  matrix(x, nrow = dim(x)[1])[i, ]
}

make_model <- function(model, data, dim, names, options) {
  if (is.function(model)) {
    if (is.null(dim)) stop("a function needs dim: how many coordinates it takes", call. = FALSE)
    if (length(dim) != 1 || !is.numeric(dim) || is.na(dim) || dim != round(dim)) {
      stop("dim is ", paste(format(dim), collapse = ", "), ", expected a whole number", call. = FALSE)
    }
    if (length(data) > 0) stop("data is for a Stan program or a table", call. = FALSE)
    return(call_library(C_model_function, model, as.integer(dim), names))
  }
  if (!is.character(model) || length(model) != 1) {
    stop("model must be a file, the name of a target or a function", call. = FALSE)
  }
  if (grepl("\\.(stan|so)$", model)) {
    text <- if (is.list(data)) stan_json(data) else as.character(data)
    return(call_library(C_model_stan, path.expand(model), text, options$names, options$values))
  }
  if (length(data) > 0) {
    options$names <- c(options$names, "data")
    options$values <- c(options$values, as.character(data))
  }
  call_library(C_model_target, model, options$names, options$values)
}

# Options that are the model's, not the run's: those of all targets, from the library's table.
model_words <- function() {
  targets <- sub(".*\"targets\":", "", .Call(C_catalogue))
  found <- regmatches(targets, gregexpr("\"name\":\"[a-z-]+\",\"kind\"", targets))[[1]]
  words <- gsub("-", "_", gsub("\"name\":\"|\",\"kind\"", "", found))
  setdiff(words, c("data", "dim", "model"))
}

# A wrong gradient does not make the draws wrong, but slow or stuck: it is worth a warning. Central
# differences at one point, as check_gradient of the library.
check_gradient <- function(density, dim) {
  if (dim > 500) return(invisible())
  x <- 1.3 * sin(seq_len(dim))
  at_x <- tryCatch(density(x), error = function(e) NULL)
  if (!is.list(at_x) || length(at_x) != 2 || length(at_x[[2]]) != dim) return(invisible())
  if (!all(is.finite(unlist(at_x)))) return(invisible())
  measured <- vapply(seq_len(dim), function(i) {
    h <- 6e-6 * (1 + abs(x[i]))
    step <- replace(numeric(dim), i, h)
    tryCatch((density(x + step)[[1]] - density(x - step)[[1]]) / (2 * h), error = function(e) NA)
  }, numeric(1))
  rounding <- 1e5 * .Machine$double.eps * abs(at_x[[1]]) / 3e-6
  off <- abs(at_x[[2]] - measured) / (1 + abs(at_x[[2]]) + rounding)
  worst <- which.max(off)
  if (length(worst) == 1 && off[worst] > 1e-4) {
    warning("the gradient of x[", worst, "] is ", signif(at_x[[2]][worst], 6),
            ", by differences of the log density ", signif(measured[worst], 6),
            ": is it right? check_gradient = FALSE for no such check", call. = FALSE,
            immediate. = TRUE)
  }
}

start <- function(model, options, init, progress) {
  points <- NULL
  if (is.matrix(init)) points <- t(init) * 1.0
  else if (is.numeric(init) && length(init) > 1) points <- as.double(init)
  else options$init <- init
  words <- as_options(options)
  run <- call_library(C_run_start, model, words$names, words$values, points)
  finish(run, model, progress)
}

finish <- function(run, model, progress) {
  look <- function() allowInterrupts(.Call(C_check_interrupt))
  interrupted <- suspendInterrupts(call_library(C_follow, run, model, progress, look))
  for (line in call_library(C_run_messages, run)) warning(in_r(line), call. = FALSE)
  if (interrupted) warning("interrupted: these are the draws so far", call. = FALSE)
  result(call_library(C_draws_run, run), run, model)
}

result <- function(draws, run = NULL, model = NULL) {
  values <- call_library(C_draws_array, draws, FALSE)
  names <- dimnames(values)[[3]]
  dimnames(values) <- list(iteration = NULL, chain = NULL, variable = bracketed(names))
  structure(list(draws = values, statistics = call_library(C_draws_array, draws, TRUE),
                 handle = draws, run = run, model = model), class = "gadwall_run")
}

# theta.1.2 as R's posterior writes it: theta[1,2]
bracketed <- function(names) {
  found <- regmatches(names, regexec("^(.+?)((\\.[0-9]+)+)$", names, perl = TRUE))
  vapply(seq_along(names), function(i) {
    part <- found[[i]]
    if (length(part) == 0) return(names[i])
    paste0(part[2], "[", gsub(".", ",", substring(part[3], 2), fixed = TRUE), "]")
  }, character(1))
}

gadwall_sample <- function(model, data = list(), dim = NULL, ..., names = NULL, init = NULL,
                           progress = interactive(), check_gradient = TRUE) {
  options <- list(...)
  own <- names(options) %in% model_words()
  words <- as_options(options[own])
  if (is.character(model) && !is.null(dim)) {
    words <- list(names = c(words$names, "dim"), values = c(words$values, as.character(dim)))
  }
  begun <- make_model(model, data, dim, names, words)
  options <- options[!own]
  if (is.function(model) && is.null(options$threads)) options$threads <- 1
  if (is.function(model) && check_gradient) check_gradient(model, dim)
  start(begun, options, init, progress)
}

gadwall_logistic <- function(X, y, ..., progress = interactive()) {
  X <- as.matrix(X)
  storage.mode(X) <- "double"
  if (length(y) != nrow(X)) stop("y needs one value for each row of X", call. = FALSE)
  options <- list(...)
  own <- names(options) %in% model_words()
  words <- as_options(options[own])
  model <- call_library(C_model_logistic, nrow(X), ncol(X), as.double(t(X)), as.double(y),
                        colnames(X), words$names, words$values)
  start(model, options[!own], NULL, progress)
}

gadwall_resume <- function(run, ..., progress = interactive()) {
  if (is.null(run$run)) stop("the run was read from a file, so it cannot go on", call. = FALSE)
  words <- as_options(list(...))
  again <- call_library(C_run_resume, run$run, run$model, words$names, words$values)
  finish(again, run$model, progress)
}

gadwall_read <- function(run) {
  result(call_library(C_draws_read, path.expand(run)))
}

gadwall_report <- function(run, path, name = "run", force = FALSE) {
  invisible(call_library(C_draws_report, run$handle, name, path.expand(path), force))
}

summary.gadwall_run <- function(object, ...) {
  columns <- c("mean", "sd", "q05", "q50", "q95", "mcse_mean", "ess_bulk", "ess_tail", "rhat")
  numbers <- lapply(columns, function(what) call_library(C_draws_summary, object$handle, what))
  names(numbers) <- columns
  table <- data.frame(variable = dimnames(object$draws)[[3]], numbers)
  sound <- grepl("\"sound\":true", call_library(C_draws_verdict, object$handle, TRUE), fixed = TRUE)
  words <- in_r(call_library(C_draws_verdict, object$handle, FALSE))
  structure(list(table = table, sound = sound, verdict = words), class = "gadwall_summary")
}

print.gadwall_summary <- function(x, ...) {
  print(x$table, digits = 4, row.names = FALSE)
  cat(x$verdict)
  invisible(x)
}

print.gadwall_run <- function(x, ...) {
  size <- dim(x$draws)
  cat(size[2], "chains of", size[1], "draws:", utils::head(dimnames(x$draws)[[3]], 10),
      if (size[3] > 10) "...", "\n")
  invisible(x)
}

as_draws_array.gadwall_run <- function(x, ...) {
  posterior::as_draws_array(x$draws)
}

as_draws.gadwall_run <- function(x, ...) {
  posterior::as_draws_array(x$draws)
}
