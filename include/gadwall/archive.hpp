// Everything that evolves in a run, as named values that can be saved and restored.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// One function of an object names its values, for both directions, so that what is restored is
/// what was saved:
///
///   void MyAdapter::archive(Archive& a) {
///     a("beta", beta_);
///     a("second moment", second_moment_);
///   }
///
/// Numbers come back bit for bit.
class Archive {
 public:
  /// To be filled.
  Archive();
  /// To be filled; what is saved is passed on at once, so that large matrices are not kept twice,
  /// and is whole after finish().
  using Taker = std::function<void(std::string_view bytes)>;
  explicit Archive(Taker take);
  /// To be read from; RunError where the bytes are not what an archive gave.
  explicit Archive(const std::string& bytes);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  bool is_saving() const;
  void finish();
  std::string bytes() const;  // of one that passes nothing on

  /// A value that is missing, or of another kind, is a RunError that names it.
  void operator()(const char* name, bool& value);
  void operator()(const char* name, double& value);
  void operator()(const char* name, std::int64_t& value);
  void operator()(const char* name, std::uint64_t& value);
  void operator()(const char* name, std::string& value);
  void operator()(const char* name, std::vector<std::string>& values);
  void operator()(const char* name, std::vector<std::int64_t>& values);
  void operator()(const char* name, std::vector<double>& values);
  void operator()(const char* name, Vector& values);
  void operator()(const char* name, Matrix& values);
  void operator()(const char* name, std::map<std::string, double>& numbers);
  void operator()(const char* name, std::map<std::string, std::vector<double>>& lists);

  /// What an archive of another process holds, as an object under a name of its own; saving only.
  void embed(const char* name, std::string_view archive_bytes);

  /// An object with a member archive(Archive&), under a name of its own.
  template <class T>
  requires requires(T& t, Archive& a) { t.archive(a); }
  void operator()(const char* name, T& object) {
    enter(name);
    object.archive(*this);
    leave();
  }

 private:
  template <class Value>
  void by_name(const char* name, std::map<std::string, Value>& values);
  void enter(const char* name);
  void leave();

  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace gadwall
