// list: every target and sampler, from the tables themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>

#include "commands.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"
#include "gadwall/targets.hpp"

namespace gadwall::app {
namespace {

void list_targets() {
  fmt::print("Targets\n");
  for (const TargetRow& row : targets()) {
    fmt::print("  {:<14} {}\n", row.name, row.summary);
    if (!row.options.empty()) fmt::print("  {:<14}   --{}\n", "", fmt::join(row.options, " --"));
  }
}

void list_samplers() {
  fmt::print("Samplers\n");
  for (const SamplerRow& row : samplers()) {
    fmt::print("  {:<14} {}\n", row.name, row.summary);
    fmt::print("  {:<14}   --warmup {} --draws {}", "", row.warmup, row.draws);
    for (const auto& [name, value] : used_settings(row, {})) {
      if (std::holds_alternative<bool>(find_option(row.options, name)->fallback)) continue;  // off
      fmt::print(" --{} {}", name, value);
    }
    fmt::print("\n");
  }
}

}  // namespace

Command add_list(CLI::App& app) {
  const auto what = std::make_shared<std::string>();
  CLI::App* parser = app.add_subcommand("list", "Every target and sampler, with its defaults");
  parser->add_option("WHAT", *what, "samplers or targets; both when left out");
  parser->footer("Example:\n  gadwall list samplers");
  return {parser, [what] {
            if (!what->empty() && *what != "samplers" && *what != "targets") {
              throw UsageError(fmt::format("list '{}', expected samplers or targets", *what));
            }
            if (*what != "samplers") list_targets();
            if (what->empty()) fmt::print("\n");
            if (*what != "targets") list_samplers();
            return kSuccess;
          }};
}

}  // namespace gadwall::app
