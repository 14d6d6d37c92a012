/* gadwall's C interface for R. Runs go on in their own threads; a density that is an R function is
 * called by R's own thread alone, which serves the run while it waits for it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

#include <gadwall/gadwall.h>

/* ---- errors and options ---- */

static void check(int status) {
  if (status != GADWALL_OK) Rf_error("%s", gadwall_last_error());
}

static const char* text(SEXP s) {
  return Rf_isNull(s) ? NULL : Rf_translateCharUTF8(STRING_ELT(s, 0));
}

/* In memory of R's, which goes when the call ends. */
static gadwall_option* options_of(SEXP names, SEXP values) {
  const R_xlen_t count = Rf_xlength(names);
  gadwall_option* options =
      (gadwall_option*)R_alloc((size_t)count + 1, (int)sizeof(gadwall_option));
  for (R_xlen_t i = 0; i < count; ++i) {
    options[i].name = Rf_translateCharUTF8(STRING_ELT(names, i));
    options[i].value = Rf_translateCharUTF8(STRING_ELT(values, i));
  }
  return options;
}

static const char** names_of(SEXP names) {
  if (Rf_isNull(names)) return NULL;
  const R_xlen_t count = Rf_xlength(names);
  const char** result = (const char**)R_alloc((size_t)count + 1, (int)sizeof(char*));
  for (R_xlen_t i = 0; i < count; ++i) result[i] = Rf_translateCharUTF8(STRING_ELT(names, i));
  return result;
}

/* ---- R functions as densities ---- */

enum turn { IDLE, ASKED, ANSWERED };

/* A point goes from the run's thread to R's, the answer back. */
struct bridge {
  pthread_mutex_t mutex;
  pthread_cond_t asked, answered;
  enum turn turn;
  int closed; /* nobody will answer */
  int64_t n;
  const double* x;
  double* logp;
  double* grad;
  int status;
  SEXP density;
  char error[1024]; /* what the function said when it failed */
};

static int ask(int64_t n, const double* x, double* logp, double* grad, void* user) {
  struct bridge* b = user;
  pthread_mutex_lock(&b->mutex);
  while (b->turn != IDLE && !b->closed) {
    pthread_cond_wait(&b->answered, &b->mutex); /* of another thread */
  }
  b->n = n;
  b->x = x;
  b->logp = logp;
  b->grad = grad;
  b->turn = ASKED;
  pthread_cond_signal(&b->asked);
  while (b->turn != ANSWERED && !b->closed) pthread_cond_wait(&b->answered, &b->mutex);
  const int status = b->closed ? GADWALL_STOP : b->status;
  b->turn = IDLE;
  pthread_cond_broadcast(&b->answered);
  pthread_mutex_unlock(&b->mutex);
  return status;
}

static int refuse(struct bridge* b, const char* message) {
  strncpy(b->error, message, sizeof b->error - 1);
  return GADWALL_STOP;
}

/* In R's thread: calls the function. */
static int answer(struct bridge* b) {
  int failed = 0;
  SEXP x = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)b->n));
  memcpy(REAL(x), b->x, (size_t)b->n * sizeof(double));
  SEXP call = PROTECT(Rf_lang2(b->density, x));
  SEXP result = R_tryEvalSilent(call, R_GlobalEnv, &failed);
  if (failed) {
    UNPROTECT(2);
    return refuse(b, R_curErrorBuf());
  }
  PROTECT(result);
  int status = GADWALL_OK;
  if (TYPEOF(result) != VECSXP || Rf_xlength(result) != 2) {
    status = refuse(b, "the density must return list(log_density, gradient)");
  } else {
    SEXP gradient = PROTECT(Rf_coerceVector(VECTOR_ELT(result, 1), REALSXP));
    if (!Rf_isNumeric(VECTOR_ELT(result, 0)) || Rf_xlength(VECTOR_ELT(result, 0)) != 1) {
      status = refuse(b, "the log density must be one number");
    } else if (Rf_xlength(gradient) != (R_xlen_t)b->n) {
      status = refuse(b, "the gradient must have one number for each coordinate");
    } else {
      *b->logp = Rf_asReal(VECTOR_ELT(result, 0));
      if (b->grad) memcpy(b->grad, REAL(gradient), (size_t)b->n * sizeof(double));
    }
    UNPROTECT(1);
  }
  UNPROTECT(3);
  return status;
}

