// What a run that several processes share sends between them: at rests draws, progress and what
// concerns all; at checkpoints and at the end what each of them holds.
#include <numeric>

#include "gadwall/error.hpp"
#include "meetings/gather.hpp"
#include "run/forwarded_draws.hpp"
#include "run/packed.hpp"
#include "run/run_loop.hpp"

namespace gadwall {
namespace {

/// Calls visit(field) for what Batch::report writes.
template <class Progress, class Visit>
void visit_progress(Progress& p, Visit visit) {
  visit(p.iteration);
  visit(p.acceptance);
  visit(p.log_density);
  visit(p.first_log_density);
  visit(p.moved_at);
  visit(p.divergences);
  visit(p.step);
  visit(p.log_determinant);
  visit(p.gradients);
}

std::string progress_bytes(const Monitor& monitor, const Share& share) {
  std::vector<double> numbers;
  for (Index c = share.first; c < share.end; ++c) {
    visit_progress(monitor.chain[static_cast<std::size_t>(c)], [&](const auto& field) {
      numbers.push_back(static_cast<double>(field.load(std::memory_order_relaxed)));
    });
  }
  return bytes_of(numbers);
}

void take_progress(const std::string& bytes, const Share& share, Monitor& monitor) {
  const std::vector<double> numbers = numbers_of(bytes);
  auto next = numbers.begin();
  for (Index c = share.first; c < share.end; ++c) {
    visit_progress(monitor.chain[static_cast<std::size_t>(c)], [&](auto& field) {
      using Number = decltype(field.load());
      field.store(static_cast<Number>(*next++), std::memory_order_relaxed);
    });
  }
}

/// Costs of a chain, for both directions.
void archive_chain(Archive& a, MeasuredFacts& chain) {
  a("seconds of warm-up", chain.seconds.warmup);
  a("seconds of sampling", chain.seconds.sampling);
  a("gradients of warm-up", chain.gradients.warmup);
  a("gradients of sampling", chain.gradients.sampling);
  a("densities of warm-up", chain.densities.warmup);
  a("densities of sampling", chain.densities.sampling);
  a("acceptance", chain.accept_rate);
  a("divergences", chain.divergences);
  a("bad points", chain.bad_points);
}

void archive_learnt(Archive& a, Learnt& learnt) {
  a("tuning", learnt.tuning);
  a("trace", learnt.trace);
  a("recorded", learnt.recorded);
}

/// The values of all processes, in order; nothing but in the first.
template <class T, class Put>
std::vector<T> gather_in_first(std::vector<T> mine, Team& team, const T& blank, Put put) {
  if (team.size() == 1) return mine;
  std::vector<std::string> parts;
  for (T& value : mine) {
    Archive saved;
    put(saved, value);
    parts.push_back(saved.bytes());
  }
  std::vector<T> all;
  for (const std::string& packed : team.gather_first(pack(parts))) {
    for (const std::string& bytes : unpack(packed)) {
      Archive given(bytes);
      put(given, all.emplace_back(blank));
    }
  }
  return all;
}

Learnt blank_learnt(Index dim) {
  return {Tuning(Factor::unit(dim)), {}, {}};
}

}  // namespace

/// Not at every meeting: where meetings are close together they are the rests of many iterations.
void RunLoop::come_together() {
  const bool is_due = together_at_ < 0 || iteration() >= together_at_ + rendezvous_.leg() ||
                      iteration() >= stage_end() || is_sampling();
  decision_ = {};
  if (!is_due) return;
  const auto begin = Clock::now();
  const RestWord word{monitor_.stop, working_, is_out_of_time(), is_save_due()};
  decision_ = rendezvous_.hold(word, together_at_ < 0 ? 0 : iteration() - together_at_);
  report();
  exchange_draws();
  times_.rests += std::chrono::duration<double>(Clock::now() - begin).count();
  together_at_ = iteration();
  working_ = 0;
}

void RunLoop::exchange_draws() {
  auto* const forwarded = dynamic_cast<ForwardedDraws*>(&sink_);
  const auto all = team_.gather_first(
      forwarded != nullptr ? pack({forwarded->take(), progress_bytes(monitor_, share_)}) : "");
  for (std::size_t r = 1; r < all.size(); ++r) {
    const std::vector<std::string> given = unpack(all[r]);
    ForwardedDraws::deliver(plan_, given.at(0), sink_);
    take_progress(given.at(1), share_of(plan_, static_cast<int>(r), team_.size()), monitor_);
  }
}

/// By batch; nothing but in the first process.
std::vector<Tuning> RunLoop::tunings_of_all() {
  std::vector<Tuning> mine;
  for (const auto& batch : batches_) mine.push_back(batch->tuning());
  return gather_in_first(std::move(mine), team_, Tuning(Factor::unit(plan_.target->dim())),
                         [](Archive& a, Tuning& tuning) { tuning.archive(a); });
}

std::vector<Learnt> RunLoop::learnt_of_all() {
  std::vector<Learnt> mine;
  for (const auto& batch : batches_) mine.push_back(learnt(*batch));
  return gather_in_first(std::move(mine), team_, blank_learnt(plan_.target->dim()), archive_learnt);
}

std::vector<MeasuredFacts> RunLoop::chains_of_all() {
  std::vector<MeasuredFacts> mine;
  for (const auto& batch : batches_) {
    for (Index k = 0; k < batch->lanes(); ++k) mine.push_back(batch->lane_facts(k));
  }
  return gather_in_first(std::move(mine), team_, MeasuredFacts(), archive_chain);
}

/// with_present: those of the batches there are, beside those that were grouped anew.
EvaluationTally RunLoop::exceptions_of_all(bool with_present) {
  EvaluationTally mine = dissolved_;
  if (with_present) {
    for (const auto& batch : batches_) mine.add_exceptions(batch->tally());
  }
  EvaluationTally all;
  const auto parts = gather_in_first(std::vector{mine}, team_, EvaluationTally(),
                                     [](Archive& a, EvaluationTally& tally) { tally.archive(a); });
  for (const EvaluationTally& part : parts) all.add_exceptions(part);
  return all;
}

/// The batches of this process, each as an archive.
std::string RunLoop::own_batches() {
  std::vector<std::string> parts;
  for (const auto& batch : batches_) {
    Archive saved;
    batch->archive(saved);
    parts.push_back(saved.bytes());
  }
  return pack(parts);
}

/// Batch by batch, in order, whoever holds them: the run can go on with other processes.
void RunLoop::save() {
  const bool is_wanted =
      is_shared() ? team_.from_first(restart_.save ? "yes" : "no") == "yes" : bool(restart_.save);
  if (!is_wanted) return;
  std::vector<std::string> held;  // by the other processes
  if (is_shared()) {
    dissolved_ = exceptions_of_all(false);
    held = team_.gather_first(team_.is_first() ? "" : own_batches());
  }
  if (!team_.is_first()) return;
  sink_.flush();
  const auto write = [&](const Archive::Taker& take) {
    Archive state(take);
    archive(state);
    Index next = static_cast<Index>(batches_.size());
    for (const std::string& packed : held) {
      for (const std::string& batch : unpack(packed)) {
        state.embed(("batch " + std::to_string(next++)).c_str(), batch);
      }
    }
    state.finish();
  };
  restart_.save({write, rows(), stopped_by_});
  saved_ = Clock::now();
}

}  // namespace gadwall
