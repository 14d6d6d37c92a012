// Orders parameters by the model, by name, by ESS and by R-hat.
#include "diagnostics/summary_order.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <compare>
#include <numeric>
#include <string_view>
#include <tuple>

namespace gadwall {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The digits at the front, without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

/// x.2 comes before x.10: digits are compared as numbers.
bool name_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view left = take_number(a);
      const std::string_view right = take_number(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else if (a.front() != b.front()) {
      return a.front() < b.front();
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

/// Constants have no ESS and nothing to judge; other parameters without one are the worst.
std::tuple<bool, double> ess_key(const ParameterSummary& p) {
  const double ess = worst_ess(p.values);
  return {is_fixed(p.values), std::isnan(ess) ? -1 : ess};
}

std::tuple<bool, double> rhat_key(const ParameterSummary& p) {
  const double rhat = p.values.rhat;
  return {is_fixed(p.values), std::isnan(rhat) ? -INFINITY : -rhat};
}

}  // namespace

std::vector<std::size_t> table_order(const Summary& summary, TableOrder order, Index rows) {
  const std::vector<ParameterSummary>& all = summary.parameters;
  std::vector<std::size_t> result(all.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  const bool whole = rows == 0 || static_cast<std::size_t>(rows) >= all.size();
  const auto follows = [&](std::size_t i) {
    return summary.facts.parameters > 0 && static_cast<Index>(i) >= summary.facts.parameters;
  };
  switch (order) {
    case TableOrder::name:
      std::ranges::stable_sort(result, name_before,
                               [&](std::size_t i) { return std::string_view(all[i].name); });
      break;
    case TableOrder::ess:
      std::ranges::stable_sort(result, {}, [&](std::size_t i) { return ess_key(all[i]); });
      break;
    case TableOrder::rhat:
      std::ranges::stable_sort(result, {}, [&](std::size_t i) { return rhat_key(all[i]); });
      break;
    case TableOrder::model:
      if (whole && all.size() <= kFewParameters) break;
      std::ranges::stable_sort(result, {}, [&](std::size_t i) {
        return std::tuple_cat(std::tuple(follows(i)), ess_key(all[i]));
      });
  }
  if (!whole) result.resize(static_cast<std::size_t>(rows));
  return result;
}

}  // namespace gadwall
