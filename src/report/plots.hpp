// Plots as Vega specifications. Colours, fonts and grid lines are left to the configuration of the
// page, so that one specification serves light, dark and paper.
//
// A plot names its data sets; values are put in here by with_data, or in the page as they are
// chosen. https://vega.github.io/vega/docs/
#pragma once

#include <string>

#include "report/encode.hpp"

namespace gadwall::report {

struct AxisTitles {
  std::string x;
  std::string y;
};

struct LineStyle {
  bool legend = false;  // of the series, above the plot
  bool zero = false;    // the vertical axis includes 0
  bool points = false;  // marked on the lines
  bool heights = true;  // numbers on the vertical axis
};

/// "lines" {x, y, series}; "levels" {y}: dashed horizontal lines; "bands" {from, to}: shaded
/// stretches of x, such as the warm-up.
Json line_plot(const AxisTitles& titles, const LineStyle& style);

/// "bars" {x, y, series}: one row of bars a series, all on one scale; "levels" {y}.
Json bar_rows(const AxisTitles& titles);

/// "points" {x, y, series}; "marked" {x, y}: crosses on top. Signals: x_title, y_title.
Json scatter_plot(const AxisTitles& titles);

/// "points" {x, y, name, series}: one dot each, its name on hover; "levels" {y}. Signal: names, of
/// x = 1, 2, ..., which then stand on the axis instead of the numbers.
Json dot_plot(const AxisTitles& titles);

/// "intervals" {name, low, middle, high}: a line and a dot each, one below the other.
Json interval_plot(const AxisTitles& titles);

enum class Colours { diverging, sequential };

/// "grid": one record {width, height, values}, row by row from the top. Signals: limit (values are
/// coloured between -limit, or 0 for sequential colours, and limit), names (of rows and columns).
Json heat_map(Colours colours);

/// "grid" as above, in lines of equal height. Signals: levels (heights), x_range and y_range (what
/// the grid covers). "points" {x, y, series} go on top.
Json contour_plot(const AxisTitles& titles);

/// The specification with a signal set.
Json with_signal(Json spec, const std::string& name, const Json& value);

/// The specification with values in one of its data sets.
Json with_data(Json spec, const std::string& name, const Json& values);

/// The specifications that the page fills in, by name.
Json page_specs();

}  // namespace gadwall::report
