// The files of a reproduction: a table as Markdown, CSV and JSON, figures as JSON, and the page.
#include "files/atomic_file.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/overview.hpp"
#include "reproduce/page.hpp"
#include "reproduce/reproduction.hpp"
#include "reproduce/result_table.hpp"

namespace gadwall::app::reproduce {
namespace {

/// Every subject, MNIST with both kinds of labels: in a subject of its own where the name says
/// which, else beside the other.
std::vector<Subject> all_subjects() {
  std::vector<Subject> all;
  for (const Subject& subject : subjects()) {
    all.push_back(subject);
    const Subject authors = with_authors_labels(subject);
    if (authors.name != subject.name) {
      all.push_back(authors);
      continue;
    }
    for (const Need& need : authors.needs) {
      if (need.experiment == "mnist-authors") all.back().needs.push_back(need);
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> Reproduction::write_subject(const Subject& subject) const {
  const auto file = [&](const char* ending) {
    return (options_.out / (subject.name + ending)).string();
  };
  if (!subject.is_table) {
    const report::Json sections = figure_sections(subject, store_);
    if (sections.empty()) return {};
    files::replace_file(file(".json"), sections.dump() + "\n");
    return {file(".json")};
  }
  const std::vector<ResultTable> tables = result_tables(subject, store_);
  if (tables.empty()) return {};
  files::replace_file(file(".md"), overview_markdown(tables) + to_markdown(tables));
  files::replace_file(file(".csv"), to_csv(tables));
  files::replace_file(file(".json"), to_json(tables).dump(1) + "\n");
  return {file(".md"), file(".csv"), file(".json")};
}

std::vector<std::string> Reproduction::write() const {
  std::vector<std::string> written;
  for (const Subject& subject : options_.subjects) {
    for (std::string& path : write_subject(subject)) written.push_back(std::move(path));
  }
  const std::string page = (options_.out / "index.html").string();
  files::replace_file(page, reproduction_page(all_subjects(), store_));
  written.push_back(page);
  return written;
}

}  // namespace gadwall::app::reproduce