/* Answers one question, if one comes within a hundredth of a second. */
static void serve(struct bridge* b) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 10000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    ++until.tv_sec;
  }
  pthread_mutex_lock(&b->mutex);
  int late = 0;
  while (b->turn != ASKED && !late) late = pthread_cond_timedwait(&b->asked, &b->mutex, &until);
  const int is_asked = b->turn == ASKED;
  pthread_mutex_unlock(&b->mutex); /* the asker waits: nothing of it changes */
  if (!is_asked) return;
  const int status = answer(b);
  pthread_mutex_lock(&b->mutex);
  b->status = status;
  b->turn = ANSWERED;
  pthread_cond_broadcast(&b->answered);
  pthread_mutex_unlock(&b->mutex);
}

/* ---- models ---- */

static void free_model(SEXP pointer) {
  gadwall_model_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

static SEXP wrap(void* object, SEXP tag, SEXP kept, R_CFinalizer_t finalizer) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(object, tag, kept));
  R_RegisterCFinalizerEx(pointer, finalizer, TRUE);
  UNPROTECT(1);
  return pointer;
}

static SEXP model_stan(SEXP file, SEXP data, SEXP names, SEXP values) {
  gadwall_model* model = NULL;
  check(gadwall_model_stan(text(file), text(data), options_of(names, values),
                           (size_t)Rf_xlength(names), &model));
  return wrap(model, R_NilValue, R_NilValue, free_model);
}

static SEXP model_target(SEXP name, SEXP names, SEXP values) {
  gadwall_model* model = NULL;
  check(gadwall_model_target(text(name), options_of(names, values), (size_t)Rf_xlength(names),
                             &model));
  return wrap(model, R_NilValue, R_NilValue, free_model);
}

/* x: its rows one after the other. */
static SEXP model_logistic(SEXP rows, SEXP columns, SEXP x, SEXP y, SEXP column_names, SEXP names,
                           SEXP values) {
  gadwall_model* model = NULL;
  check(gadwall_model_logistic(Rf_asInteger(rows), Rf_asInteger(columns), REAL(x), REAL(y),
                               names_of(column_names), options_of(names, values),
                               (size_t)Rf_xlength(names), &model));
  return wrap(model, R_NilValue, R_NilValue, free_model);
}

static void free_bridge(SEXP pointer) {
  struct bridge* b = R_ExternalPtrAddr(pointer);
  if (b == NULL) return;
  pthread_mutex_destroy(&b->mutex);
  pthread_cond_destroy(&b->asked);
  pthread_cond_destroy(&b->answered);
  free(b);
  R_ClearExternalPtr(pointer);
}

static SEXP model_function(SEXP density, SEXP dim, SEXP names) {
  struct bridge* b = calloc(1, sizeof *b);
  if (b == NULL) Rf_error("not enough memory");
  pthread_mutex_init(&b->mutex, NULL);
  pthread_cond_init(&b->asked, NULL);
  pthread_cond_init(&b->answered, NULL);
  b->density = density;
  SEXP kept = PROTECT(wrap(b, R_NilValue, density, free_bridge));
  gadwall_model* model = NULL;
  check(gadwall_model_one(Rf_asInteger(dim), names_of(names), ask, b, &model));
  SEXP pointer = wrap(model, kept, R_NilValue, free_model);
  UNPROTECT(1);
  return pointer;
}

/* NULL where the density is no R function. */
static struct bridge* bridge_of(SEXP model) {
  SEXP kept = R_ExternalPtrTag(model);
  return Rf_isNull(kept) ? NULL : R_ExternalPtrAddr(kept);
}

/* ---- runs ---- */

static void set_closed(struct bridge* b, int closed) {
  if (b == NULL) return;
  pthread_mutex_lock(&b->mutex);
  b->closed = closed;
  b->turn = IDLE;
  pthread_cond_broadcast(&b->answered);
  pthread_mutex_unlock(&b->mutex);
}

/* A run that still goes may wait for an answer that will not come. */
static void free_run(SEXP pointer) {
  struct bridge* b = bridge_of(R_ExternalPtrProtected(pointer));
  set_closed(b, 1);
  gadwall_run_free(R_ExternalPtrAddr(pointer));
  set_closed(b, 0);
  R_ClearExternalPtr(pointer);
}

static gadwall_run* run_of(SEXP pointer) {
  gadwall_run* run = R_ExternalPtrAddr(pointer);
  if (run == NULL) Rf_error("the run is not of this session");
  return run;
}

/* By R's own functions: interrupts are held while a run is followed, so that none ends a density of
 * R in the middle, and let through here alone. */
static void look_for_interrupt(void* look) {
  Rf_eval((SEXP)look, R_GlobalEnv);
}

static SEXP check_interrupt(void) {
  R_CheckUserInterrupt();
  return R_NilValue;
}

