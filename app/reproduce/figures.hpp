// The paper's figures from the repeats that are kept, as data for the page.
#pragma once

#include "report/encode.hpp"
#include "reproduce/experiments.hpp"
#include "reproduce/repeat_store.hpp"

namespace gadwall::app::reproduce {

/// A list of sections {title, hint, figures}; a figure has a title, a note, the name of its plot
/// (figure_specs), and its data: "lines" {series, x, y}, "points" {series, x, y} or a "grid".
/// Empty where there is no repeat for it.
report::Json figure_sections(const Subject& subject, const RepeatStore& store);

/// Vega specifications by name.
report::Json figure_specs();

}  // namespace gadwall::app::reproduce
