// Writes checkpoints in one step, reads the last good one, and tells whether a plan fits it.
#include "files/checkpoint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "files/atomic_file.hpp"
#include "files/file_place.hpp"
#include "files/netcdf_disk.hpp"
#include "gadwall/error.hpp"
#include "run/cbor.hpp"
#include "text/number_text.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kMark = "gadwall checkpoint ";
constexpr int kLayout = 4;  // goes up with the layout:
//   gadwall checkpoint 4 \n length of the header (8 hexadecimal digits) \n header (CBOR) state
//   checksum of all that follows the first line (8 hexadecimal digits) \n
constexpr std::size_t kNumberLength = 9;

std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string number_line(std::size_t number) {
  return fmt::format("{:08x}\n", number);
}

std::string first_line() {
  return fmt::format("{}{}\n", kMark, kLayout);
}

std::string encode_header(const Checkpoint& c) {
  const Json json = {{"arguments", c.arguments},   {"fingerprints", c.fingerprints},
                     {"build", c.build},           {"directory", c.directory},
                     {"stopped by", c.stopped_by}, {"warm-up rows", c.rows.warmup},
                     {"draws", c.rows.draws},      {"plan", c.plan}};
  std::string header;
  Json::to_cbor(json, header);
  return header;
}

Index rows_from(const Json& json) {
  if (!json.is_number_unsigned()) throw UsageError("no number of rows");
  return json.get<Index>();
}

/// Nothing where it is not one of ours.
std::optional<Checkpoint> decode_header(std::string_view bytes) try {
  const Json json = parse_cbor(bytes);
  if (!json.is_object()) return {};
  return Checkpoint{.arguments = json.at("arguments"),
                    .fingerprints = json.at("fingerprints"),
                    .plan = json.value("plan", std::map<std::string, std::string>()),
                    .build = json.at("build"),
                    .directory = json.value("directory", ""),
                    .stopped_by = json.at("stopped by"),
                    .rows = {rows_from(json.at("warm-up rows")), rows_from(json.at("draws"))},
                    .state = ""};
} catch (const std::exception&) {
  return {};
}

/// A layout that is not ours is not damage: the build that made it can go on from it.
void refuse_other_layouts(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(kMark)) return;
  const std::string_view number = bytes.substr(kMark.size(), bytes.find('\n') - kMark.size());
  int layout = 0;
  const auto end = number.data() + number.size();
  const auto parsed = std::from_chars(number.data(), end, layout);
  if (parsed.ec != std::errc() || parsed.ptr != end || layout == kLayout) return;
  throw UsageError(fmt::format("{}: was written by {} gadwall (layout {}), expected layout {}",
                               path, layout > kLayout ? "a newer" : "an older", layout, kLayout));
}

/// Where the header of a checkpoint ends; nothing where there is none.
std::optional<std::size_t> end_of_header(std::string_view bytes) {
  const std::size_t begin = first_line().size() + kNumberLength;
  if (!bytes.starts_with(first_line()) || bytes.size() < begin) return {};
  std::size_t length = 0;
  const char* const number = bytes.data() + begin - kNumberLength;
  const auto parsed = std::from_chars(number, number + kNumberLength - 1, length, 16);
  if (parsed.ptr != number + kNumberLength - 1 || length > bytes.size() - begin) return {};
  return begin + length;
}

/// Nothing where the bytes are not a whole checkpoint.
std::optional<Checkpoint> decode(std::string bytes) {
  const auto header_end = end_of_header(bytes);
  if (!header_end || bytes.size() < *header_end + kNumberLength) return {};
  const std::size_t sum_begin = bytes.size() - kNumberLength;
  const std::string_view summed = std::string_view(bytes).substr(0, sum_begin);
  if (bytes.substr(sum_begin) != number_line(checksum(summed.substr(first_line().size())))) {
    return {};
  }
  const std::size_t header_begin = first_line().size() + kNumberLength;
  auto checkpoint = decode_header(summed.substr(header_begin, *header_end - header_begin));
  if (!checkpoint) return {};
  bytes.resize(sum_begin);
  bytes.erase(0, *header_end);
  checkpoint->state = std::move(bytes);
  return checkpoint;
}

std::optional<Checkpoint> read_if_whole(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};
  std::string bytes = read_whole_file(path);
  refuse_other_layouts(bytes, path);
  return decode(std::move(bytes));
}

std::string old_path(const std::string& run) {
  return checkpoint_path(run) + ".old";
}

/// The last one becomes the one before it, and stays under its own name too where the file system
/// knows links.
void keep_as_old(const std::string& run) {
  const std::string path = checkpoint_path(run);
  const std::string second_name = path + ".link";
  remove_file(second_name);
  if (!link_file(path, second_name)) {  // there is none the first time
    rename_file(path, old_path(run));
    return;
  }
  rename_file(second_name, old_path(run));
  remove_file(second_name);  // it stays where both were names of one file
}

}  // namespace

std::string checkpoint_path(const std::string& run) {
  return run + ".checkpoint";
}

/// The new one is on the disk before the old one is touched: a full disk costs neither. There is
/// always a whole one under the name, where the file system knows links; elsewhere a kill between
/// two renames leaves the old one alone.
void write_checkpoint(const std::string& run, const Checkpoint& checkpoint,
                      const WriteState& write_state) {
  const std::string path = checkpoint_path(run);
  AtomicFile file(path);
  std::uint32_t sum = 0;
  const auto put = [&](std::string_view piece) {
    sum = checksum(piece, sum);
    file.write(piece);
  };
  const std::string header = encode_header(checkpoint);
  file.write(first_line());
  put(number_line(header.size()));
  put(header);
  write_state(put);
  file.write(number_line(sum));
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
    const std::string draws = grouped(static_cast<std::uint64_t>(found->rows.draws));
    return {std::move(*found),
            fmt::format("{} is {}; going on from the one before it, at {} draws per chain",
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

std::optional<Checkpoint> checkpoint_header(const std::string& run) {
  constexpr std::size_t kMost = std::size_t{1} << 20;  // a header is far smaller
  std::error_code ignored;
  if (!fs::is_regular_file(checkpoint_path(run), ignored)) return {};
  std::ifstream file(checkpoint_path(run), std::ios::binary);
  std::string bytes(kMost, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  const auto end = end_of_header(bytes);
  if (!end) return {};
  const std::size_t begin = first_line().size() + kNumberLength;
  return decode_header(std::string_view(bytes).substr(begin, *end - begin));
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
  print["chain_offset"] = std::to_string(plan.run.chain_offset);
  print["save_warmup"] = plan.run.save_warmup ? "yes" : "no";
  if (plan.run.save_scores) print["save_scores"] = "yes";
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
  return fmt::format("gadwall {}, compiler {}, {} ({})", GADWALL_VERSION, __VERSION__, processor,
                     GADWALL_MARCH);
}

}  // namespace gadwall::files
