// The trajectories of the draws, chosen by what they bring per gradient.
//
// Candidates are tried one after the other, all lanes together: shear steps, two-stage steps, nuts.
// Each first finds its step, by dual averaging to a high acceptance. Candidates of a given length
// are then followed beyond it, and every length is judged from the same gradients
// (meetings/efficiency.hpp, lag 1). Near a Gaussian the first is as good as can be and the stage
// ends. Else lag 1 is not enough, because some functions may move fast within a group and slowly
// between. What was promised less is confirmed by a stretch of the trajectories themselves; what
// was promised little races: each candidate gets about the same number of gradients, and the
// effective sample sizes of the states they went through decide, divided by 1 + the number of
// divergences.
//
// A trajectory of a given length that brings little by its states makes no draw alone: as many as
// bring `least_per_draw` effective draws make one, else the most draws would be too few.
#pragma once

#include <string>
#include <vector>

#include "adapters/dual_averaging.hpp"
#include "adapters/paths.hpp"
#include "meetings/shared_acceptance.hpp"

namespace gadwall {

struct ChoiceOptions {
  DualAveragingOptions step{.target = 0.9};   // 0.8 lets tails stick
  double largest_step = 1.2;                  // of shear steps: 1.45 lets tails stick
  Integrator integrator = Integrator::shear;  // of nuts and of the first candidate
  std::string trajectory = "measured";
  Index settling = 12;     // iterations that find a step
  Index looking = 8;       // iterations that judge lengths
  Index first_length = 4;  // doubled while the longest is best
  Index most_length = 32;
  double plain = 0.3;           // effective draws per gradient that need no proof
  double good = 0.12;           // that need no rival
  double long_step = 0.3;       // from which such promises are believed
  double fair = 0.08;           // that need no race with nuts, and a shorter one
  double race = 120;            // gradients per lane of a candidate in the race
  Index confirming = 24;        // iterations that confirm a promise
  double least_per_draw = 0.1;  // effective draws that a draw should bring
  Index most_per_draw = 8;      // trajectories

  void describe(OptionFields& o) {
    o("target-accept", step.target, "acceptance rate to steer to", inside(0, 1));
    o("trajectory", trajectory, "of the draws, measured: what brings most per gradient; or nuts",
      {"measured", "nuts"});
  }
};

/// One way to make trajectories, and what is known of it.
struct Candidate {
  TrajectoryPlan plan;
  double step = 0;
  double predicted = 0;  // effective draws per gradient, by lag 1
  double confirmed = 0;  // by its states, without a rival; 0: not asked
  double raced = 0;      // by the race, over 1 + its divergences; 0: it did not race

  void archive(Archive& a);
};

class Choice final : public Meeting {
 public:
  explicit Choice(ChoiceOptions options);

  /// What the stage begins with.
  static Tuning first_tuning(const Tuning& found, const ChoiceOptions& options);

  Index next(Index done) const override { return done + 1; }
  bool hold(std::span<Member> mine, Team& team) override;
  void finish(std::span<Member> mine, Team& team) override;
  std::vector<Note> findings() const override;
  void archive(Archive& a) override;

 private:
  enum class Phase { settling, looking, racing, confirming };

  Candidate& present() { return candidates_[at_]; }
  bool is_of_length() const { return candidates_[at_].plan.most_steps > 0; }
  bool is_trusted(const Candidate& shear) const;
  bool is_fair() const;
  void enter(Phase phase, Index iterations, std::span<Member> mine);
  bool settled(std::span<Member> mine);
  bool looked(std::span<Member> mine, Team& team);
  bool confirmed(std::span<Member> mine, Team& team);
  bool raced(std::span<Member> mine, Team& team);
  double judge_states(const std::vector<Paths>& paths);
  bool next_candidate(std::span<Member> mine);
  bool start_race(std::size_t candidate, std::span<Member> mine);
  std::vector<Paths> seen(std::span<Member> mine, Team& team);
  std::size_t best() const;

  ChoiceOptions options_;
  DualAveraging averaging_;
  std::vector<Candidate> candidates_;
  std::size_t at_ = 0;
  Phase phase_ = Phase::settling;
  Index phase_end_ = 0;
  bool begun_ = false;
  SharedAcceptance acceptance_;
};

}  // namespace gadwall
