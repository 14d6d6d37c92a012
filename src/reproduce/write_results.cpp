// The files of a reproduction: a table as Markdown, CSV and JSON, figures as JSON, and the page.
#include "io/atomic_file.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/page.hpp"
#include "reproduce/reproduction.hpp"
#include "reproduce/result_table.hpp"

namespace gadwall {
namespace {

/// Every subject, MNIST with both kinds of labels.
std::vector<Subject> all_subjects() {
  std::vector<Subject> all;
  for (const Subject& subject : subjects()) {
    all.push_back(subject);
    const Subject authors = with_authors_labels(subject);
    if (authors.name != subject.name) {
      all.push_back(authors);
    } else if (authors.needs.back().experiment != subject.needs.back().experiment) {
      all.back().needs.push_back(authors.needs.back());
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
    const Json sections = figure_sections(subject, store_);
    if (sections.empty()) return {};
    replace_file(file(".json"), sections.dump() + "\n");
    return {file(".json")};
  }
  std::vector<ResultTable> tables;
  for (const Need& need : subject.needs) {
    tables.push_back(result_table(find_experiment(need.experiment), store_));
    if (tables.back().rows.empty()) tables.pop_back();
  }
  if (tables.empty()) return {};
  replace_file(file(".md"), to_markdown(tables));
  replace_file(file(".csv"), to_csv(tables));
  replace_file(file(".json"), to_json(tables).dump(1) + "\n");
  return {file(".md"), file(".csv"), file(".json")};
}

std::vector<std::string> Reproduction::write() const {
  std::vector<std::string> written;
  for (const Subject& subject : options_.subjects) {
    for (std::string& path : write_subject(subject)) written.push_back(std::move(path));
  }
  const std::string page = (options_.out / "index.html").string();
  replace_file(page, reproduction_page(all_subjects(), store_));
  written.push_back(page);
  return written;
}

}  // namespace gadwall