static void show(gadwall_run* run) {
  gadwall_progress p = {.size = sizeof p};
  if (gadwall_run_progress(run, &p) != GADWALL_OK) return;
  Rprintf("\r%s %lld / %lld  worst ESS %.0f  R-hat %.3f  divergences %lld  %.0f s left   ",
          p.sampling ? "sampling" : p.stage, (long long)(p.sampling ? p.draws : p.iteration),
          (long long)(p.sampling ? p.draws_wanted : p.warmup), p.ess, p.rhat,
          (long long)p.divergences, p.seconds_left);
  R_FlushConsole();
}

/* Until the run has ended; an interrupt stops it, and its draws stay. look: lets one through. */
static SEXP follow(SEXP pointer, SEXP model, SEXP progress, SEXP look) {
  SEXP call = PROTECT(Rf_lang1(look));
  gadwall_run* run = run_of(pointer);
  struct bridge* b = bridge_of(model);
  const int shown = Rf_asLogical(progress) == TRUE;
  int interrupted = 0;
  int status = GADWALL_TIMEOUT;
  clock_t looked = 0;
  time_t showed = time(NULL);
  while ((status = gadwall_run_wait(run, b ? 0 : 0.1)) == GADWALL_TIMEOUT) {
    if (b) serve(b);
    if (b && clock() - looked < CLOCKS_PER_SEC / 20) continue;
    looked = clock();
    if (!interrupted && !R_ToplevelExec(look_for_interrupt, call)) {
      interrupted = 1;
      gadwall_run_stop(run);
    }
    if (shown && time(NULL) > showed) {
      show(run);
      showed = time(NULL);
    }
  }
  if (shown) Rprintf("\r%80s\r", "");
  if (b && b->error[0]) {
    char message[sizeof b->error];
    memcpy(message, b->error, sizeof message);
    b->error[0] = '\0';
    Rf_error("%s", message);
  }
  check(status);
  UNPROTECT(1);
  return Rf_ScalarLogical(interrupted);
}

/* points: coordinates x chains, or one point for all. */
static const double* points_of(SEXP model, SEXP points, const gadwall_option* options,
                               size_t count) {
  if (Rf_isNull(points)) return NULL;
  const int64_t dim = gadwall_model_dim(R_ExternalPtrAddr(model));
  int64_t chains = 0;
  check(gadwall_run_chains(options, count, &chains));
  const int64_t given = (int64_t)Rf_xlength(points);
  if (Rf_isMatrix(points) && Rf_nrows(points) != dim) {
    Rf_error("init has %d columns, expected %lld, one per coordinate", Rf_nrows(points),
             (long long)dim);
  }
  if (given == dim * chains) return REAL(points);
  if (given != dim) {
    Rf_error("init has %lld numbers, expected %lld rows, one per chain, of %lld coordinates",
             (long long)given, (long long)chains, (long long)dim);
  }
  double* all = (double*)R_alloc((size_t)(dim * chains), (int)sizeof(double));
  for (int64_t c = 0; c < chains; ++c) {
    memcpy(all + c * dim, REAL(points), (size_t)dim * sizeof *all);
  }
  return all;
}

static SEXP run_start(SEXP model, SEXP names, SEXP values, SEXP points) {
  gadwall_run* run = NULL;
  const gadwall_option* options = options_of(names, values);
  const size_t count = (size_t)Rf_xlength(names);
  check(gadwall_run_start(R_ExternalPtrAddr(model), options, count,
                          points_of(model, points, options, count), &run));
  return wrap(run, R_NilValue, model, free_run);
}

static SEXP run_resume(SEXP ended, SEXP model, SEXP names, SEXP values) {
  gadwall_run* run = NULL;
  check(gadwall_run_resume(run_of(ended), options_of(names, values), (size_t)Rf_xlength(names),
                           &run));
  return wrap(run, R_NilValue, model, free_run);
}

static SEXP run_messages(SEXP pointer) {
  SEXP all = PROTECT(Rf_allocVector(STRSXP, 0));
  const char* line = NULL;
  while ((line = gadwall_run_message(run_of(pointer))) != NULL) {
    SEXP more = PROTECT(Rf_lengthgets(all, Rf_length(all) + 1));
    SET_STRING_ELT(more, Rf_length(more) - 1, Rf_mkCharCE(line, CE_UTF8));
    UNPROTECT(2);
    all = PROTECT(more);
  }
  UNPROTECT(1);
  return all;
}

/* ---- draws ---- */

