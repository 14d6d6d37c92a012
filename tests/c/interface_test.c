/* The C interface, from C: every function, its errors, and that memory comes back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gadwall/gadwall.h>

static int failures = 0;

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (!(condition)) {                                                               \
      fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, \
              gadwall_last_error());                                                  \
      ++failures;                                                                     \
    }                                                                                 \
  } while (0)

/* N(mean, I): mean is the user's. */
static int normal_many(int64_t n, int64_t k, const double* x, double* logp, double* grad,
                       void* user) {
  const double mean = *(const double*)user;
  for (int64_t j = 0; j < k; ++j) {
    logp[j] = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double z = x[j * n + i] - mean;
      logp[j] -= 0.5 * z * z;
      if (grad) grad[j * n + i] = -z;
    }
  }
  return GADWALL_OK;
}

static int normal_one(int64_t n, const double* x, double* logp, double* grad, void* user) {
  return normal_many(n, 1, x, logp, grad, user);
}

/* Fails where the first coordinate is positive; asks for the end after so many calls. */
struct moody {
  int calls_left;
};
static int moody_one(int64_t n, const double* x, double* logp, double* grad, void* user) {
  struct moody* moody = user;
  double mean = 0;
  if (moody->calls_left-- == 0) return GADWALL_STOP;
  if (x[0] > 0) return GADWALL_REJECT;
  return normal_many(n, 1, x, logp, grad, &mean);
}

static double mean = 3;

static gadwall_draws* sampled(gadwall_model* model, const gadwall_option* options, size_t count) {
  gadwall_run* run = NULL;
  gadwall_draws* draws = NULL;
  CHECK(gadwall_run_start(model, options, count, NULL, &run) == GADWALL_OK);
  CHECK(gadwall_run_wait(run, -1) == GADWALL_OK);
  CHECK(gadwall_run_draws(run, &draws) == GADWALL_OK);
  gadwall_run_free(run);
  return draws;
}

static void test_callbacks_are_sampled(void) {
  const gadwall_option options[] = {
      {"sampler", "nuts"}, {"draws", "500"}, {"warmup", "300"}, {"chains", "2"}, {"threads", "2"}};
  gadwall_model* many = NULL;
  gadwall_model* one = NULL;
  CHECK(gadwall_model_many(2, NULL, normal_many, &mean, &many) == GADWALL_OK);
  CHECK(gadwall_model_one(2, NULL, normal_one, &mean, &one) == GADWALL_OK);
  gadwall_draws* a = sampled(many, options, 5);
  gadwall_draws* b = sampled(one, options, 5);
  CHECK(gadwall_draws_chains(a) == 2 && gadwall_draws_count(a) == 500);
  CHECK(gadwall_draws_values(a) == 2 && strcmp(gadwall_draws_name(a, 1), "x.2") == 0);
  CHECK(gadwall_draws_name(a, 2) == NULL);
  double all[2 * 500 * 2], second[2 * 500], lp[2 * 500];
  CHECK(gadwall_draws_copy(a, 0, 2, all) == GADWALL_OK);
  CHECK(gadwall_draws_value(b, "x.2", second) == GADWALL_OK);
  CHECK(gadwall_draws_statistic(a, "lp", lp) == GADWALL_OK);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    CHECK(all[2 * i + 1] == second[i]); /* the same draws, however the density is asked */
    const double z0 = all[2 * i] - 3, z1 = all[2 * i + 1] - 3;
    CHECK(fabs(lp[i] + 0.5 * (z0 * z0 + z1 * z1)) < 1e-12);
    sum += all[2 * i];
  }
  CHECK(fabs(sum / 1000 - 3) < 0.3);
  CHECK(strstr(gadwall_draws_summary_json(a), "\"ess_worst\"") != NULL);
  CHECK(strstr(gadwall_draws_summary_text(a, 0), "x.2") != NULL);
  double means[2];
  CHECK(gadwall_draws_summary(a, "mean", means) == GADWALL_OK);
  CHECK(fabs(means[0] - sum / 1000) < 1e-12);
  CHECK(gadwall_draws_summary(a, "median", means) == GADWALL_USAGE);
  CHECK(strstr(gadwall_draws_verdict_json(a), "\"sound\"") != NULL);
  CHECK(strlen(gadwall_draws_verdict_text(a)) > 0);
  gadwall_draws_free(a);
  gadwall_draws_free(b);
  gadwall_model_free(many);
  gadwall_model_free(one);
}

