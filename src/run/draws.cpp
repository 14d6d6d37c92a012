#include "gadwall/draws.hpp"

#include <limits>

namespace gadwall {

Matrix Draws::parameter(Index j) const {
  Matrix values(draws(), static_cast<Index>(chains.size()));
  for (Index c = 0; c < values.cols(); ++c) {
    values.col(c) = chains[static_cast<std::size_t>(c)].draws.col(j);
  }
  return values;
}

Vector Draws::statistic(std::size_t chain, std::string_view name) const {
  const Index column = find_statistic(statistics, name);
  return column < 0 ? Vector() : Vector(chains.at(chain).statistics.col(column));
}

double Learnt::number(const std::string& name) const {
  const auto found = recorded.find(name);
  return found != recorded.end() ? found->second : std::numeric_limits<double>::quiet_NaN();
}

std::vector<ChainRange> chain_ranges(const PlannedFacts& facts) {
  if (!facts.origins.empty()) return facts.origins;
  if (facts.sampler.empty() || facts.chains == 0) return {};  // another program's
  return {{facts.seed, facts.chain_offset, facts.chains}};
}

void AdaptationTrace::archive(Archive& a) {
  a("iteration", iteration);
  a("acceptance", acceptance);
  a("step", step);
  a("log determinant", log_determinant);
  a("recorded", recorded);
  log_density.resize(iteration.size());
  for (std::size_t row = 0; row < log_density.size(); ++row) {
    a(std::to_string(row).c_str(), log_density[row]);
  }
}

void MeasuredFacts::add_costs(const MeasuredFacts& part) {
  seconds.warmup += part.seconds.warmup;
  seconds.sampling += part.seconds.sampling;
  gradients.warmup += part.gradients.warmup;
  gradients.sampling += part.gradients.sampling;
  densities.warmup += part.densities.warmup;
  densities.sampling += part.densities.sampling;
  bad_points += part.bad_points;
  divergences += part.divergences;
}

void archive_notes(Archive& a, std::vector<Note>& notes) {
  auto count = static_cast<Index>(notes.size());
  a("notes", count);
  notes.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < notes.size(); ++i) {
    a(("note " + std::to_string(i)).c_str(), notes[i]);
  }
}

void StageFacts::archive(Archive& a) {
  a("name", name);
  a("begin", begin);
  a("iterations", iterations);
  a("gradients", gradients);
  a("gradients before", gradients_before);
  archive_notes(a, notes);
}

void Note::archive(Archive& a) {
  a("name", name);
  bool is_text = std::holds_alternative<std::string>(value);
  a("is text", is_text);
  if (!a.is_saving() && is_text) value = std::string();
  if (is_text) {
    a("text", std::get<std::string>(value));
  } else {
    a("number", std::get<double>(value));
  }
}

}  // namespace gadwall
