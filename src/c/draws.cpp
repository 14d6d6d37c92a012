// Draws of the C interface.
#include "c/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "c/status.hpp"
#include "files/atomic_file.hpp"
#include "files/file_place.hpp"
#include "gadwall/error.hpp"
#include "gadwall/files.hpp"
#include "gadwall/report.hpp"
#include "session/warm_start.hpp"
#include "text/nearest_name.hpp"

using namespace gadwall;
using namespace gadwall::c;

const Summary& gadwall_draws::summary() {
  if (!summary_) summary_ = summarise(draws);
  return *summary_;
}

namespace {

Index position(const char* kind, const std::vector<std::string>& names, const char* name) {
  require(name, "the name");
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) refuse_unknown(kind, name, names);
  return found - names.begin();
}

/// (chain, draw) of one column; matrix: of a chain.
template <class Columns>
void copy_column(const Draws& draws, Columns matrix, Index column, double* out) {
  require(out, "the place for the numbers");
  for (const Chain& chain : draws.chains) {
    const Matrix& all = matrix(chain);
    out = std::copy_n(all.col(column).data(), all.rows(), out);
  }
}

using Diagnostic = double ParameterDiagnostics::*;

Diagnostic diagnostic(const char* what) {
  using P = ParameterDiagnostics;
  static const std::vector<std::string> names = {"mean",     "sd",        "q05",     "q50",
                                                 "q95",      "mcse_mean", "mcse_sd", "ess_mean",
                                                 "ess_bulk", "ess_tail",  "ess_sq",  "rhat"};
  static constexpr Diagnostic fields[] = {&P::mean,     &P::sd,        &P::q05,     &P::q50,
                                          &P::q95,      &P::mcse_mean, &P::mcse_sd, &P::ess_mean,
                                          &P::ess_bulk, &P::ess_tail,  &P::ess_sq,  &P::rhat};
  return fields[position("number of the summary", names, what)];
}

const Learnt& batch_of(const Draws& draws, int64_t batch) {
  if (batch >= 0 && static_cast<std::size_t>(batch) < draws.learnt.size()) {
    return draws.learnt[static_cast<std::size_t>(batch)];
  }
  throw UsageError(fmt::format("there is no batch {}: what {} batches learnt is known", batch,
                               draws.learnt.size()));
}

}  // namespace

int gadwall_draws_read(const char* run, gadwall_draws** draws) {
  return guarded_make(draws, [&] {
    require(run, "the name of the run");
    return new gadwall_draws(files::read(run));
  });
}

void gadwall_draws_free(gadwall_draws* draws) {
  delete draws;
}

int64_t gadwall_draws_chains(const gadwall_draws* draws) {
  return static_cast<int64_t>(draws->draws.chains.size());
}

int64_t gadwall_draws_count(const gadwall_draws* draws) {
  return draws->draws.draws();
}

int64_t gadwall_draws_values(const gadwall_draws* draws) {
  return draws->draws.dim();
}

const char* gadwall_draws_name(const gadwall_draws* draws, int64_t i) {
  return text_at(draws->draws.names, i);
}

int64_t gadwall_draws_statistics(const gadwall_draws* draws) {
  return static_cast<int64_t>(draws->statistics.size());
}

const char* gadwall_draws_statistic_name(const gadwall_draws* draws, int64_t i) {
  return text_at(draws->statistics, i);
}

int gadwall_draws_copy(const gadwall_draws* draws, int64_t first, int64_t count, double* out) {
  return guarded([&] {
    require(out, "the place for the numbers");
    const Draws& all = draws->draws;
    if (first < 0 || count < 0 || first + count > all.dim()) {
      throw UsageError(fmt::format("values {} to {} are not there: a draw has {}", first,
                                   first + count - 1, all.dim()));
    }
    for (const Chain& chain : all.chains) {
      Eigen::Map<Matrix>(out, count, chain.draws.rows()) =
          chain.draws.middleCols(first, count).transpose();
      out += count * chain.draws.rows();
    }
  });
}

