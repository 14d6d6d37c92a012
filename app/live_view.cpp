// The live view as lines of text.
#include "live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "redrawn_lines.hpp"
#include "text/number_text.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

constexpr std::size_t kMostChainRows = 16;  // in the table, however tall the terminal
constexpr std::size_t kLeastLines = 4;      // titles, a chain, the other chains, the run

/// The worst first: stuck, divergent, low ESS; before there is an ESS in the order of numbers.
bool is_worse(const ChainView& a, const ChainView& b) {
  if (a.is_stuck != b.is_stuck) return a.is_stuck;
  if (a.divergences != b.divergences) return a.divergences > b.divergences;
  const auto known = [](double ess) { return std::isnan(ess) ? -1.0 : ess; };
  return known(a.ess) < known(b.ess);
}

constexpr int kGradients = 5;  // a column: a random walk needs none

/// A column whose width stays while numbers grow.
TextColumn column(const std::string& title, int width, int expendable) {
  return {fmt::format("{:>{}}", title, width), {}, {}, expendable};
}

std::vector<TextColumn> chain_columns(const std::vector<ChainView>& chains,
                                      const std::string& done) {
  std::vector<TextColumn> table = {
      {"chain", {}, {}, 0},   column(done, 9, 0),     column("accept", 6, 2), column("step", 8, 5),
      column("log|L|", 8, 6), column("grad/s", 9, 4), column("div", 3, 3),    column("ESS", 7, 1)};
  for (const ChainView& chain : chains) {
    const std::string cells[] = {std::to_string(chain.number),
                                 grouped(static_cast<std::uint64_t>(chain.done)),
                                 ratio_text(chain.acceptance),
                                 fmt::format("{:.3g}", chain.step),
                                 fmt::format("{:.4g}", chain.log_determinant),
                                 rate_text(chain.gradients_per_second),
                                 grouped(static_cast<std::uint64_t>(chain.divergences)),
                                 count_text(chain.ess)};
    for (std::size_t j = 0; j < table.size(); ++j) table[j].cells.push_back(cells[j]);
  }
  const auto takes_none = [](const ChainView& c) {
    return c.done > 0 && c.gradients_per_second == 0;
  };
  if (std::ranges::all_of(chains, takes_none)) table.erase(table.begin() + kGradients);
  return table;
}

template <class Field>
std::string range_text(const std::vector<ChainView>& chains, Field field,
                       std::string (*text)(double)) {
  const auto [low, high] = std::ranges::minmax(chains, {}, field);
  const std::string from = text(field(low));
  const std::string to = text(field(high));
  return from == to ? from : from + " to " + to;
}

/// "and 9 more: accept 0.512 to 0.601  ESS 120 to 210"
std::string others_line(const std::vector<ChainView>& others) {
  std::string text =
      fmt::format("and {} more: accept {}", others.size(),
                  range_text(
                      others, [](const ChainView& c) { return c.acceptance; }, ratio_text));
  if (std::ranges::none_of(others, [](const ChainView& c) { return std::isnan(c.ess); })) {
    text +=
        fmt::format("  ESS {}", range_text(
                                    others, [](const ChainView& c) { return c.ess; }, count_text));
  }
  return text;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct Piece {
  std::string text;
  int expendable = 0;  // the largest is left out first; 0: never
};

/// An estimate from means of blocks; the summary will have the number itself.
std::string rough(const std::string& number) {
  return fmt::format("{}{}", number == "-" ? "" : "~", number);
}

std::size_t width_of(const std::vector<Piece>& pieces) {
  std::size_t sum = 0;
  for (const Piece& piece : pieces) sum += display_width(piece.text) + 2;
  return sum - 2;
}

}  // namespace

std::string run_line(const RunView& view, std::size_t columns) {
  const auto number = [](Index n) { return grouped(static_cast<std::uint64_t>(n)); };
  const std::string name = std::isnan(view.ess) ? "" : fmt::format("({})", view.ess_name);
  std::vector<Piece> pieces = {
      {fmt::format("{} {}", view.stage, number(view.done)), 0},
      {fmt::format("/ {}{}", view.may_end ? "at most " : "", number(view.most)), 4},
      {fmt::format("worst ESS {}", rough(count_text(view.ess))), 1},
      {shorten(name, 24), 6},
      {fmt::format("R-hat {}", rough(ratio_text(view.rhat))), 3},
      {fmt::format("divergences {}", number(view.divergences)), view.divergences > 0 ? 2 : 5},
      {view.time_left + " left", 0}};
  std::erase_if(pieces, [](const Piece& p) { return p.text.empty(); });
  while (width_of(pieces) > columns) {
    const auto least = std::ranges::max_element(pieces, {}, &Piece::expendable);
    if (least->expendable == 0) break;
    pieces.erase(least);
  }
  std::string line;
  for (const Piece& piece : pieces) {
    const bool belongs = piece.text.starts_with("/") || piece.text.starts_with("(");
    line += (line.empty() ? "" : belongs ? " " : "  ") + piece.text;
  }
  return cut_end(line, columns);
}

std::vector<std::string> live_lines(const RunView& view, const TerminalSize& size) {
  const std::size_t columns = size.columns > 1 ? size.columns - 1 : 1;
  const std::size_t lines = redrawable_lines(size);
  const std::string last = run_line(view, columns);
  if (lines < kLeastLines) return {last};
  std::vector<ChainView> shown = view.chains;
  std::vector<ChainView> others;
  if (shown.size() > std::min(lines - 2, kMostChainRows)) {
    std::ranges::stable_sort(shown, is_worse);
    const auto room = static_cast<std::ptrdiff_t>(std::min(lines - 3, kMostChainRows));
    others.assign(shown.begin() + room, shown.end());
    shown.resize(static_cast<std::size_t>(room));
  }
  std::vector<std::string> result = split_lines(
      text_table(chain_columns(shown, view.is_sampling ? "draws" : "iteration"), columns, false));
  if (!others.empty()) result.push_back(others_line(others));
  result.push_back(last);
  for (std::string& line : result) line = cut_end(line, columns);
  return result;
}

}  // namespace gadwall::app
