#include "gadwall/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

std::string wanted_number(const OptionInfo& info) {
  const OptionRange& range = info.range;
  const std::string kind =
      std::holds_alternative<Index>(info.fallback) ? "a whole number" : "a number";
  const std::string low = fmt::format("{} {}", range.open ? "above" : "at least", range.least);
  if (range.most >= 1e300) return fmt::format("{} {}", kind, low);
  return fmt::format("{} {} and {} {}", kind, low, range.open ? "below" : "at most", range.most);
}

[[noreturn]] void refuse(const OptionInfo& info, const OptionValue& value) {
  const bool is_word = std::holds_alternative<std::string>(info.fallback);
  const std::string wanted = !info.choices.empty()
                                 ? fmt::format("{}", fmt::join(info.choices, " or "))
                             : is_word                                     ? "a word"
                             : std::holds_alternative<bool>(info.fallback) ? "true or false"
                                                                           : wanted_number(info);
  const bool quoted = std::holds_alternative<std::string>(value);
  throw UsageError(fmt::format("`{}` is {}{}{}, expected {}", info.name, quoted ? "'" : "",
                               to_string(value), quoted ? "'" : "", wanted));
}

/// A whole number is a number, and a number without a fraction a whole one.
double number_of(const OptionInfo& info, const OptionValue& value) {
  double number = 0;
  if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else if (const auto* whole = std::get_if<Index>(&value)) {
    number = static_cast<double>(*whole);
  } else {
    refuse(info, value);
  }
  const OptionRange& range = info.range;
  const bool inside = range.open ? number > range.least && number < range.most
                                 : number >= range.least && number <= range.most;
  if (!inside) refuse(info, value);
  return number;
}

std::string word_of(const OptionInfo& info, const OptionValue& value) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr || std::ranges::count(info.choices, *word) == 0) refuse(info, value);
  return *word;
}

template <class T>
bool parse_all(const std::string& text, T& value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last;
}

}  // namespace

const OptionValue* OptionFields::take(OptionInfo info) {
  const OptionInfo* known = find_option(infos_, info.name);
  if (known == nullptr) known = &infos_.emplace_back(std::move(info));
  if (given_ == nullptr) return nullptr;
  const auto found = given_->find(known->name);
  return found == given_->end() ? nullptr : &found->second;
}

void OptionFields::operator()(const char* name, double& field, const char* help,
                              OptionRange range) {
  const OptionInfo info{name, help, field, range, {}};
  if (const OptionValue* value = take(info)) field = number_of(info, *value);
}

void OptionFields::operator()(const char* name, Index& field, const char* help, OptionRange range) {
  const OptionInfo info{name, help, field, range, {}};
  if (const OptionValue* value = take(info)) {
    const double number = number_of(info, *value);
    if (number != std::floor(number)) refuse(info, *value);
    field = static_cast<Index>(number);
  }
}

void OptionFields::operator()(const char* name, bool& field, const char* help) {
  const OptionInfo info{name, help, field, {}, {}};
  if (const OptionValue* value = take(info)) {
    if (!std::holds_alternative<bool>(*value)) refuse(info, *value);
    field = std::get<bool>(*value);
  }
}

void OptionFields::operator()(const char* name, std::string& field, const char* help,
                              const std::vector<std::string>& choices) {
  const OptionInfo info{name, help, field, {}, choices};
  if (const OptionValue* value = take(info)) field = word_of(info, *value);
}

void OptionFields::operator()(const char* name, Metric& field, const char* help,
                              const std::vector<Metric>& choices) {
  OptionInfo info{name, help, to_string(field), {}, {}};
  for (const Metric metric : choices) info.choices.push_back(to_string(metric));
  if (const OptionValue* value = take(info)) field = metric_from_string(word_of(info, *value));
}

void OptionFields::operator()(const char* name, Integrator& field, const char* help) {
  OptionInfo info{name, help, to_string(field), {}, {}};
  for (const auto one : {Integrator::leapfrog, Integrator::shear, Integrator::two_stage}) {
    info.choices.push_back(to_string(one));
  }
  if (const OptionValue* value = take(info)) field = integrator_from_string(word_of(info, *value));
}

const OptionInfo* find_option(const std::vector<OptionInfo>& options, const std::string& name) {
  const auto found = std::ranges::find(options, name, &OptionInfo::name);
  return found == options.end() ? nullptr : &*found;
}

OptionValue option_from_text(const OptionInfo& info, const std::string& text) {
  if (std::holds_alternative<std::string>(info.fallback)) return text;
  if (std::holds_alternative<bool>(info.fallback)) {
    if (text == "true" || text == "false") return text == "true";
  } else if (std::holds_alternative<Index>(info.fallback)) {
    if (Index whole = 0; parse_all(text, whole)) return whole;
  } else if (double real = 0; parse_all(text, real)) {
    return real;
  }
  refuse(info, text);
}

std::string to_string(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace gadwall
