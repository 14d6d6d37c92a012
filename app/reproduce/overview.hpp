// One measure of all methods on all problems: what the page of `beyond` begins with.
#pragma once

#include <string>
#include <vector>

#include "reproduce/result_table.hpp"

namespace gadwall::app::reproduce {

struct Overview {
  struct Row {
    std::string method;
    std::vector<std::string> cells;  // one a problem; empty where the method was not run
  };
  std::string title;
  std::vector<std::string> problems;
  std::vector<Row> rows;
};

/// One for each kind of ESS per second and per gradient; none where no table goes beyond the paper.
std::vector<Overview> overviews(const std::vector<ResultTable>& tables);

/// How cells are marked.
std::string overview_note();

/// Of all overviews; empty where there are none.
std::string overview_markdown(const std::vector<ResultTable>& tables);

}  // namespace gadwall::app::reproduce
