// The repeats of one method as a row of a table, beside the paper's row.
#pragma once

#include <string>
#include <vector>

#include "reproduce/paper_tables.hpp"
#include "reproduce/repeat.hpp"

namespace gadwall::app::reproduce {

/// Over the repeats; the sd has divisor N - 1 and is NaN for one repeat.
struct MeanAndSd {
  double mean = 0;
  double sd = 0;
};

struct RowSummary {
  std::string method;
  std::vector<Repeat> repeats;
  double scale = 1;
  const PaperRow* paper = nullptr;  // nullptr where it prints none
  bool best_hmc = false;            // of several, by smallest ESS per second
  bool shown = true;                // in the table for people: of HMC the best and the paper's
  std::size_t left_out = 0;         // repeats that were kept with other settings than the first

  MeanAndSd seconds;
  MeanAndSd acceptance;
  MeanAndSd ess_min;
  MeanAndSd ess_median;
  MeanAndSd ess_max;
  MeanAndSd ess_worst;
  MeanAndSd ess_per_second;  // mean of the ratios, as in the paper
  MeanAndSd worst_per_second;
  MeanAndSd ess_per_gradient;
  MeanAndSd worst_per_gradient;
};

MeanAndSd mean_and_sd(const std::vector<double>& values);

/// At least one repeat, all of the same lengths.
RowSummary summarise_row(std::vector<Repeat> repeats);

/// Of several HMC marks the best and leaves out the others that the paper does not print.
void choose_hmc(std::vector<RowSummary>& rows);

/// A figure of the table: where it is in our row and in the paper's.
struct Column {
  const char* key;
  const char* title;
  MeanAndSd RowSummary::*ours;
  double PaperRow::*paper;     // nullptr: the paper has no such column
  double PaperRow::*paper_sd;  // nullptr: printed without
  bool grows;                  // with the length of the run: a shortened row is compared with
                               // so much of the paper's value
  double factor = 1;           // that people read it with

  double paper_value(const RowSummary& row) const;  // NaN where there is none
  double ratio(const RowSummary& row) const;        // ours / paper's
};

const std::vector<Column>& table_columns(const Experiment& experiment);

}  // namespace gadwall::app::reproduce
