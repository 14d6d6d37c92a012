// IDX: four bytes of magic, the lengths of the axes, the values.
#include "files/idx_file.hpp"

#include <fmt/format.h>

#include "files/text_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr std::size_t kWord = 4;
constexpr std::uint32_t kUnsignedBytes = 0x0800;  // the magic number without the count of axes

std::uint32_t big_endian(std::string_view content, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < kWord; ++i) {
    value = value << 8 | static_cast<std::uint8_t>(content[offset + i]);
  }
  return value;
}

void require_size(std::string_view content, std::size_t wanted, const std::string& name,
                  const char* what) {
  if (content.size() >= wanted) return;
  throw UsageError(fmt::format("{}: the file ends at offset {}, expected {} bytes with the {}",
                               name, content.size(), wanted, what));
}

void require_magic(std::string_view content, const std::string& name, std::size_t axes) {
  const std::uint32_t magic = big_endian(content, 0);
  const std::uint32_t wanted = kUnsignedBytes + static_cast<std::uint32_t>(axes);
  if (magic == wanted) return;
  throw UsageError(
      fmt::format("{}: offset 0 holds {:#010x}, expected {:#010x} (IDX: unsigned bytes, {} {})",
                  name, magic, wanted, axes, axes == 1 ? "axis" : "axes"));
}

}  // namespace

IdxBytes parse_idx(std::string_view content, const std::string& name, std::size_t axes) {
  const std::size_t header = kWord * (1 + axes);
  require_size(content, kWord, name, "magic number");
  require_magic(content, name, axes);
  require_size(content, header, name, "lengths of the axes");
  IdxBytes array;
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::uint32_t length = big_endian(content, kWord * (1 + axis));
    if (length == 0) {
      throw UsageError(fmt::format("{}: offset {} holds the length 0, expected at least 1", name,
                                   kWord * (1 + axis)));
    }
    // Three lengths could overflow; no more values than bytes can be meant.
    if (count > content.size() / length) {
      throw UsageError(fmt::format(
          "{}: offset {} holds the length {}, more values than the {} bytes of the file", name,
          kWord * (1 + axis), length, content.size()));
    }
    array.shape.push_back(length);
    count *= length;
  }
  require_size(content, header + count, name, "values");
  if (content.size() > header + count) {
    throw UsageError(fmt::format("{}: the values end at offset {}, but the file goes on to {}",
                                 name, header + count, content.size()));
  }
  array.bytes = content.substr(header);
  return array;
}

IdxBytes read_idx(const std::string& path, std::size_t axes) {
  return parse_idx(read_text_file(path), path, axes);
}

}  // namespace gadwall::files
