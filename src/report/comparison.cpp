// Standardised differences of means between runs.
#include "report/comparison.hpp"

#include <cmath>
#include <unordered_map>

namespace gadwall::report {
namespace {

using Places = std::unordered_map<std::string, std::size_t>;

Places places_of(const Summary& summary) {
  Places places;
  for (std::size_t j = 0; j < summary.parameters.size(); ++j) {
    places.emplace(summary.parameters[j].name, j);
  }
  return places;
}

Json compare(const Summary& base, const Places& places, const Summary& other) {
  Json data = {{"base", Json::array()},
               {"other", Json::array()},
               {"z", Json::array()},
               {"sd_ratio", Json::array()}};
  for (std::size_t k = 0; k < other.parameters.size(); ++k) {
    const auto place = places.find(other.parameters[k].name);
    if (place == places.end()) continue;
    const ParameterDiagnostics& a = base.parameters[place->second].values;
    const ParameterDiagnostics& b = other.parameters[k].values;
    data["base"].push_back(place->second);
    data["other"].push_back(k);
    data["z"].push_back((b.mean - a.mean) / std::hypot(a.mcse_mean, b.mcse_mean));
    data["sd_ratio"].push_back(b.sd / a.sd);
  }
  return data;
}

}  // namespace

Json comparison_data(const std::vector<Summary>& summaries) {
  if (summaries.size() < 2) return nullptr;
  const Places places = places_of(summaries.front());
  Json data = Json::array();
  for (std::size_t r = 1; r < summaries.size(); ++r) {
    data.push_back(compare(summaries.front(), places, summaries[r]));
  }
  return data;
}

}  // namespace gadwall::report