static void test_models_are_evaluated(void) {
  gadwall_model* model = NULL;
  const char* names[] = {"a", "b"};
  CHECK(gadwall_model_many(2, names, normal_many, &mean, &model) == GADWALL_OK);
  CHECK(gadwall_model_dim(model) == 2 && strcmp(gadwall_model_name(model, 0), "a") == 0);
  CHECK(gadwall_model_values(model) == 2 && strcmp(gadwall_model_value_name(model, 1), "b") == 0);
  const double x[] = {3, 4, 5, 3};
  double logp[2], grad[4], values[2], point[2], error;
  int64_t worst;
  CHECK(gadwall_model_evaluate(model, 2, x, logp, grad) == GADWALL_OK);
  CHECK(logp[0] == -0.5 && logp[1] == -2 && grad[1] == -1 && grad[2] == -2);
  CHECK(gadwall_model_evaluate(model, 2, x, logp, NULL) == GADWALL_OK);
  CHECK(gadwall_model_output(model, x, 1, values) == GADWALL_OK && values[1] == 4);
  CHECK(gadwall_model_point(model, "{\"a\": 7, \"b\": 8}", point) == GADWALL_OK && point[1] == 8);
  CHECK(gadwall_model_point(model, "{\"a\": 7}", point) == GADWALL_USAGE);
  CHECK(strstr(gadwall_last_error(), "'b'") != NULL);
  CHECK(gadwall_model_check_gradient(model, x, &worst, &error) == GADWALL_OK && error < 1e-8);
  gadwall_model_free(model);

  const double table[] = {1, 0, 2, 1, 3, 0, 4, 1}, y[] = {0, 0, 1, 1};
  CHECK(gadwall_model_logistic(4, 2, table, y, NULL, NULL, 0, &model) == GADWALL_OK);
  CHECK(gadwall_model_dim(model) == 3 && strcmp(gadwall_model_name(model, 2), "bias") == 0);
  gadwall_model_free(model);
  const double three[] = {0, 1, 2, 1};
  CHECK(gadwall_model_logistic(4, 2, table, three, NULL, NULL, 0, &model) == GADWALL_USAGE);
  CHECK(model == NULL && strstr(gadwall_last_error(), "y has 2 in row 3") != NULL);
}

static void test_mistakes_are_told(void) {
  gadwall_model* model = NULL;
  gadwall_run* run = NULL;
  gadwall_draws* draws = NULL;
  CHECK(gadwall_model_target("neal10", NULL, 0, &model) == GADWALL_USAGE && model == NULL);
  CHECK(strstr(gadwall_last_error(), "did you mean 'neal100'?") != NULL);
  CHECK(gadwall_model_target("gaussian2d", NULL, 0, &model) == GADWALL_OK);
  const gadwall_option wrong[][2] = {{{"chians", "4"}, {0, 0}},
                                     {{"draws", "ten"}, {0, 0}},
                                     {{"sampler", "nuts"}, {"learning-rate", "1"}},
                                     {{"format", "csv"}, {0, 0}}};
  const char* told[] = {"`chians` (did you mean `chains`?)", "`draws` is 'ten'",
                        "`learning-rate` is not an option of nuts", "`out`"};
  for (int i = 0; i < 4; ++i) {
    CHECK(gadwall_run_start(model, wrong[i], i == 2 ? 2 : 1, NULL, &run) == GADWALL_USAGE);
    CHECK(run == NULL && strstr(gadwall_last_error(), told[i]) != NULL);
  }
  CHECK(gadwall_draws_read("no such run", &draws) == GADWALL_USAGE && draws == NULL);
  CHECK(gadwall_run_start(NULL, NULL, 0, NULL, &run) == GADWALL_USAGE);
  gadwall_model* none = model;
  CHECK(gadwall_model_many(0, NULL, normal_many, NULL, &none) == GADWALL_USAGE && none == NULL);
  gadwall_model_free(model);
  gadwall_run_free(NULL);
  gadwall_draws_free(NULL);
}

