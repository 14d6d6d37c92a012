#include "c/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "c/status.hpp"
#include "gadwall/error.hpp"
#include "session/numbers.hpp"
#include "text/nearest_name.hpp"

namespace gadwall::c {
namespace {

constexpr const char* kOrigin = "interface";  // where the program has `sample`
constexpr std::uint64_t kMostDraws = 1'000'000'000'000'000;

void set_format(files::FileOptions& files, const std::string& text) {
  if (text != "nc" && text != "csv") {
    throw UsageError(fmt::format("`format` is '{}', expected nc or csv", text));
  }
  files.csv = text == "csv";
}

[[noreturn]] void refuse_option(const std::string& name) {
  std::vector<std::string> known;
  for (const session::RequestOption& option : session::request_options()) {
    known.push_back(option.name);
  }
  for (const OutputWord& word : output_words()) known.emplace_back(word.name);
  for (const OptionInfo& info : session::all_sampler_options()) known.push_back(info.name);
  const std::string near = nearest_name(name, known);
  throw UsageError(fmt::format("unknown option `{}`{}", name,
                               near.empty() ? "" : fmt::format(" (did you mean `{}`?)", near)));
}

void check_output(const RunWords& words) {
  const files::FileOptions& files = words.files;
  if (!files.name.empty()) {
    if (files.significant_digits > 0 && !files.csv) {
      throw UsageError("`sig-figs` is for CSV files, expected `format=csv` with it");
    }
    return;
  }
  if (files.csv) throw UsageError("`format=csv` needs files, expected `out` with it");
  if (words.request.run.save_warmup) {
    throw UsageError("`save-warmup` needs files, expected `out` with it");
  }
}

void replace(Words& words, const std::string& name, const std::string& value) {
  std::erase_if(words, [&](const auto& word) { return word.first == name; });
  words.emplace_back(name, value);
}

/// +N: so many more than there are; N: so many in all.
Index wanted_draws(const std::string& text, Index done) {
  const bool more = text.starts_with('+');
  const auto number = static_cast<Index>(
      more ? session::whole_number("`draws=+N`, N", text.substr(1), {1, kMostDraws})
           : session::whole_number("`draws`", text, {1, kMostDraws}));
  const Index wanted = more ? done + number : number;
  if (wanted > done) return wanted;
  throw UsageError(fmt::format(
      "`draws` is {}, expected more than the {} draws there are; +N for N more", text, done));
}

}  // namespace

Words words_from(const gadwall_option* options, std::size_t count) {
  Words words;
  if (count > 0) require(options, "the list of options");
  for (std::size_t i = 0; i < count; ++i) {
    require(options[i].name, "the name of an option");
    require(options[i].value, "the value of an option");
    const std::string name = options[i].name;
    words.emplace_back(name == "init" ? "start" : name, options[i].value);
  }
  return words;
}

const std::vector<OutputWord>& output_words() {
  using files::FileOptions;
  static const std::vector<OutputWord> table = {
      {"out", "NAME", "name of the files; without it the draws stay in memory",
       [](FileOptions& f, const std::string& text) {
         if (text.empty()) throw UsageError("`out` is '', expected a name for the files");
         f.name = text.ends_with(".nc") ? text.substr(0, text.size() - 3) : text;
       }},
      {"format", "nc|csv", "csv: when the run ends CmdStan's files too [nc]", set_format},
      {"sig-figs", "N", "significant digits in CSV files [as many as are exact]",
       [](FileOptions& f, const std::string& text) {
         f.significant_digits =
             static_cast<int>(session::whole_number("`sig-figs`", text, {1, 17}));
       }},
      {"checkpoint", "X", "seconds between checkpoints; 0: none, and no resume [60]",
       [](FileOptions& f, const std::string& text) {
         f.checkpoint_seconds = session::number_from_zero("`checkpoint`", text);
       }},
      {"force", "", "overwrite files that exist",
       [](FileOptions& f, const std::string& text) {
         f.overwrite = session::switch_from_text("`force`", text);
       }},
  };
  return table;
}

RunWords read_words(const Words& words) {
  RunWords result;
  for (const auto& [name, value] : words) {
    const auto output = std::ranges::find(output_words(), name, &OutputWord::name);
    if (output != output_words().end()) {
      output->set(result.files, value);
    } else if (!session::set_word(result.request, name, value)) {
      refuse_option(name);
    }
  }
  check_output(result);
  return result;
}

Words changed_words(Words words, const Words& changes, Index done) {
  for (const auto& [name, value] : changes) {
    if (name == "draws") {
      std::erase_if(words, [](const auto& word) { return word.first == "until"; });
      replace(words, name, std::to_string(wanted_draws(value, done)));
    } else if (name == "until" || name == "max-time" || name == "threads") {
      replace(words, name, value);
    } else {
      throw UsageError(fmt::format(
          "a run that goes on takes `draws`, `until`, `max-time` and `threads`, not `{}`", name));
    }
  }
  return words;
}

std::vector<std::string> to_arguments(const Words& words) {
  std::vector<std::string> arguments = {kOrigin};
  for (const auto& [name, value] : words) {
    if (name != "out" && name != "force") arguments.push_back(fmt::format("{}={}", name, value));
  }
  return arguments;
}

Words from_arguments(const std::vector<std::string>& arguments, const std::string& run) {
  if (arguments.empty() || arguments.front() != kOrigin) {
    throw UsageError(
        fmt::format("{}: was not begun from Python, R or C, expected {} to go on with it", run,
                    arguments.empty() ? "the program that began it" : "gadwall resume"));
  }
  Words words;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find('=');
    words.emplace_back(arguments[i].substr(0, equals), arguments[i].substr(equals + 1));
  }
  return words;
}

}  // namespace gadwall::c
