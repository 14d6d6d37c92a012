/* gadwall for other languages: models, runs and draws behind a plain C interface (libgadwall.so).
 *
 *   gadwall_model* model = NULL;
 *   gadwall_run* run = NULL;
 *   gadwall_draws* draws = NULL;
 *   const gadwall_option options[] = {{"chains", "4"}, {"seed", "7"}};
 *   if (gadwall_model_stan("schools.stan", "schools.json", NULL, 0, &model) ||
 *       gadwall_run_start(model, options, 2, NULL, &run) || gadwall_run_wait(run, -1) ||
 *       gadwall_run_draws(run, &draws)) {
 *     fprintf(stderr, "%s\n", gadwall_last_error());
 *   }
 *   ...
 *   gadwall_draws_free(draws); gadwall_run_free(run); gadwall_model_free(model);
 *
 * Status. Functions that can fail return 0 or one of the codes below; gadwall_last_error() then has
 * one line about it, which names options in backquotes: `max-time`. Where one fails, what it
 * would have made is NULL. Nothing is thrown, printed or done to signals.
 *
 * Ownership. What comes through a pointer to a pointer is the caller's and has a _free function,
 * which takes NULL too. Text that is returned belongs to the object it was asked of and lives as
 * long, unless the function says otherwise. What is passed in is copied, but for the `user` of a
 * callback, which must live until the model and all its runs are freed.
 *
 * Threads. Different objects may be used by different threads at once. One object: by one thread
 * at a time, but for a run's stop, wait and progress and for gadwall_model_evaluate, which any
 * thread may call.
 *
 * Options are pairs of texts by the names of the command line, without its dashes;
 * gadwall_catalogue() lists them. */
#ifndef GADWALL_GADWALL_H
#define GADWALL_GADWALL_H

#include <stddef.h>
#include <stdint.h>

#if defined(GADWALL_C_BUILD)
#define GADWALL_C __attribute__((visibility("default")))
#else
#define GADWALL_C
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when a function or a field is added; another one than 0 in the name libgadwall.so.0 when
 * programs must be compiled anew. */
#define GADWALL_INTERFACE 2
GADWALL_C int gadwall_interface(void);
GADWALL_C const char* gadwall_version(void); /* "0.1.0" */

enum {
  GADWALL_OK = 0,
  GADWALL_FAILED = 1,  /* asked for correctly, but it could not be done */
  GADWALL_USAGE = 2,   /* an option, a file or a value is wrong */
  GADWALL_TIMEOUT = 3, /* gadwall_run_wait: it still goes */
  GADWALL_RUNNING = 4  /* a state of a run, never an error */
};

/* Of this thread, until its next call that fails; "" before the first. */
GADWALL_C const char* gadwall_last_error(void);

typedef struct gadwall_option {
  const char* name;
  const char* value;
} gadwall_option;

/* Everything that can be said, as one JSON object: "default_sampler", "run" (options of every run),
 * "output" (options about files), "samplers" and "targets" with their own. Lives for ever. */
GADWALL_C const char* gadwall_catalogue(void);

/* What the library has to say beside errors: a Stan compiler's words, warnings. kind 0: as it
 * comes, with its line ends; 1: a warning of one line. From any thread, one call at a time. NULL:
 * nowhere. */
typedef void (*gadwall_log)(int kind, const char* text, void* user);
GADWALL_C void gadwall_set_log(gadwall_log log, void* user);

/* ---- models ---- */

typedef struct gadwall_model gadwall_model;

/* A Stan program, FILE.stan, or what it was compiled to, FILE.so. data: JSON text, the path of such
 * a file, or NULL. Options: stan, flags, seed. A program is compiled where the cache does not have
 * it, which takes a minute. */
GADWALL_C int gadwall_model_stan(const char* file, const char* data, const gadwall_option* options,
                                 size_t count, gadwall_model** model);

/* Logistic regression: x is rows x columns, one row after the other; y has 0 or 1 for each. names:
 * of the columns, or NULL. Options as those of the target `logistic` but those about files. */
GADWALL_C int gadwall_model_logistic(int64_t rows, int64_t columns, const double* x,
                                     const double* y, const char* const* names,
                                     const gadwall_option* options, size_t count,
                                     gadwall_model** model);

/* A target of the catalogue by its name, such as neal100, or `logistic` with a table from a file.
 */
GADWALL_C int gadwall_model_target(const char* name, const gadwall_option* options, size_t count,
                                   gadwall_model** model);

