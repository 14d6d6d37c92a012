// Archives are CBOR: compact, self-describing, doubles bit for bit.
#include "gadwall/archive.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "gadwall/error.hpp"

namespace gadwall {

using Json = nlohmann::json;

struct Archive::Content {
  bool saving = true;
  Json root = Json::object();
  std::vector<Json*> path = {&root};  // the objects around the present one

  Json& here() { return *path.back(); }

  Json& find(const char* name) {
    const auto found = here().find(name);
    if (found == here().end()) throw RunError(fmt::format("the checkpoint has no '{}'", name));
    return *found;
  }

  /// Saves or restores a value that JSON itself knows.
  template <class T>
  void plain(const char* name, T& value) {
    if (saving) {
      here()[name] = value;
      return;
    }
    try {
      value = find(name).get<T>();
    } catch (const Json::exception&) {
      throw RunError(fmt::format("'{}' of the checkpoint is of another kind", name));
    }
  }

  /// Arrays are one string of bytes: small, quick, and exact also for NaN.
  template <class T>
  void save_bytes(const char* name, const T* values, std::size_t count) {
    std::vector<std::uint8_t> bytes(count * sizeof(T));
    if (count > 0) std::memcpy(bytes.data(), values, bytes.size());
    here()[name] = Json::binary(std::move(bytes));
  }

  const std::vector<std::uint8_t>& bytes_of(const Json& json, const char* name) {
    if (!json.is_binary()) {
      throw RunError(fmt::format("'{}' of the checkpoint is of another kind", name));
    }
    return json.get_binary();
  }

  template <class T>
  void list(const char* name, std::vector<T>& values) {
    if (saving) return save_bytes(name, values.data(), values.size());
    const auto& bytes = bytes_of(find(name), name);
    if (bytes.size() % sizeof(T) != 0) {
      throw RunError(fmt::format("'{}' of the checkpoint is cut off", name));
    }
    values.resize(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
};

Archive::Archive() : content_(std::make_unique<Content>()) {}

Archive::Archive(const std::string& bytes) : content_(std::make_unique<Content>()) {
  content_->saving = false;
  content_->root = Json::from_cbor(bytes, true, false);
  if (!content_->root.is_object()) throw RunError("the checkpoint cannot be read");
}

Archive::~Archive() = default;

bool Archive::is_saving() const {
  return content_->saving;
}

std::string Archive::bytes() const {
  std::string bytes;
  Json::to_cbor(content_->root, bytes);
  return bytes;
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
  std::vector<double> list(values.data(), values.data() + values.size());
  content_->list(name, list);
  if (!content_->saving) {
    values = Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size()));
  }
}

void Archive::operator()(const char* name, Matrix& values) {
  enter(name);
  Index rows = values.rows();
  (*this)("rows", rows);
  Vector entries = values.reshaped();
  (*this)("entries", entries);
  leave();
  if (content_->saving) return;
  if (rows < 0 || (rows == 0 ? entries.size() > 0 : entries.size() % rows != 0)) {
    throw RunError(fmt::format("'{}' of the checkpoint is not a matrix", name));
  }
  values = entries.reshaped(rows, rows > 0 ? entries.size() / rows : 0);
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
  if (content_->saving) content_->here()[name] = Json::object();
  content_->path.push_back(&content_->find(name));
}

void Archive::leave() {
  content_->path.pop_back();
}

}  // namespace gadwall
