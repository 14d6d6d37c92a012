// Writes checkpoints in one step, reads the last good one, and tells whether a plan fits it.
#include "files/checkpoint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "files/atomic_file.hpp"
#include "files/file_place.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kMark = "gadwall checkpoint 3\n";  // the number goes up with the layout

std::uint32_t checksum(std::string_view bytes) {
  uLong sum = crc32(0, nullptr, 0);
  return static_cast<std::uint32_t>(
      crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string encode(const Checkpoint& c) {
  const std::vector<std::uint8_t> state(c.state.begin(), c.state.end());
  const Json json = {{"arguments", c.arguments},
                     {"fingerprints", c.fingerprints},
                     {"build", c.build},
                     {"stopped by", c.stopped_by},
                     {"warm-up rows", c.rows.warmup},
                     {"draws", c.rows.draws},
                     {"plan", c.plan},
                     {"state", Json::binary(state)}};
  std::string body;
  Json::to_cbor(json, body);
  return fmt::format("{}{:08x}\n", kMark, checksum(body)) + body;
}

/// Nothing where the bytes are not a whole checkpoint.
std::optional<Checkpoint> decode(std::string_view bytes) {
  constexpr std::size_t kSumLength = 9;
  if (!bytes.starts_with(kMark) || bytes.size() < kMark.size() + kSumLength) return {};
  const std::string_view sum = bytes.substr(kMark.size(), kSumLength);
  const std::string_view body = bytes.substr(kMark.size() + kSumLength);
  if (sum != fmt::format("{:08x}\n", checksum(body))) return {};
  const Json json = Json::from_cbor(body);
  const auto& state = json.at("state").get_binary();
  return Checkpoint{.arguments = json.at("arguments"),
                    .fingerprints = json.at("fingerprints"),
                    .plan = json.value("plan", std::map<std::string, std::string>()),
                    .build = json.at("build"),
                    .stopped_by = json.at("stopped by"),
                    .rows = {json.at("warm-up rows"), json.at("draws")},
                    .state = std::string(state.begin(), state.end())};
}

std::optional<Checkpoint> read_if_whole(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  return decode(read_whole_file(path));
}

std::string old_path(const std::string& run) {
  return checkpoint_path(run) + ".old";
}

/// The last one becomes the one before it, and stays under its own name too where the file system
/// knows links.
void keep_as_old(const std::string& run) {
  const std::string path = checkpoint_path(run);
  const std::string second_name = path + ".link";
  std::error_code error;
  fs::remove(second_name, error);
  fs::create_hard_link(path, second_name, error);
  fs::rename(error ? path : second_name, old_path(run), error);  // there is none the first time
}

}  // namespace

std::string checkpoint_path(const std::string& run) {
  return run + ".checkpoint";
}

/// The new one is on the disk before the old one is touched: a full disk costs neither. There is
/// always a whole one under the name, where the file system knows links; elsewhere a kill between
/// two renames leaves the old one alone.
void write_checkpoint(const std::string& run, const Checkpoint& checkpoint) {
  const std::string path = checkpoint_path(run);
  AtomicFile file(path);
  file.write(encode(checkpoint));
  file.sync();
  keep_as_old(run);
  file.commit();
}

CheckpointFound read_checkpoint(const std::string& run) {
  if (auto found = read_if_whole(checkpoint_path(run))) return {std::move(*found), ""};
  std::error_code ignored;
  const bool damaged = fs::exists(checkpoint_path(run), ignored);
  if (auto found = read_if_whole(old_path(run))) {
    fs::rename(old_path(run), checkpoint_path(run), ignored);  // a damaged one must not follow it
    const Index draws = found->rows.draws;
    return {std::move(*found),
            fmt::format("{} is {}; going on from the one before it, at {} draws a chain",
                        checkpoint_path(run), damaged ? "damaged" : "missing", draws)};
  }
  if (damaged) {
    throw RunError(
        fmt::format("{}: damaged, and there is no good one before it", checkpoint_path(run)));
  }
  throw UsageError(
      fmt::format("{}: there is no such file: the run cannot go on", checkpoint_path(run)));
}

bool has_checkpoint(const std::string& run) {
  return is_taken(checkpoint_path(run)) || is_taken(old_path(run));
}

void remove_checkpoints(const std::string& run) {
  std::error_code ignored;
  fs::remove(checkpoint_path(run), ignored);
  fs::remove(old_path(run), ignored);
}

std::map<std::string, std::string> plan_fingerprint(const RunPlan& plan) {
  std::map<std::string, std::string> print = used_settings(*plan.sampler, plan.settings);
  print["sampler"] = plan.sampler->name;
  print["dimension"] = std::to_string(plan.target->dim());
  print["values of a draw"] = std::to_string(plan.output_names().size());
  print["chains"] = std::to_string(plan.run.chains);
  print["lanes"] = std::to_string(plan.run.lanes);
  print["warmup"] = fmt::format("{}{}", plan.warmup, plan.run.warmup_settles ? ", auto" : "");
  print["thin"] = std::to_string(plan.run.thin);
  print["seed"] = std::to_string(plan.run.seed);
  print["save_warmup"] = plan.run.save_warmup ? "yes" : "no";
  return print;
}

void check_plan(const std::string& run, const Checkpoint& checkpoint, const RunPlan& plan) {
  const auto now = plan_fingerprint(plan);
  for (const auto& [name, was] : checkpoint.plan) {
    const auto found = now.find(name);
    const std::string is = found != now.end() ? found->second : "not there";
    if (is == was) continue;
    throw UsageError(fmt::format("{}: {} is {}, expected {}, with which the run was begun",
                                 checkpoint_path(run), name, is, was));
  }
}

std::string file_fingerprint(const std::string& path) {
  const std::string bytes = read_whole_file(path);
  return fmt::format("{} bytes, {:08x}", bytes.size(), checksum(bytes));
}

std::string build_identity() {
#ifdef __AVX512F__
  const char* processor = "avx512";
#elif defined(__AVX2__)
  const char* processor = "avx2";
#else
  const char* processor = "generic";
#endif
  return fmt::format("gadwall {}, compiler {}, {}", GADWALL_VERSION, __VERSION__, processor);
}

}  // namespace gadwall::files