static void test_a_callback_ends_a_run(void) {
  struct moody moody = {3000};
  gadwall_model* model = NULL;
  gadwall_run* run = NULL;
  gadwall_progress progress = {.size = sizeof progress};
  const gadwall_option options[] = {{"threads", "1"}, {"sampler", "gadmala"}};
  const double points[] = {-1, -1, -1, -1, -1, -1, -1, -1};
  CHECK(gadwall_model_one(2, NULL, moody_one, &moody, &model) == GADWALL_OK);
  CHECK(gadwall_run_start(model, options, 2, points, &run) == GADWALL_OK);
  CHECK(gadwall_run_wait(run, -1) == GADWALL_FAILED);
  CHECK(strstr(gadwall_last_error(), "asked for the end") != NULL);
  CHECK(moody.calls_left == -1); /* not called again */
  CHECK(gadwall_run_progress(run, &progress) == GADWALL_OK && progress.status == GADWALL_FAILED);
  gadwall_run_free(run);
  gadwall_model_free(model);
}

static void test_runs_are_watched_stopped_and_gone_on_with(void) {
  const gadwall_option options[] = {{"draws", "1000000000"},
                                    {"warmup", "100"},
                                    {"threads", "1"},
                                    {"seed", "5"},
                                    {"sampler", "gadmala"}};
  gadwall_model* model = NULL;
  gadwall_run* run = NULL;
  gadwall_run* more = NULL;
  gadwall_draws *first = NULL, *second = NULL;
  gadwall_progress progress = {.size = sizeof progress};
  CHECK(gadwall_model_many(2, NULL, normal_many, &mean, &model) == GADWALL_OK);
  CHECK(gadwall_run_start(model, options, 5, NULL, &run) == GADWALL_OK);
  gadwall_model_free(model);                                       /* the run shares it */
  CHECK(gadwall_run_resume(run, NULL, 0, &more) == GADWALL_USAGE); /* it still goes */
  do {
    CHECK(gadwall_run_wait(run, 0.01) == GADWALL_TIMEOUT);
    CHECK(gadwall_run_progress(run, &progress) == GADWALL_OK);
    CHECK(progress.status == GADWALL_RUNNING && progress.chains == 4);
  } while (progress.draws < 100);
  CHECK(progress.sampling == 1 && progress.warmup == 100 && progress.gradients > 0);
  while (gadwall_run_message(run) != NULL) continue;
  gadwall_run_stop(run);
  CHECK(gadwall_run_wait(run, -1) == GADWALL_OK);
  CHECK(gadwall_run_draws(run, &first) == GADWALL_OK);
  const int64_t had = gadwall_draws_count(first);
  CHECK(had >= 100 && strstr(gadwall_draws_summary_json(first), "\"signal\"") != NULL);
  const gadwall_option changes[] = {{"draws", "+50"}};
  CHECK(gadwall_run_resume(run, changes, 1, &more) == GADWALL_OK);
  gadwall_run_free(run);
  CHECK(gadwall_run_wait(more, -1) == GADWALL_OK);
  CHECK(gadwall_run_draws(more, &second) == GADWALL_OK);
  CHECK(gadwall_draws_count(second) == had + 50 && gadwall_draws_chains(second) == 4);
  double* before = malloc((size_t)(4 * had) * sizeof(double));
  double* after = malloc((size_t)(4 * (had + 50)) * sizeof(double));
  CHECK(gadwall_draws_value(first, "x.1", before) == GADWALL_OK);
  CHECK(gadwall_draws_value(second, "x.1", after) == GADWALL_OK);
  for (int c = 0; c < 4; ++c) {
    CHECK(memcmp(before + c * had, after + c * (had + 50), (size_t)had * sizeof(double)) == 0);
  }
  const char* form = NULL;
  double step = 0, covariance[4];
  CHECK(gadwall_draws_learnt(second) == 4 && gadwall_draws_learnt_dim(second) == 2);
  CHECK(gadwall_draws_metric(second, 0, &form, &step, covariance) == GADWALL_OK);
  CHECK(step > 0 && covariance[0] > 0 && covariance[1] == covariance[2] && strlen(form) > 0);
  CHECK(gadwall_draws_metric(second, 4, &form, &step, NULL) == GADWALL_USAGE);
  free(before);
  free(after);
  gadwall_draws_free(first);
  gadwall_draws_free(second);
  gadwall_run_free(more);
}