static void free_draws(SEXP pointer) {
  gadwall_draws_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

static gadwall_draws* draws_of(SEXP pointer) {
  gadwall_draws* draws = R_ExternalPtrAddr(pointer);
  if (draws == NULL) Rf_error("the draws are not of this session");
  return draws;
}

static SEXP draws_run(SEXP run) {
  gadwall_draws* draws = NULL;
  check(gadwall_run_draws(run_of(run), &draws));
  return wrap(draws, R_NilValue, R_NilValue, free_draws);
}

static SEXP draws_read(SEXP name) {
  gadwall_draws* draws = NULL;
  check(gadwall_draws_read(text(name), &draws));
  return wrap(draws, R_NilValue, R_NilValue, free_draws);
}

/* An array (draw, chain, value) with the names of the values. */
static SEXP draws_array(SEXP pointer, SEXP statistics) {
  gadwall_draws* draws = draws_of(pointer);
  const int are_statistics = Rf_asLogical(statistics) == TRUE;
  const int values =
      (int)(are_statistics ? gadwall_draws_statistics(draws) : gadwall_draws_values(draws));
  const int chains = (int)gadwall_draws_chains(draws), count = (int)gadwall_draws_count(draws);
  SEXP names = PROTECT(Rf_allocVector(STRSXP, values));
  SEXP array = PROTECT(Rf_alloc3DArray(REALSXP, count, chains, values));
  for (int i = 0; i < values; ++i) {
    const char* name = are_statistics ? gadwall_draws_statistic_name(draws, i)
                                      : gadwall_draws_name(draws, i);
    double* out = REAL(array) + (R_xlen_t)i * count * chains;
    SET_STRING_ELT(names, i, Rf_mkCharCE(name, CE_UTF8));
    check(are_statistics ? gadwall_draws_statistic(draws, name, out)
                         : gadwall_draws_value(draws, name, out));
  }
  SEXP dimnames = PROTECT(Rf_allocVector(VECSXP, 3));
  SET_VECTOR_ELT(dimnames, 2, names);
  Rf_setAttrib(array, R_DimNamesSymbol, dimnames);
  UNPROTECT(3);
  return array;
}

static SEXP draws_summary(SEXP pointer, SEXP what) {
  gadwall_draws* draws = draws_of(pointer);
  SEXP numbers = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)gadwall_draws_values(draws)));
  check(gadwall_draws_summary(draws, text(what), REAL(numbers)));
  UNPROTECT(1);
  return numbers;
}

static SEXP draws_verdict(SEXP pointer, SEXP as_json) {
  gadwall_draws* draws = draws_of(pointer);
  const char* words = Rf_asLogical(as_json) == TRUE ? gadwall_draws_verdict_json(draws)
                                                    : gadwall_draws_verdict_text(draws);
  if (words == NULL) check(GADWALL_FAILED);
  return Rf_ScalarString(Rf_mkCharCE(words, CE_UTF8));
}

static SEXP draws_report(SEXP pointer, SEXP name, SEXP path, SEXP overwrite) {
  check(gadwall_draws_report(draws_of(pointer), text(name), text(path),
                             Rf_asLogical(overwrite) == TRUE));
  return path;
}

static SEXP catalogue(void) {
  return Rf_ScalarString(Rf_mkCharCE(gadwall_catalogue(), CE_UTF8));
}

static const R_CallMethodDef functions[] = {
    {"C_model_stan", (DL_FUNC)&model_stan, 4},
    {"C_model_target", (DL_FUNC)&model_target, 3},
    {"C_model_logistic", (DL_FUNC)&model_logistic, 7},
    {"C_model_function", (DL_FUNC)&model_function, 3},
    {"C_run_start", (DL_FUNC)&run_start, 4},
    {"C_run_resume", (DL_FUNC)&run_resume, 4},
    {"C_run_messages", (DL_FUNC)&run_messages, 1},
    {"C_follow", (DL_FUNC)&follow, 4},
    {"C_check_interrupt", (DL_FUNC)&check_interrupt, 0},
    {"C_draws_run", (DL_FUNC)&draws_run, 1},
    {"C_draws_read", (DL_FUNC)&draws_read, 1},
    {"C_draws_array", (DL_FUNC)&draws_array, 2},
    {"C_draws_summary", (DL_FUNC)&draws_summary, 2},
    {"C_draws_verdict", (DL_FUNC)&draws_verdict, 2},
    {"C_draws_report", (DL_FUNC)&draws_report, 4},
    {"C_catalogue", (DL_FUNC)&catalogue, 0},
    {NULL, NULL, 0}};

static pthread_t own_thread;

/* Programs are compiled in R's own thread; no other may print. */
static void tell(int kind, const char* words, void* user) {
  (void)user;
  if (pthread_equal(pthread_self(), own_thread)) {
    REprintf(kind == 1 ? "gadwall: warning: %s\n" : "%s", words);
  }
}

void R_init_gadwall(DllInfo* info) {
  own_thread = pthread_self();
  gadwall_set_log(tell, NULL);
  R_registerRoutines(info, NULL, functions, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
}
