#include "warps/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

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

/// A coordinate counts as driven where half of its precision, at the centre of the driver, is.
std::vector<std::string> driven_names(const WarpLayer& layer,
                                      const std::vector<std::string>& names) {
  constexpr double kDriven = 0.5;
  std::vector<std::string> driven;
  for (std::size_t j = 0; j < layer.members.size(); ++j) {
    // Of the precision V^-T diag(.) V^-1 of the coordinate, the share that E moves.
    const Vector squares = layer.inverse.col(static_cast<Index>(j)).cwiseAbs2();
    if (squares.dot(layer.centring) < kDriven * squares.sum()) continue;
    driven.push_back(names[static_cast<std::size_t>(layer.members[j])]);
  }
  return driven;
}

std::string layer_words(const WarpLayer& layer, const std::vector<std::string>& names) {
  constexpr double kAll = 0.9;
  std::vector<std::string> driven = driven_names(layer, names);
  const bool is_partly = driven.empty();
  if (is_partly) {
    for (const Index j : layer.members) driven.push_back(names[static_cast<std::size_t>(j)]);
  }
  Vector centring = layer.centring;
  const auto middle = centring.begin() + centring.size() / 2;
  std::nth_element(centring.begin(), middle, centring.end());
  return fmt::format("{} is {} of {}; sampled {}", names[static_cast<std::size_t>(layer.driver)],
                     layer.exponent < 0 ? "the scale" : "the inverse scale", gathered_names(driven),
                     *middle > kAll ? "non-centred" : "partly non-centred");
}

}  // namespace

std::string warp_words(const Warp* warp, const std::vector<std::string>& names) {
  if (warp == nullptr || warp->layers().empty()) return "none";
  std::vector<std::string> sentences;
  for (const WarpLayer& layer : warp->layers()) sentences.push_back(layer_words(layer, names));
  return fmt::format("{}", fmt::join(sentences, ". "));
}

}  // namespace gadwall