/* In the directory that the test was started in. */
static void test_files_hold_the_same_draws(void) {
  gadwall_model* model = NULL;
  gadwall_run *run = NULL, *more = NULL;
  gadwall_draws *memory = NULL, *file = NULL, *extended = NULL;
  gadwall_option options[] = {{"draws", "50"},        {"warmup", "20"},    {"init", "uniform:1"},
                              {"sampler", "gadmala"}, {"out", "c-run.nc"}, {"force", "true"}};
  CHECK(gadwall_model_target("gaussian2d", NULL, 0, &model) == GADWALL_OK);
  memory = sampled(model, options, 4);
  CHECK(gadwall_run_start(model, options, 6, NULL, &run) == GADWALL_OK);
  CHECK(gadwall_run_wait(run, -1) == GADWALL_OK);
  CHECK(strcmp(gadwall_run_name(run), "c-run") == 0);
  CHECK(gadwall_draws_read("c-run", &file) == GADWALL_OK);
  double a[4 * 50], b[4 * 50], c[4 * 60];
  CHECK(gadwall_draws_value(memory, "x.1", a) == GADWALL_OK);
  CHECK(gadwall_draws_value(file, "x.1", b) == GADWALL_OK);
  CHECK(memcmp(a, b, sizeof a) == 0);
  const gadwall_option changes[] = {{"draws", "60"}};
  CHECK(gadwall_run_resume_file(model, "c-run.nc", changes, 1, &more) == GADWALL_OK);
  CHECK(gadwall_run_wait(more, -1) == GADWALL_OK);
  CHECK(gadwall_run_draws(more, &extended) == GADWALL_OK);
  CHECK(gadwall_draws_count(extended) == 60);
  CHECK(gadwall_draws_value(extended, "x.1", c) == GADWALL_OK && memcmp(a, c, 50 * 8) == 0);
  CHECK(gadwall_draws_report(extended, "c-run", "c-run.html", 1) == GADWALL_OK);
  CHECK(gadwall_draws_report(extended, "c-run", "c-run.html", 0) == GADWALL_USAGE);
  CHECK(gadwall_draws_write_tuning(extended, "c-run.json") == GADWALL_OK);
  gadwall_draws_free(memory);
  gadwall_draws_free(file);
  gadwall_draws_free(extended);
  gadwall_run_free(run);
  gadwall_run_free(more);
  gadwall_model_free(model);
}

static long resident_pages(void) {
  long total = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &total, &resident) != 2) resident = -1;
  if (file != NULL) fclose(file);
  return resident;
}

static void test_many_short_runs_leave_nothing(int runs) {
  const gadwall_option options[] = {
      {"draws", "20"}, {"warmup", "20"}, {"chains", "2"}, {"threads", "1"}, {"sampler", "gadmala"}};
  gadwall_model* model = NULL;
  long settled = 0;
  CHECK(gadwall_model_many(2, NULL, normal_many, &mean, &model) == GADWALL_OK);
  for (int i = 0; i < runs; ++i) {
    gadwall_draws_free(sampled(model, options, 5));
    if (i == runs / 5) settled = resident_pages();
  }
  const long grown = (resident_pages() - settled) * sysconf(_SC_PAGESIZE);
  CHECK(grown < 2000000);
  gadwall_model_free(model);
}

int main(int count, char** arguments) {
  const int runs = count > 1 ? atoi(arguments[1]) : 1000;
  const gadwall_option lanes[] = {{"sampler", "nuts"}, {"lanes", "8"}}, wrong[] = {{"chians", "8"}};
  int64_t chains = 0;
  CHECK(gadwall_run_chains(lanes, 2, &chains) == GADWALL_OK && chains % 8 == 0 && chains > 0);
  CHECK(gadwall_run_chains(NULL, 0, &chains) == GADWALL_OK && chains == 16);
  CHECK(gadwall_run_chains(wrong, 1, &chains) == GADWALL_USAGE);
  CHECK(gadwall_run_chains(lanes, 2, NULL) == GADWALL_USAGE);
  CHECK(gadwall_interface() == GADWALL_INTERFACE && strlen(gadwall_version()) > 0);
  CHECK(strstr(gadwall_catalogue(), "\"max-time\"") != NULL);
  gadwall_set_log(NULL, NULL);
  test_callbacks_are_sampled();
  test_models_are_evaluated();
  test_mistakes_are_told();
  test_a_callback_ends_a_run();
  test_runs_are_watched_stopped_and_gone_on_with();
  test_files_hold_the_same_draws();
  test_many_short_runs_leave_nothing(runs);
  return failures == 0 ? 0 : 1;
}