/* The log densities of k points and their gradients. x: n x k, one point after the other; logp: k
 * numbers to fill, -INFINITY outside the support; grad: n x k to fill, or NULL where it is not
 * wanted. Returns GADWALL_OK; GADWALL_REJECT where it failed: several points are then asked for one
 * by one, a single one is rejected; GADWALL_STOP: the run ends as failed. Called by as many threads
 * at once as the run has. */
enum { GADWALL_REJECT = 1, GADWALL_STOP = -1 };
typedef int (*gadwall_density_many)(int64_t n, int64_t k, const double* x, double* logp,
                                    double* grad, void* user);
/* The same for one point. */
typedef int (*gadwall_density)(int64_t n, const double* x, double* logp, double* grad, void* user);

/* names: n of them, or NULL for x.1, x.2, ... */
GADWALL_C int gadwall_model_many(int64_t n, const char* const* names, gadwall_density_many density,
                                 void* user, gadwall_model** model);
GADWALL_C int gadwall_model_one(int64_t n, const char* const* names, gadwall_density density,
                                void* user, gadwall_model** model);

/* Runs of the model go on: they share it. */
GADWALL_C void gadwall_model_free(gadwall_model* model);

/* Coordinates in which chains move, and the values that are kept of a draw (a Stan program's are
 * constrained and generated ones). NULL where there is no such name. */
GADWALL_C int64_t gadwall_model_dim(const gadwall_model* model);
GADWALL_C const char* gadwall_model_name(const gadwall_model* model, int64_t i);
GADWALL_C int64_t gadwall_model_values(const gadwall_model* model);
GADWALL_C const char* gadwall_model_value_name(const gadwall_model* model, int64_t i);

/* Lines with what was noticed when the model was made; NULL after the last. */
GADWALL_C const char* gadwall_model_warning(const gadwall_model* model, int64_t i);

/* As gadwall_density_many; a point that is outside the support has logp = -INFINITY. */
GADWALL_C int gadwall_model_evaluate(const gadwall_model* model, int64_t k, const double* x,
                                     double* logp, double* grad);

/* The values that would be kept of the point x; seed: of random numbers in them. */
GADWALL_C int gadwall_model_output(const gadwall_model* model, const double* x, uint64_t seed,
                                   double* values);

/* The coordinates x of a point whose parameters have the values in a JSON object. */
GADWALL_C int gadwall_model_point(const gadwall_model* model, const char* json, double* x);

/* Compares the gradient at x with central differences of the log density. worst: the coordinate
 * that is furthest off; error: by how much, in units of 1 + |gradient|. From 1e-4 on the status is
 * GADWALL_FAILED, and the error's line has both numbers. */
GADWALL_C int gadwall_model_check_gradient(const gadwall_model* model, const double* x,
                                           int64_t* worst, double* error);

/* ---- runs ---- */

typedef struct gadwall_run gadwall_run;
typedef struct gadwall_draws gadwall_draws;

/* How many chains a run with these options has. */
GADWALL_C int gadwall_run_chains(const gadwall_option* options, size_t count, int64_t* chains);

/* Begins in a thread of its own. points: where chain c begins, dim numbers for each of the
 * gadwall_run_chains, instead of the option `start`; or NULL. Without the option `out` the draws
 * stay in memory. */
GADWALL_C int gadwall_run_start(const gadwall_model* model, const gadwall_option* options,
                                size_t count, const double* points, gadwall_run** run);

/* Goes on with a run that has ended, as a new object that has its draws too. Options, the others
 * being as before: draws (N in all, or +N more), until, max-time, threads. */
GADWALL_C int gadwall_run_resume(const gadwall_run* ended, const gadwall_option* options,
                                 size_t count, gadwall_run** run);

/* The same with a run that another process began by this interface: out is its name, or NAME.nc. */
GADWALL_C int gadwall_run_resume_file(const gadwall_model* model, const char* out,
                                      const gadwall_option* options, size_t count,
                                      gadwall_run** run);

/* Ends it soon, with the draws so far; returns at once. */
GADWALL_C void gadwall_run_stop(gadwall_run* run);

/* Waits so many seconds at most, for ever where negative. 0 when the run has ended well,
 * GADWALL_TIMEOUT while it goes; else why it failed. */
GADWALL_C int gadwall_run_wait(gadwall_run* run, double seconds);

