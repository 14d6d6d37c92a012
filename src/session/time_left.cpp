#include "session/time_left.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gadwall::session {

std::string time_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

double TimeLeft::estimate(Index iteration, Index warmup, double ess, double elapsed_seconds) {
  if (first_iteration_ < 0) {
    first_iteration_ = iteration;
    first_seconds_ = elapsed_seconds;
  }
  const bool warming = warmup < 0;
  if (!warming && sampling_since_ < 0) {
    sampling_since_ = elapsed_seconds;
    sampling_from_ = iteration;
  }
  const Index length = warming ? plan_.warmup : warmup;
  const Index last = length + plan_.draws * plan_.run.thin;
  const bool has_own_rate = !warming && iteration > sampling_from_;
  const Index from = has_own_rate ? sampling_from_ : first_iteration_;
  const double since = has_own_rate ? sampling_since_ : first_seconds_;
  const double seconds_each = (elapsed_seconds - since) / static_cast<double>(iteration - from);
  double left = seconds_each * static_cast<double>(last - iteration);
  if (plan_.run.until_ess > 0 && has_own_rate && ess > 0) {
    const double sampled = seconds_each * static_cast<double>(iteration - warmup);
    left = std::min(left, std::max(0.0, sampled * (plan_.run.until_ess / ess - 1)));
  }
  if (plan_.run.max_seconds > 0) {
    left = std::min(left, std::max(0.0, plan_.run.max_seconds - elapsed_seconds));
  }
  return left;
}

}  // namespace gadwall::session
