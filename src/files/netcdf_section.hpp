// The draws of one phase in a NetCDF file: groups of values and a group of statistics that grow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "files/netcdf_chunk.hpp"
#include "files/netcdf_file.hpp"
#include "files/netcdf_objects.hpp"

namespace gadwall::files {

/// The group, or the one for warm-up.
std::string in_phase(Phase phase, const std::string& group);
std::string values_group(Phase phase);
std::string statistics_group(Phase phase);

/// Datasets are written a chunk at a time: (one chain, a block of draws, everything of a draw).
/// The rows of a chunk that is not full stay in memory, so that it can be written again.
class NetcdfSection {
 public:
  /// The groups, without draws.
  static NetcdfSection create(hid_t root, Phase phase, const NetcdfSchema& schema);

  /// Goes on after so many rows; those that follow are cut off.
  static NetcdfSection open(hid_t root, Phase phase, Index rows);

  void append(Index chain, const DrawBlock& block);

  /// Writes the rows that all chains have and that fill no chunk yet.
  void write_rest();

  Index rows() const { return rows_; }

 private:
  struct Variable {
    Hdf5Id dataset;
    hid_t type;
    std::size_t element_size;
    bool is_shuffled;
    bool is_statistic;
    std::vector<Index> columns;
  };
  struct Pending {  // of one chain: its rows from full_rows_ on
    std::vector<double> values;
    std::vector<double> statistics;
  };

  /// The dimensions of a group; of one that was there already only the draws, which grow.
  struct GroupOfDraws {
    Hdf5Id group;
    Hdf5Id chain;
    Hdf5Id draw;
  };

  const GroupOfDraws& create_draws(hid_t root, const std::string& name);
  void open_draws(hid_t root, const std::string& name);
  Hdf5Id create_values(const GroupOfDraws& parent, const VariableLayout& variable);
  void create_statistics(hid_t root, Phase phase, const std::vector<Statistic>& statistics);
  void add(Hdf5Id dataset, hid_t type, bool is_statistic, std::vector<Index> columns);
  std::span<const char> compress(const Variable& variable);
  void resize(Index rows);
  void write_block(Index first, Index rows);
  void write_draw_labels(Index rows);
  /// Rows that wait in the chain from `first` on, to the start of chunk_.
  struct PendingRows {
    const Pending& chain;
    Index first;
    Index count;
  };
  void gather(const Variable& variable, const PendingRows& rows);
  void check_shapes(Index rows);
  void load_rest(const Variable& variable, Index chain);
  Index common_rows() const;

  Index dim_ = 0;
  Index statistics_ = 0;  // of a draw
  Index block_ = 1;       // draws in a chunk
  Index full_rows_ = 0;   // in full chunks
  Index rows_ = 0;        // on file
  std::vector<Variable> variables_;
  std::map<std::string, GroupOfDraws> groups_;
  std::vector<Pending> pending_;  // by chain
  std::vector<char> chunk_;
  ChunkCompressor compressor_;
};

}  // namespace gadwall::files
