// Draws of one chain and one variable out of an open file.
#pragma once

#include <optional>
#include <vector>

#include "files/netcdf_chunk.hpp"
#include "files/netcdf_objects.hpp"

namespace gadwall::files {

/// One draw per row; the draws of one value lie together.
using NetcdfRows = Matrix;

/// Chunks of the kind that NetcdfSection writes are expanded and turned here, which takes a third
/// of the time that HDF5 takes; HDF5 reads everything else, and says what is wrong with it.
class RowReader {
 public:
  explicit RowReader(Hdf5Id dataset);

  /// Draws first, first + 1, ... of the chain, as many as there are rows.
  void read(Index chain, Index first, NetcdfRows& rows);

  /// Of a draw.
  Index width() const { return width_; }

 private:
  struct Chunks {
    Index rows = 0;
    bool are_shuffled = false;
  };
  std::optional<Chunks> own_chunks() const;
  std::span<const double> chunk_at(const Chunks& chunks, Index chain, Index first);
  void read_by_hdf5(Index chain, Index first, Index count, double* to, Index stride);

  Hdf5Id dataset_;
  std::vector<hsize_t> extents_;  // chains, draws, and of a draw
  Index width_ = 1;
  std::optional<Chunks> chunks_;
  ChunkExpander expander_;
  std::vector<char> compressed_;
};

/// How many rows of a chain lie together in the file.
Index rows_together(hid_t dataset);

/// How many rows of this width to read at a time: whole pieces, so that none is read twice.
Index rows_at_once(Index rows_together, Index width);

}  // namespace gadwall::files