int gadwall_draws_value(const gadwall_draws* draws, const char* name, double* out) {
  return guarded([&] {
    const Draws& all = draws->draws;
    copy_column(
        all, [](const Chain& c) -> const Matrix& { return c.draws; },
        position("value", all.names, name), out);
  });
}

int gadwall_draws_statistic(const gadwall_draws* draws, const char* name, double* out) {
  return guarded([&] {
    const Draws& all = draws->draws;
    copy_column(
        all, [](const Chain& c) -> const Matrix& { return c.statistics; },
        position("statistic", draws->statistics, name), out);
  });
}

const char* gadwall_draws_summary_json(gadwall_draws* draws) {
  return guarded_text([&] {
    if (draws->summary_json.empty()) draws->summary_json = to_json(draws->summary());
    return draws->summary_json.c_str();
  });
}

const char* gadwall_draws_summary_text(gadwall_draws* draws, int64_t rows) {
  return guarded_text([&] {
    draws->summary_text = to_text(draws->summary(), std::max<int64_t>(0, rows));
    return draws->summary_text.c_str();
  });
}

int gadwall_draws_summary(gadwall_draws* draws, const char* what, double* out) {
  return guarded([&] {
    const Diagnostic field = diagnostic(what);
    require(out, "the place for the numbers");
    for (const ParameterSummary& row : draws->summary().parameters) *out++ = row.values.*field;
  });
}

const char* gadwall_draws_verdict_json(gadwall_draws* draws) {
  return guarded_text([&] {
    const Verdict verdict = judge(draws->draws, draws->summary());
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const Finding& f : verdict.findings) {
      findings.push_back({{"serious", f.serious}, {"what", f.what}, {"advice", f.advice}});
    }
    const nlohmann::ordered_json all = {{"sound", verdict.sound()}, {"findings", findings}};
    draws->verdict_json = all.dump();
    return draws->verdict_json.c_str();
  });
}

const char* gadwall_draws_verdict_text(gadwall_draws* draws) {
  return guarded_text([&] {
    draws->verdict_text = to_text(judge(draws->draws, draws->summary()), draws->summary());
    return draws->verdict_text.c_str();
  });
}

int64_t gadwall_draws_learnt(const gadwall_draws* draws) {
  return static_cast<int64_t>(draws->draws.learnt.size());
}

int64_t gadwall_draws_learnt_dim(const gadwall_draws* draws) {
  const auto& learnt = draws->draws.learnt;
  return learnt.empty() ? 0 : learnt.front().tuning.factor().dim();
}

int gadwall_draws_metric(const gadwall_draws* draws, int64_t batch, const char** form, double* step,
                         double* covariance) {
  return guarded([&] {
    const Tuning& tuning = batch_of(draws->draws, batch).tuning;
    const Index n = tuning.factor().dim();
    if (form != nullptr) {
      draws->form = to_string(tuning.factor().kind());
      *form = draws->form.c_str();
    }
    if (step != nullptr) *step = tuning.step;
    if (covariance != nullptr) {
      Eigen::Map<Matrix>(covariance, n, n) = tuning.factor().covariance();
    }
  });
}

int gadwall_draws_write_tuning(const gadwall_draws* draws, const char* path) {
  return guarded([&] {
    require(path, "the path of the file");
    if (draws->draws.learnt.empty()) throw UsageError("what the run learnt is not known");
    session::write_tuning(path, session::pool(draws->draws.learnt));
  });
}

int gadwall_draws_report(const gadwall_draws* draws, const char* name, const char* path,
                         int overwrite) {
  return guarded([&] {
    require(name, "the name of the run");
    require(path, "the path of the page");
    files::check_place(path, overwrite != 0);
    files::replace_file(path, report::report_page({{name, &draws->draws}}));
  });
}
