#include "warps/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "warps/clear_structure.hpp"
#include "warps/recentring.hpp"

namespace gadwall {
namespace {

constexpr std::size_t kMostNamed = 4;

/// theta.3: the stem theta and 3; tau: the stem alone.
struct Element {
  std::string stem;
  int index = -1;

  explicit Element(const std::string& name) : stem(name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return;
    int found = -1;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + dot + 1, end, found);
    if (error != std::errc() || rest != end) return;
    stem = name.substr(0, dot);
    index = found;
  }
};

/// theta.1, theta.2, theta.3, mu: theta[1..3], mu.
std::string gathered_names(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size();) {
    const Element first(names[i]);
    std::size_t end = i + 1;
    while (end < names.size() && first.index >= 0) {
      const Element next(names[end]);
      if (next.stem != first.stem || next.index != first.index + static_cast<int>(end - i)) break;
      ++end;
    }
    const int last = first.index + static_cast<int>(end - i) - 1;
    parts.push_back(first.index < 0 ? first.stem
                    : end == i + 1  ? fmt::format("{}[{}]", first.stem, first.index)
                                    : fmt::format("{}[{}..{}]", first.stem, first.index, last));
    i = end;
  }
  if (parts.size() <= kMostNamed) return fmt::format("{}", fmt::join(parts, ", "));
  const std::size_t more = parts.size() - kMostNamed;
  parts.resize(kMostNamed);
  return fmt::format("{} and {} more", fmt::join(parts, ", "), more);
}

/// The members that the driver scales; their means, mu of theta ~ normal(mu, tau), it does not.
std::vector<std::string> driven_names(const WarpLayer& layer,
                                      const std::vector<std::string>& names) {
  constexpr double kDriven = 0.05;
  const Vector shares = driven_shares(layer);
  const std::vector<bool> is_mean =
      are_means(layer.inverse.transpose() * layer.centring.asDiagonal() * layer.inverse);
  std::vector<std::string> driven, all;
  for (std::size_t j = 0; j < layer.members.size(); ++j) {
    all.push_back(names[static_cast<std::size_t>(layer.members[j])]);
    if (!is_mean[j] && shares[static_cast<Index>(j)] >= kDriven) driven.push_back(all.back());
  }
  return driven.empty() ? all : driven;
}

std::string layer_words(const WarpLayer& layer, const std::vector<std::string>& names) {
  if (is_recentring(layer)) {
    return fmt::format("{} multiplies {}; sampled centred",
                       names[static_cast<std::size_t>(layer.driver)],
                       gathered_names(driven_names(layer, names)));
  }
  constexpr double kAll = 0.9;
  Vector centring = layer.centring;
  const auto middle = centring.begin() + centring.size() / 2;
  std::nth_element(centring.begin(), middle, centring.end());
  return fmt::format("{} is {} of {}; sampled {}", names[static_cast<std::size_t>(layer.driver)],
                     layer.exponent < 0 ? "the scale" : "the inverse scale",
                     gathered_names(driven_names(layer, names)),
                     *middle > kAll ? "non-centred" : "partly non-centred");
}

}  // namespace

/// Of the precision V^-T diag(.) V^-1.
Vector driven_shares(const WarpLayer& layer) {
  const Matrix squares = layer.inverse.cwiseAbs2();
  const Vector moved = squares.transpose() * layer.centring;
  return moved.cwiseQuotient(squares.colwise().sum().transpose());
}

std::string warp_words(const Warp* warp, const std::vector<std::string>& names) {
  if (warp == nullptr || warp->layers().empty()) return "none";
  std::vector<std::string> sentences;
  for (const WarpLayer& layer : warp->layers()) sentences.push_back(layer_words(layer, names));
  return fmt::format("{}", fmt::join(sentences, ". "));
}

}  // namespace gadwall
