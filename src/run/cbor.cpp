#include "run/cbor.hpp"

namespace gadwall {
namespace {

using Json = nlohmann::json;

/// Passes over everything and gives up where it is nested too deeply.
class DepthGuard final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  static constexpr int kMost = 64;
  bool enter() { return ++depth_ <= kMost; }
  bool leave() {
    --depth_;
    return true;
  }
  int depth_ = 0;
};

}  // namespace

Json parse_cbor(std::string_view bytes) {
  DepthGuard guard;
  if (!Json::sax_parse(bytes, &guard, Json::input_format_t::cbor)) {
    return Json(Json::value_t::discarded);
  }
  return Json::from_cbor(bytes, true, false);
}

}  // namespace gadwall
