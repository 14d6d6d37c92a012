// Vega specifications, put together from a few parts.
#include "report/plots.hpp"

namespace gadwall::report {
namespace {

Json field(const char* name, const char* scale) {
  return {{"scale", scale}, {"field", name}};
}

Json data_set(const char* name) {
  return {{"name", name}, {"values", Json::array()}};
}

/// What every plot has: its size is set by the page.
Json empty_plot() {
  return {{"$schema", "https://vega.github.io/schema/vega/v5.json"},
          {"width", 320},
          {"height", 180},
          {"autosize", {{"type", "fit"}, {"contains", "padding"}}},
          {"padding", 4},
          {"signals", Json::array()},
          {"data", Json::array()},
          {"scales", Json::array()},
          {"axes", Json::array()},
          {"marks", Json::array()}};
}

Json linear(const char* name, const char* range, const Json& fields, bool zero) {
  return {{"name", name},
          {"type", "linear"},
          {"range", range},
          {"zero", zero},
          {"nice", std::string(range) == "height"},
          {"domain", {{"fields", fields}}}};
}

Json in(const char* data, const char* name) {
  return {{"data", data}, {"field", name}};
}

Json series_colour() {
  return {{"name", "colour"},
          {"type", "ordinal"},
          {"range", "category"},
          {"domain", {{"signal", "series"}}}};
}

Json series_signal() {
  return {{"name", "series"}, {"value", Json::array()}};
}

Json axis(const char* orient, const char* scale, const std::string& title) {
  Json result = {{"orient", orient}, {"scale", scale}, {"tickCount", 4}};
  if (!title.empty()) result["title"] = title;
  return result;
}

Json legend() {
  return {{"fill", "colour"},       {"orient", "top"}, {"direction", "horizontal"},
          {"symbolType", "circle"}, {"columns", 8},    {"symbolSize", 60},
          {"symbolStrokeWidth", 0}, {"offset", 4}};
}

Json levels_mark(const char* scale) {
  return {{"type", "rule"},
          {"from", {{"data", "levels"}}},
          {"style", "level"},
          {"encode",
           {{"update",
             {{"x", {{"value", 0}}},
              {"x2", {{"signal", "width"}}},
              {"y", field("y", scale)},
              {"strokeDash", {{"value", {4, 3}}}}}}}}};
}

Json bands_mark() {
  return {{"type", "rect"},
          {"from", {{"data", "bands"}}},
          {"style", "band"},
          {"encode",
           {{"update",
             {{"x", field("from", "x")},
              {"x2", field("to", "x")},
              {"y", {{"value", 0}}},
              {"y2", {{"signal", "height"}}}}}}}};
}

/// One line a series; gaps where y is null.
Json lines_mark() {
  const Json line = {{"type", "line"},
                     {"from", {{"data", "one_series"}}},
                     {"style", "series"},
                     {"encode",
                      {{"update",
                        {{"x", field("x", "x")},
                         {"y", field("y", "y")},
                         {"defined", {{"signal", "isValid(datum.y)"}}},
                         {"stroke", field("series", "colour")}}}}}};
  return {{"type", "group"},
          {"clip", true},
          {"from", {{"facet", {{"name", "one_series"}, {"data", "lines"}, {"groupby", "series"}}}}},
          {"encode",
           {{"update", {{"width", {{"signal", "width"}}}, {"height", {{"signal", "height"}}}}}}},
          {"marks", Json::array({line})}};
}

Json points_mark(const char* data, const char* style) {
  return {
      {"type", "symbol"},
      {"from", {{"data", data}}},
      {"style", style},
      {"encode",
       {{"update",
         {{"x", field("x", "x")}, {"y", field("y", "y")}, {"fill", field("series", "colour")}}}}}};
}

/// One group a series, at its place in scale "row", with bars on a scale of its height.
Json bar_groups() {
  const Json y = {{"name", "y"},
                  {"type", "linear"},
                  {"zero", true},
                  {"range", {{{"signal", "bandwidth('row')"}}, 0}},
                  {"domain", {{"fields", {in("bars", "y"), in("levels", "y")}}}}};
  const Json bar = {{"type", "rect"},
                    {"from", {{"data", "one_series"}}},
                    {"style", "bar"},
                    {"encode",
                     {{"update",
                       {{"x", field("x", "x")},
                        {"width", {{"scale", "x"}, {"band", 1}}},
                        {"y", field("y", "y")},
                        {"y2", {{"scale", "y"}, {"value", 0}}},
                        {"fill", field("series", "colour")}}}}}};
  return {{"type", "group"},
          {"from", {{"facet", {{"name", "one_series"}, {"data", "bars"}, {"groupby", "series"}}}}},
          {"encode",
           {{"update",
             {{"y", field("series", "row")},
              {"width", {{"signal", "width"}}},
              {"height", {{"signal", "bandwidth('row')"}}}}}}},
          {"scales", Json::array({y})},
          {"marks", {bar, levels_mark("y")}}};
}

}  // namespace

Json line_plot(const AxisTitles& titles, const LineStyle& style) {
  Json spec = empty_plot();
  spec["signals"] = Json::array({series_signal()});
  spec["data"] = {data_set("lines"), data_set("levels"), data_set("bands")};
  Json x = linear("x", "width", {in("lines", "x"), in("bands", "from")}, false);
  x["nice"] = false;
  spec["scales"] = {x, linear("y", "height", {in("lines", "y"), in("levels", "y")}, style.zero),
                    series_colour()};
  spec["axes"] = Json::array({axis("bottom", "x", titles.x)});
  if (style.heights) spec["axes"].push_back(axis("left", "y", titles.y));
  if (style.legend) spec["legends"] = Json::array({legend()});
  spec["marks"] = {bands_mark(), levels_mark("y"), lines_mark()};
  if (style.points) spec["marks"].push_back(points_mark("lines", "dot"));
  return spec;
}

Json bar_rows(const AxisTitles& titles) {
  Json spec = empty_plot();
  spec["signals"] = Json::array({series_signal()});
  spec["data"] = {data_set("bars"), data_set("levels")};
  const Json rows = {{"name", "row"},
                     {"type", "band"},
                     {"range", "height"},
                     {"paddingInner", 0.18},
                     {"domain", {{"signal", "series"}}}};
  const Json x = {{"name", "x"},
                  {"type", "band"},
                  {"range", "width"},
                  {"paddingInner", 0.08},
                  {"domain", in("bars", "x")}};
  spec["scales"] = {rows, x, series_colour()};
  Json bottom = axis("bottom", "x", titles.x);
  bottom["labels"] = false;
  bottom["ticks"] = false;
  Json left = axis("left", "row", titles.y);
  left["grid"] = false;
  left["ticks"] = false;
  left["domain"] = false;
  spec["axes"] = {bottom, left};
  spec["marks"] = Json::array({bar_groups()});
  return spec;
}

Json scatter_plot(const AxisTitles& titles) {
  Json spec = empty_plot();
  spec["signals"] = {series_signal(),
                     {{"name", "x_title"}, {"value", titles.x}},
                     {{"name", "y_title"}, {"value", titles.y}}};
  spec["data"] = {data_set("points"), data_set("marked")};
  Json x = linear("x", "width", {in("points", "x"), in("marked", "x")}, false);
  x["nice"] = true;
  spec["scales"] = {x, linear("y", "height", {in("points", "y"), in("marked", "y")}, false),
                    series_colour()};
  Json bottom = axis("bottom", "x", "");
  bottom["title"] = {{"signal", "x_title"}};
  Json left = axis("left", "y", "");
  left["title"] = {{"signal", "y_title"}};
  spec["axes"] = {bottom, left};
  const Json crosses = {
      {"type", "symbol"},
      {"from", {{"data", "marked"}}},
      {"style", "marked"},
      {"encode",
       {{"update",
         {{"shape", {{"value", "cross"}}}, {"x", field("x", "x")}, {"y", field("y", "y")}}}}}};
  spec["marks"] = {points_mark("points", "cloud"), crosses};
  return spec;
}

Json dot_plot(const AxisTitles& titles) {
  Json spec = empty_plot();
  spec["signals"] = {series_signal(), {{"name", "names"}, {"value", Json::array()}}};
  spec["data"] = {data_set("points"), data_set("levels")};
  spec["scales"] = {linear("x", "width", Json::array({in("points", "x")}), false),
                    linear("y", "height", {in("points", "y"), in("levels", "y")}, false),
                    series_colour()};
  Json bottom = axis("bottom", "x", titles.x);
  bottom["tickMinStep"] = 1;
  bottom["labelOverlap"] = "greedy";
  bottom["labelLimit"] = 90;
  bottom["tickCount"] = {{"signal", "min(length(names) || 4, ceil(width / 90))"}};
  bottom["encode"]["labels"]["update"]["text"] = {
      {"signal", "length(names) > 0 ? names[datum.value - 1] || '' : datum.label"}};
  spec["axes"] = {bottom, axis("left", "y", titles.y)};
  spec["legends"] = Json::array({legend()});
  Json dots = points_mark("points", "dot");
  dots["encode"]["update"]["tooltip"] = {{"signal", "datum.name + ': ' + format(datum.y, '.3g')"}};
  spec["marks"] = {levels_mark("y"), dots};
  return spec;
}

Json interval_plot(const AxisTitles& titles) {
  Json spec = empty_plot();
  spec["data"] = Json::array({data_set("intervals")});
  Json x = linear("x", "width", {in("intervals", "low"), in("intervals", "high")}, false);
  x["nice"] = true;
  const Json row = {{"name", "row"},
                    {"type", "band"},
                    {"range", "height"},
                    {"padding", 0.2},
                    {"domain", in("intervals", "name")}};
  spec["scales"] = {x, row};
  Json left = axis("left", "row", titles.y);
  left["grid"] = false;
  left["ticks"] = false;
  left["labelLimit"] = 160;
  spec["axes"] = {axis("bottom", "x", titles.x), left};
  const Json middle = {{"scale", "row"}, {"field", "name"}, {"band", 0.5}};
  const Json rule = {
      {"type", "rule"},
      {"from", {{"data", "intervals"}}},
      {"style", "interval"},
      {"encode",
       {{"update", {{"x", field("low", "x")}, {"x2", field("high", "x")}, {"y", middle}}}}}};
  const Json dot = {
      {"type", "symbol"},
      {"from", {{"data", "intervals"}}},
      {"style", "interval_dot"},
      {"encode",
       {{"update",
         {{"x", field("middle", "x")},
          {"y", middle},
          {"tooltip",
           {{"signal",
             "datum.name + ': ' + format(datum.middle, '.4g') + ' (' + "
             "format(datum.low, '.4g') + ' to ' + format(datum.high, '.4g') + ')'"}}}}}}}};
  spec["marks"] = {rule, dot};
  return spec;
}

Json with_data(Json spec, const std::string& name, const Json& values) {
  for (Json& set : spec["data"]) {
    if (set["name"] == name) set["values"] = values;
  }
  return spec;
}

Json with_signal(Json spec, const std::string& name, const Json& value) {
  for (Json& signal : spec["signals"]) {
    if (signal["name"] == name) signal["value"] = value;
  }
  return spec;
}

}  // namespace gadwall::report
