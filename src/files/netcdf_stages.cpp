// The stages of a run as a group of a NetCDF file, gadwall/stages: a table of the stages and a
// table of what their meetings found.
#include <fmt/format.h>

#include <limits>
#include <map>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "files/netcdf_facts.hpp"
#include "files/netcdf_texts.hpp"

namespace gadwall::files {
namespace {

const char* const kStages = "stages";

void write_column(hid_t group, const std::string& name, hid_t dimension,
                  const std::vector<std::string>& texts) {
  const Hdf5Id type = text_type();
  write_texts(create_variable(group, {name, type, {dimension}, {}}), texts);
}

/// One list for writing and reading.
template <class Stage, class Visit>
void visit_counts(Stage& stage, Visit visit) {
  visit("begin", stage.begin);
  visit("iterations", stage.iterations);
  visit("gradients", stage.gradients);
  visit("gradients_before", stage.gradients_before);
}

/// The notes of all stages, one per row.
struct NoteColumns {
  std::vector<double> stage, is_text, number;
  std::vector<std::string> name, text;
};

NoteColumns notes_of(const std::vector<StageFacts>& stages) {
  NoteColumns columns;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const Note& note : stages[s].notes) {
      const auto* text = std::get_if<std::string>(&note.value);
      columns.stage.push_back(static_cast<double>(s));
      columns.name.push_back(note.name);
      columns.is_text.push_back(text != nullptr ? 1 : 0);
      columns.text.push_back(text != nullptr ? *text : "");
      columns.number.push_back(text != nullptr ? std::numeric_limits<double>::quiet_NaN()
                                               : std::get<double>(note.value));
    }
  }
  return columns;
}

void write_notes(hid_t group, const NoteColumns& notes) {
  if (notes.name.empty()) return;  // NetCDF has no empty dimension
  const Hdf5Id note = create_dimension(group, "note", static_cast<Index>(notes.name.size()));
  write_values(group, {"note_stage", H5T_NATIVE_INT64, {note}, {}}, notes.stage.data());
  write_column(group, "note_name", note, notes.name);
  write_values(group, {"note_is_text", H5T_NATIVE_INT8, {note}, {}}, notes.is_text.data());
  write_values(group, {"note_number", H5T_NATIVE_DOUBLE, {note}, {}}, notes.number.data());
  write_column(group, "note_text", note, notes.text);
}

void read_notes(hid_t group, std::vector<StageFacts>& stages) {
  if (!has_link(group, "note")) return;
  const NoteColumns notes{read_values(group, "note_stage"), read_values(group, "note_is_text"),
                          read_values(group, "note_number"), read_texts(group, "note_name"),
                          read_texts(group, "note_text")};
  for (std::size_t i = 0; i < notes.name.size(); ++i) {
    Note note{notes.name[i], notes.number.at(i)};
    if (notes.is_text.at(i) != 0) note.value = notes.text.at(i);
    stages.at(static_cast<std::size_t>(notes.stage.at(i))).notes.push_back(std::move(note));
  }
}

}  // namespace

void write_stages(hid_t root, const std::vector<StageFacts>& stages) {
  if (stages.empty()) return;
  const Hdf5Id group = replaced_group(own_group(root), kStages);
  const Hdf5Id stage = create_dimension(group, "stage", static_cast<Index>(stages.size()));
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> counts;
  for (const StageFacts& facts : stages) {
    names.push_back(facts.name);
    visit_counts(facts, [&](const char* name, auto count) {
      counts[name].push_back(static_cast<double>(count));
    });
  }
  write_column(group, "name", stage, names);
  for (const auto& [name, column] : counts) {
    write_values(group, {name, H5T_NATIVE_INT64, {stage}, {}}, column.data());
  }
  write_notes(group, notes_of(stages));
}

std::vector<StageFacts> read_stages(hid_t root) try {
  std::vector<StageFacts> stages;
  if (!has_link(root, kOwnGroup)) return stages;
  const Hdf5Id own = own_group(root);
  if (!has_link(own, kStages)) return stages;
  const Hdf5Id group(H5Gopen2(own, kStages, H5P_DEFAULT), kStages);
  for (const std::string& name : read_texts(group, "name")) {
    stages.emplace_back().name = name;
  }
  StageFacts any;
  visit_counts(any, [&](const char* name, const auto&) {
    const std::vector<double> column = read_values(group, name);
    for (std::size_t s = 0; s < stages.size(); ++s) {
      visit_counts(stages[s], [&](const char* field, auto& count) {
        using Number = std::remove_reference_t<decltype(count)>;
        if (std::string_view(field) == name) count = static_cast<Number>(column.at(s));
      });
    }
  });
  read_notes(group, stages);
  return stages;
} catch (const std::out_of_range&) {
  throw Hdf5Error("the columns of the stages differ in length");
}

}  // namespace gadwall::files
