#include "shared_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "files/checkpoint.hpp"
#include "gadwall/error.hpp"
#include "interrupt.hpp"
#include "launch.hpp"
#include "messages.hpp"
#include "run/packed.hpp"
#include "text/number_text.hpp"

namespace gadwall::app {
namespace {

using Words = std::vector<std::string>;

struct Difference {
  int rank;
  std::string is, expected;
};

/// What one of the others has elsewhere than the first; nothing but in the first, which says it and
/// so ends all.
std::optional<Difference> first_difference(const Words& mine, Team& team) {
  const std::vector<std::string> all = team.gather_all(pack(mine));
  if (!team.is_first()) return std::nullopt;
  for (int r = 1; r < team.size(); ++r) {
    const Words theirs = unpack(all[static_cast<std::size_t>(r)]);
    const auto [is, expected] = std::ranges::mismatch(theirs, mine);
    if (is == theirs.end() && expected == mine.end()) continue;
    const auto text = [](const auto& word, const Words& words) {
      return word != words.end() ? *word : std::string("no more");
    };
    return Difference{r, text(is, theirs), text(expected, mine)};
  }
  return std::nullopt;
}

/// An option and its value as one. Threads are each process's own matter.
Words options_of(const Words& words) {
  Words result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string text = words[i];
    const bool has_value = text.starts_with("--") && text.find('=') == std::string::npos &&
                           i + 1 < words.size() && !words[i + 1].starts_with('-');
    if (has_value) text += " " + words[++i];
    if (!text.starts_with("--threads")) result.push_back(std::move(text));
  }
  return result;
}

/// All must do the same run: the same plan, files with the same content, the same code.
void require_same_run(const RunPlan& plan, const Prints& prints, Team& team) {
  std::vector<std::string> mine = {files::build_identity()};
  for (const auto& [name, value] : files::plan_fingerprint(plan))
    mine.push_back(name + " " + value);
  for (const auto& [name, value] : prints) mine.push_back(name + ": " + value);
  const auto found = first_difference(mine, team);
  if (!found) return;
  throw UsageError(fmt::format("{} would do another run than rank 0: {}, expected {}",
                               team.name_of(found->rank), found->is, found->expected));
}

/// Other draws: they depend on chains and lanes, never on processes.
std::string how_to_fill(const RunPlan& plan, int processes) {
  const Index together = plan.run.chains / most_processes(plan);
  Index lanes = plan.run.lanes;
  const auto fills = [&] {
    return plan.run.chains % lanes == 0 && plan.run.chains / lanes >= processes;
  };
  while (lanes > 1 && !fills()) --lanes;
  const std::string more = fmt::format("--chains {}", together * processes);
  return fills() ? fmt::format("--lanes {}, or {}, gives each a batch", lanes, more)
                 : fmt::format("{} gives each a batch", more);
}

}  // namespace

void require_same_words(const Words& words, Team& team) {
  if (team.size() == 1) return;
  const auto found = first_difference(options_of(words), team);
  if (!found) return;
  throw UsageError(
      fmt::format("{} was begun with {}, expected {} as rank 0: the processes of a launch do one "
                  "run together",
                  team.name_of(found->rank), found->is, found->expected));
}

void begin_together(const RunPlan& plan, const Prints& prints, Team& team) {
  if (team.size() == 1) return;
  if (team.is_first()) team.from_first("");
  require_same_run(plan, prints, team);
  const int most = most_processes(plan);
  if (team.size() <= most) return;
  warn({fmt::format("{} processes for {} in batches of {}: {} of them have nothing to do; {}",
                    team.size(), counted(plan.run.chains, "chain"), plan.run.chains / most,
                    team.size() - most, how_to_fill(plan, team.size()))});
  joined_team()->keep(most, InterruptGuard::take);
}

int signal_of_any() {
  int signal = 0;
  for (const std::string& seen :
       processes().gather_all(std::to_string(InterruptGuard::signal_seen()))) {
    signal = std::max(signal, std::stoi(seen));
  }
  return signal;
}

void say_waiting(const RunArguments& a, const TeamFacts& team) {
  if (team.ranks.empty() || a.quiet) return;
  const auto most = std::ranges::max_element(team.ranks, {}, &RankFacts::waited);
  std::string text = fmt::format("{} processes; ", team.ranks.size());
  if (most->waited_for >= 0) {
    const auto slowest = static_cast<std::size_t>(most->waited_for);
    text += fmt::format("{} waited longest, {:.2g} s beside {:.3g} s of work, for {}; ", most->name,
                        most->waited, most->working, team.ranks[slowest].name);
  }
  fmt::print(a.json ? stderr : stdout, "{}meetings {:.2g} s, rests {:.2g} s\n", text, team.meetings,
             team.rests);
}

}  // namespace gadwall::app
