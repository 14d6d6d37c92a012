// Plots of a function on a grid: heat maps, images and contours.
#include "report/plots.hpp"

namespace gadwall::report {
namespace {

constexpr const char* kSchema = "https://vega.github.io/schema/vega/v5.json";

Json axis_of_names(const char* orient, const char* scale) {
  return {{"orient", orient},
          {"scale", scale},
          {"grid", false},
          {"ticks", false},
          {"domain", false},
          {"values", {{"signal", "length(names) > 24 ? [] : sequence(0.5, length(names))"}}},
          {"labelAngle", std::string(orient) == "bottom" ? -50 : 0},
          {"labelAlign", "right"},
          {"labelBaseline", std::string(orient) == "bottom" ? "top" : "middle"},
          {"labelLimit", 80},
          {"encode",
           {{"labels", {{"update", {{"text", {{"signal", "names[floor(datum.value)]"}}}}}}}}}};
}

/// The cell under the pointer: "row, column: value", or nothing.
Json hover_signals() {
  return {{{"name", "names"}, {"value", Json::array()}},
          {{"name", "limit"}, {"value", 1}},
          {{"name", "place"},
           {"value", nullptr},
           {"on",
            {{{"events", "mousemove"},
              {"update",
               "length(names) == 0 || x() < 0 || y() < 0 || x() >= width || y() >= height ? null "
               ": [floor(x() / width * length(names)), floor(y() / height * length(names))]"}},
             {{"events", "mouseout"}, {"update", "null"}}}}},
          {{"name", "told"},
           {"update",
            "place ? names[place[1]] + ', ' + names[place[0]] + ': ' + "
            "format(data('grid')[0].values[place[1] * length(names) + place[0]], '.3g') : ''"}}};
}

/// The picture over the whole plot, its cells with sharp edges.
Json image_mark() {
  return {{"type", "image"},
          {"from", {{"data", "picture"}}},
          {"encode",
           {{"update",
             {{"image", {{"field", "image"}}},
              {"x", {{"value", 0}}},
              {"y", {{"value", 0}}},
              {"width", {{"signal", "width"}}},
              {"height", {{"signal", "height"}}},
              {"aspect", {{"value", false}}},
              {"smooth", {{"value", false}}}}}}}};
}

}  // namespace

Json heat_map(Colours colours) {
  const bool diverging = colours == Colours::diverging;
  const Json heat = {
      {"type", "heatmap"}, {"color", {{"expr", "scale('colour', datum.$value)"}}}, {"opacity", 1}};
  const Json picture = {
      {"name", "picture"}, {"source", "grid"}, {"transform", Json::array({heat})}};
  const Json legend = {
      {"fill", "colour"}, {"type", "gradient"}, {"gradientThickness", 8}, {"tickCount", 3}};
  const Json whole = {{"signal", "[0, max(1, length(names))]"}};
  Json domain = {{"signal", diverging ? "[-limit, limit]" : "[0, limit]"}};
  return {{"$schema", kSchema},
          {"width", 260},
          {"height", 260},
          {"autosize", {{"type", "fit"}, {"contains", "padding"}}},
          {"padding", 4},
          {"signals", hover_signals()},
          {"title", {{"text", {{"signal", "told"}}}, {"anchor", "start"}, {"style", "told"}}},
          {"data", {{{"name", "grid"}, {"values", Json::array()}}, picture}},
          {"scales",
           {{{"name", "x"}, {"type", "linear"}, {"range", "width"}, {"domain", whole}},
            {{"name", "y"},
             {"type", "linear"},
             {"range", {0, {{"signal", "height"}}}},
             {"domain", whole}},
            {{"name", "colour"},
             {"type", "linear"},
             {"clamp", true},
             {"range", diverging ? "diverging" : "heatmap"},
             {"domain", domain}}}},
          {"axes", {axis_of_names("bottom", "x"), axis_of_names("left", "y")}},
          {"legends", Json::array({legend})},
          {"marks", Json::array({image_mark()})}};
}

Json contour_plot(const AxisTitles& titles) {
  Json spec = scatter_plot(titles);
  for (const char* name : {"x", "y"}) {
    const std::string range = std::string(name) + "_range";
    spec["signals"].push_back({{"name", range}, {"value", {0, 1}}});
    for (Json& scale : spec["scales"]) {
      if (scale["name"] != name) continue;
      scale["domain"] = {{"signal", range}};
      scale["nice"] = false;
    }
  }
  spec["signals"].push_back({{"name", "levels"}, {"value", Json::array()}});
  const Json isolines = {{"type", "isocontour"},
                         {"thresholds", {{"signal", "levels"}}},
                         {"scale", {{"expr", "[width / datum.width, height / datum.height]"}}},
                         {"as", "line"}};
  spec["data"].push_back({{"name", "grid"}, {"values", Json::array()}});
  spec["data"].push_back(
      {{"name", "isolines"}, {"source", "grid"}, {"transform", Json::array({isolines})}});
  const Json outline = {{"type", "geoshape"}, {"field", "datum.line"}};
  const Json lines = {{"type", "shape"},
                      {"from", {{"data", "isolines"}}},
                      {"style", "contour"},
                      {"clip", true},
                      {"transform", Json::array({outline})}};
  spec["marks"].insert(spec["marks"].begin(), lines);
  return spec;
}

}  // namespace gadwall::report