typedef struct gadwall_progress {
  size_t size;       /* sizeof(gadwall_progress), filled by the caller */
  int status;        /* GADWALL_RUNNING, or as gadwall_run_wait */
  int sampling;      /* 1 when warm-up is over */
  const char* stage; /* its name */
  int64_t chains;
  int64_t iteration; /* of the chain that is furthest behind, warm-up included */
  int64_t warmup;    /* iterations, planned or done */
  int64_t draws;     /* of each chain so far */
  int64_t draws_wanted;
  int64_t divergences;
  int64_t gradients;   /* of all chains */
  double ess;          /* the worst so far; NaN: too early */
  double rhat;         /* the largest so far; NaN: too early, or one chain */
  double seconds;      /* since the start */
  double seconds_left; /* NaN: not known yet */
} gadwall_progress;

GADWALL_C int gadwall_run_progress(gadwall_run* run, gadwall_progress* progress);

/* What there is to say about the run since the last call, one line each: trouble and what to try.
 * Lives until the next call; NULL where there is nothing more. */
GADWALL_C const char* gadwall_run_message(gadwall_run* run);

/* NAME of the files; "" where the draws are in memory. */
GADWALL_C const char* gadwall_run_name(const gadwall_run* run);

/* A copy of the draws, also while it goes. GADWALL_USAGE before the first. */
GADWALL_C int gadwall_run_draws(gadwall_run* run, gadwall_draws** draws);

/* A run that still goes is stopped and waited for. */
GADWALL_C void gadwall_run_free(gadwall_run* run);

/* ---- draws ---- */

/* Of a run's files, of gadwall, ArviZ or CmdStan: NAME, NAME.nc or NAME_1.csv. */
GADWALL_C int gadwall_draws_read(const char* run, gadwall_draws** draws);
GADWALL_C void gadwall_draws_free(gadwall_draws* draws);

GADWALL_C int64_t gadwall_draws_chains(const gadwall_draws* draws);
GADWALL_C int64_t gadwall_draws_count(const gadwall_draws* draws); /* of each chain */
GADWALL_C int64_t gadwall_draws_values(const gadwall_draws* draws);
GADWALL_C const char* gadwall_draws_name(const gadwall_draws* draws, int64_t i);
GADWALL_C int64_t gadwall_draws_statistics(const gadwall_draws* draws);
GADWALL_C const char* gadwall_draws_statistic_name(const gadwall_draws* draws, int64_t i);

/* Fills (chain, draw, value), the last index fastest, for the values first ... first + count - 1.
 */
GADWALL_C int gadwall_draws_copy(const gadwall_draws* draws, int64_t first, int64_t count,
                                 double* out);

/* Fill (chain, draw) for one value, or one statistic of the draws, by its name. */
GADWALL_C int gadwall_draws_value(const gadwall_draws* draws, const char* name, double* out);
GADWALL_C int gadwall_draws_statistic(const gadwall_draws* draws, const char* name, double* out);

/* The summary: JSON as of `gadwall summary --json`; a table for people, of the `rows` worst values
 * (0: all). The text of the table lives until the next call. */
GADWALL_C const char* gadwall_draws_summary_json(gadwall_draws* draws);
GADWALL_C const char* gadwall_draws_summary_text(gadwall_draws* draws, int64_t rows);

/* One number of the summary for every value of a draw: mean, sd, q05, q50, q95, mcse_mean, mcse_sd,
 * ess_mean, ess_bulk, ess_tail, ess_sq or rhat. */
GADWALL_C int gadwall_draws_summary(gadwall_draws* draws, const char* what, double* out);

/* Can they be trusted? JSON {"sound": ..., "findings": [{"serious", "what", "advice"}]}; in words.
 */
GADWALL_C const char* gadwall_draws_verdict_json(gadwall_draws* draws);
GADWALL_C const char* gadwall_draws_verdict_text(gadwall_draws* draws);

/* What the batches of chains learnt: how many there are (0: not known), the form of the metric
 * ("unit", "diag", "dense", "lowrank"), the step and, where not NULL, the n x n covariance L L^T of
 * proposals or inverse mass. n is the dimension of the model, which learnt_dim says. */
GADWALL_C int64_t gadwall_draws_learnt(const gadwall_draws* draws);
GADWALL_C int64_t gadwall_draws_learnt_dim(const gadwall_draws* draws);
GADWALL_C int gadwall_draws_metric(const gadwall_draws* draws, int64_t batch, const char** form,
                                   double* step, double* covariance);

/* A file for the option `tuning` of another run. */
GADWALL_C int gadwall_draws_write_tuning(const gadwall_draws* draws, const char* path);

/* One self-contained HTML page, called `name`. A file that exists is a mistake unless overwrite. */
GADWALL_C int gadwall_draws_report(const gadwall_draws* draws, const char* name, const char* path,
                                   int overwrite);

#ifdef __cplusplus
}
#endif

#endif
