// Archives are CBOR: compact, self-describing, doubles bit for bit.
#include "gadwall/archive.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "gadwall/error.hpp"
#include "run/cbor.hpp"

namespace gadwall {

using Json = nlohmann::json;

namespace {

/// The kinds of CBOR's values (RFC 8949, section 3.1), in the upper three bits of their first byte.
enum Kind : unsigned { bytes_kind = 2, text_kind = 3 };
constexpr char kOpenMap = '\xBF';  // of a length that is not said beforehand
constexpr char kEnd = '\xFF';

std::string head(Kind kind, std::uint64_t count) {
  constexpr unsigned eight_bytes = 27;
  std::string result(1, static_cast<char>(kind << 5U | eight_bytes));
  for (int shift = 56; shift >= 0; shift -= 8) {
    result += static_cast<char>(count >> static_cast<unsigned>(shift) & 0xFFU);
  }
  return result;
}

template <class T>
bool is_kind(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, std::uint64_t>) return json.is_number_unsigned();
  if constexpr (std::is_same_v<T, std::int64_t>) return json.is_number_integer();
  if constexpr (std::is_same_v<T, std::string>) return json.is_string();
  return json.is_array();
}

}  // namespace

struct Archive::Content {
  bool saving = true;
  Taker take;
  std::string kept;                   // where nobody takes it
  Json root = Json::object();         // of what is restored
  std::vector<Json*> path = {&root};  // the objects around the present one

  Json& find(const char* name) {
    Json& here = *path.back();
    const auto found = here.find(name);
    if (found == here.end()) throw RunError(fmt::format("the checkpoint has no '{}'", name));
    return *found;
  }

  void put(std::string_view bytes) { take ? take(bytes) : void(kept += bytes); }

  void put_name(std::string_view name) {
    put(head(text_kind, name.size()));
    put(name);
  }

  [[noreturn]] static void refuse(const char* name) {
    throw RunError(fmt::format("'{}' of the checkpoint is of another kind", name));
  }

  /// Saves or restores a value that JSON itself knows.
  template <class T>
  void plain(const char* name, T& value) {
    if (saving) {
      put_name(name);
      std::string bytes;
      Json::to_cbor(Json(value), bytes);
      return put(bytes);
    }
    const Json& found = find(name);
    if (!is_kind<T>(found)) refuse(name);
    try {
      value = found.get<T>();
    } catch (const Json::exception&) {
      refuse(name);
    }
  }

  /// Arrays are one string of bytes: small, quick, and exact also for NaN.
  template <class T>
  void save_bytes(const char* name, const T* values, std::size_t count) {
    put_name(name);
    put(head(bytes_kind, count * sizeof(T)));
    if (count > 0) put({reinterpret_cast<const char*>(values), count * sizeof(T)});
  }

  /// Numbers that were saved as bytes.
  template <class T, class Resize>
  void restore_bytes(const char* name, Resize resized) {
    const Json& found = find(name);
    if (!found.is_binary()) refuse(name);
    const auto& bytes = found.get_binary();
    if (bytes.size() % sizeof(T) != 0) {
      throw RunError(fmt::format("'{}' of the checkpoint is cut off", name));
    }
    T* const to = resized(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  }

  template <class T>
  void list(const char* name, std::vector<T>& values) {
    if (saving) return save_bytes(name, values.data(), values.size());
    restore_bytes<T>(name, [&](std::size_t count) {
      values.resize(count);
      return values.data();
    });
  }
};

Archive::Archive() : Archive(Taker()) {}

Archive::Archive(Taker take) : content_(std::make_unique<Content>()) {
  content_->take = std::move(take);
  content_->put({&kOpenMap, 1});
}

Archive::Archive(const std::string& bytes) : content_(std::make_unique<Content>()) {
  content_->saving = false;
  content_->root = parse_cbor(bytes);
  if (!content_->root.is_object()) throw RunError("the checkpoint cannot be read");
}

Archive::~Archive() = default;

bool Archive::is_saving() const {
  return content_->saving;
}

void Archive::finish() {
  content_->put({&kEnd, 1});
}

std::string Archive::bytes() const {
  return content_->kept + kEnd;
}

void Archive::operator()(const char* name, bool& value) {
  content_->plain(name, value);
}

void Archive::operator()(const char* name, std::int64_t& value) {
  content_->plain(name, value);
}

void Archive::operator()(const char* name, std::uint64_t& value) {
  content_->plain(name, value);
}

void Archive::operator()(const char* name, std::string& value) {
  content_->plain(name, value);
}

void Archive::operator()(const char* name, std::vector<std::string>& values) {
  content_->plain(name, values);
}

void Archive::operator()(const char* name, std::vector<std::int64_t>& values) {
  content_->list(name, values);
}

void Archive::operator()(const char* name, std::vector<double>& values) {
  content_->list(name, values);
}

/// As bytes, since JSON has no NaN and no infinity.
void Archive::operator()(const char* name, double& value) {
  std::vector<double> one = {value};
  content_->list(name, one);
  if (one.size() != 1) throw RunError(fmt::format("'{}' of the checkpoint is not a number", name));
  value = one[0];
}

void Archive::operator()(const char* name, Vector& values) {
  const auto count = static_cast<std::size_t>(values.size());
  if (content_->saving) return content_->save_bytes(name, values.data(), count);
  content_->restore_bytes<double>(name, [&](std::size_t found) {
    values.resize(static_cast<Index>(found));
    return values.data();
  });
}

void Archive::operator()(const char* name, Matrix& values) {
  enter(name);
  Index rows = values.rows();
  (*this)("rows", rows);
  if (content_->saving) {
    content_->save_bytes("entries", values.data(), static_cast<std::size_t>(values.size()));
  } else {
    content_->restore_bytes<double>("entries", [&](std::size_t count) {
      const auto size = static_cast<Index>(count);
      if (rows < 0 || (rows == 0 ? size > 0 : size % rows != 0)) {
        throw RunError(fmt::format("'{}' of the checkpoint is not a matrix", name));
      }
      values.resize(rows, rows > 0 ? size / rows : 0);
      return values.data();
    });
  }
  leave();
}

void Archive::embed(const char* name, std::string_view archive_bytes) {
  content_->put_name(name);
  content_->put(archive_bytes);
}

template <class Value>
void Archive::by_name(const char* name, std::map<std::string, Value>& values) {
  enter(name);
  std::vector<std::string> names;
  for (const auto& entry : values) names.push_back(entry.first);
  (*this)("names", names);
  if (!is_saving()) values.clear();
  for (const std::string& own : names) (*this)(("of " + own).c_str(), values[own]);
  leave();
}

void Archive::operator()(const char* name, std::map<std::string, double>& numbers) {
  by_name(name, numbers);
}

void Archive::operator()(const char* name, std::map<std::string, std::vector<double>>& lists) {
  by_name(name, lists);
}

void Archive::enter(const char* name) {
  if (!content_->saving) return content_->path.push_back(&content_->find(name));
  content_->put_name(name);
  content_->put({&kOpenMap, 1});
}

void Archive::leave() {
  content_->saving ? content_->put({&kEnd, 1}) : content_->path.pop_back();
}

}  // namespace gadwall
