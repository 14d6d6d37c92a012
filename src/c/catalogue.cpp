// What can be said to gadwall, as JSON; the version; the log.
#include <nlohmann/json.hpp>

#include "c/status.hpp"
#include "c/words.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/host.hpp"
#include "gadwall/targets.hpp"
#include "session/target_words.hpp"

using namespace gadwall;

namespace {

using Json = nlohmann::ordered_json;

template <class Table>
Json words_json(const Table& table) {
  Json all = Json::array();
  for (const auto& word : table) {
    all.push_back({{"name", word.name}, {"kind", word.kind}, {"help", word.help}});
  }
  return all;
}

Json option_json(const OptionInfo& info) {
  Json json = {{"name", info.name}, {"help", info.help}};
  std::visit([&](const auto& value) { json["default"] = value; }, info.fallback);
  if (!info.choices.empty()) json["choices"] = info.choices;
  return json;
}

Json samplers_json() {
  Json all = Json::array();
  for (const SamplerRow& row : samplers()) {
    Json options = Json::array();
    for (const OptionInfo& info : row.options) options.push_back(option_json(info));
    all.push_back({{"name", row.name},
                   {"summary", row.summary},
                   {"chains", row.chains},
                   {"warmup", row.warmup},
                   {"draws", row.draws},
                   {"options", options}});
  }
  return all;
}

Json targets_json() {
  Json all = Json::array();
  for (const TargetRow& row : targets()) {
    Json options = Json::array();
    for (const session::TargetWord& word : session::target_words()) {
      if (std::ranges::count(row.options, word.name) == 0) continue;
      options.push_back({{"name", word.name}, {"kind", word.kind}, {"help", word.help}});
    }
    all.push_back({{"name", row.name}, {"summary", row.summary}, {"options", options}});
  }
  return all;
}

std::string catalogue() {
  return Json({{"default_sampler", session::RunRequest{}.sampler},
               {"run", words_json(session::request_options())},
               {"output", words_json(c::output_words())},
               {"samplers", samplers_json()},
               {"targets", targets_json()}})
      .dump();
}

}  // namespace

int gadwall_interface(void) {
  return GADWALL_INTERFACE;
}

const char* gadwall_version(void) {
  return GADWALL_VERSION;
}

const char* gadwall_catalogue(void) {
  return c::guarded_text([] {
    static const std::string text = catalogue();
    return text.c_str();
  });
}

void gadwall_set_log(gadwall_log log, void* user) {
  c::guarded([&] {
    if (log == nullptr) return set_log({});
    set_log([log, user](MessageKind kind, const std::string& text) {
      if (kind == MessageKind::progress) return;  // for those who watch a terminal
      log(kind == MessageKind::warning ? 1 : 0, text.c_str(), user);
    });
  });
}
