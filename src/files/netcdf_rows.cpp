// Finds out whether the chunks are of our kind, and turns their rows into columns.
#include "files/netcdf_rows.hpp"

#include <algorithm>
#include <array>

namespace gadwall::files {
namespace {

constexpr Index kValuesAtOnce = Index{1} << 17;  // a megabyte stays in the cache on its way
constexpr hsize_t kLargestChunk = 1 << 26;       // bytes; larger ones are none of ours

std::vector<hsize_t> chunk_of(hid_t properties, std::size_t rank) {
  std::vector<hsize_t> chunk(rank, 1);
  if (H5Pget_layout(properties) != H5D_CHUNKED) return {};
  require(H5Pget_chunk(properties, static_cast<int>(rank), chunk.data()), "the chunks");
  return chunk;
}

/// The number of the filter, and its first parameter.
std::pair<H5Z_filter_t, unsigned> filter_at(hid_t properties, unsigned place) {
  unsigned flags = 0, first = 0;
  std::size_t count = 1;
  const H5Z_filter_t filter =
      H5Pget_filter2(properties, place, &flags, &count, &first, 0, nullptr, nullptr);
  return {filter, first};
}

/// Whether deflate is the only filter; or, `shuffled`, one after a shuffle of doubles.
bool is_deflated(hid_t properties, bool shuffled) {
  const unsigned deflate = shuffled ? 1 : 0;
  if (H5Pget_nfilters(properties) != static_cast<int>(deflate + 1)) return false;
  if (filter_at(properties, deflate).first != H5Z_FILTER_DEFLATE) return false;
  return !shuffled || filter_at(properties, 0) ==
                          std::pair<H5Z_filter_t, unsigned>(H5Z_FILTER_SHUFFLE, sizeof(double));
}

}  // namespace

RowReader::RowReader(Hdf5Id dataset) : dataset_(std::move(dataset)), extents_(extents(dataset_)) {
  for (std::size_t k = 2; k < extents_.size(); ++k) width_ *= static_cast<Index>(extents_[k]);
  chunks_ = own_chunks();
}

std::optional<RowReader::Chunks> RowReader::own_chunks() const {
  const Hdf5Id properties(H5Dget_create_plist(dataset_), "the chunks");
  const Hdf5Id type(H5Dget_type(dataset_), "a type");
  const std::vector<hsize_t> chunk = chunk_of(properties, extents_.size());
  const bool shuffled = is_deflated(properties, true);
  if (chunk.size() < 2 || chunk[0] != 1 || H5Tequal(type, H5T_NATIVE_DOUBLE) <= 0 ||
      !std::equal(chunk.begin() + 2, chunk.end(), extents_.begin() + 2) ||
      !(shuffled || is_deflated(properties, false))) {
    return std::nullopt;
  }
  const auto bytes = static_cast<hsize_t>(width_) * sizeof(double);
  if (bytes == 0 || chunk[1] > kLargestChunk / bytes) return std::nullopt;
  return Chunks{static_cast<Index>(chunk[1]), shuffled};
}

/// Empty where HDF5 has to see to it.
std::span<const double> RowReader::chunk_at(const Chunks& chunks, Index chain, Index first) {
  std::vector<hsize_t> offset(extents_.size(), 0);
  offset[0] = static_cast<hsize_t>(chain);
  offset[1] = static_cast<hsize_t>(first);
  hsize_t size = 0;
  std::uint32_t skipped_filters = 0;
  if (H5Dget_chunk_storage_size(dataset_, offset.data(), &size) < 0) return {};
  if (size == 0 || size > 2 * kLargestChunk) return {};
  compressed_.resize(size);
  const herr_t status =
      H5Dread_chunk(dataset_, H5P_DEFAULT, offset.data(), &skipped_filters, compressed_.data());
  if (status < 0 || skipped_filters != 0) return {};
  return expander_.expand(compressed_, static_cast<std::size_t>(chunks.rows * width_),
                          chunks.are_shuffled);
}

void RowReader::read_by_hdf5(Index chain, Index first, Index count, double* to, Index stride) {
  std::vector<hsize_t> start(extents_.size(), 0), counts = extents_;
  start[0] = static_cast<hsize_t>(chain);
  start[1] = static_cast<hsize_t>(first);
  counts[0] = 1;
  counts[1] = static_cast<hsize_t>(count);
  const Hdf5Id space(H5Dget_space(dataset_), "a selection");
  require(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr),
          "a selection");
  const Hdf5Id memory(H5Screate_simple(static_cast<int>(counts.size()), counts.data(), nullptr),
                      "a selection");
  std::vector<double> values(static_cast<std::size_t>(count * width_));
  require(H5Dread(dataset_, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), "draws");
  turn_rows(values, static_cast<std::size_t>(width_), to, static_cast<std::size_t>(stride));
}

void RowReader::read(Index chain, Index first, NetcdfRows& rows) {
  const bool is_inside =
      static_cast<hsize_t>(first) + static_cast<hsize_t>(rows.rows()) <= extents_[1];
  if (!chunks_ || !is_inside) {
    return read_by_hdf5(chain, first, rows.rows(), rows.data(), rows.rows());
  }
  for (Index done = 0; done < rows.rows();) {
    const Index at = first + done, within = at % chunks_->rows;
    const Index count = std::min(rows.rows() - done, chunks_->rows - within);
    const std::span<const double> chunk = chunk_at(*chunks_, chain, at - within);
    double* const to = rows.data() + done;
    if (chunk.empty()) {
      read_by_hdf5(chain, at, count, to, rows.rows());
    } else {
      turn_rows(chunk.subspan(static_cast<std::size_t>(within * width_),
                              static_cast<std::size_t>(count * width_)),
                static_cast<std::size_t>(width_), to, static_cast<std::size_t>(rows.rows()));
    }
    done += count;
  }
}

Index rows_together(hid_t dataset) {
  const Hdf5Id properties(H5Dget_create_plist(dataset), "the chunks");
  const std::vector<hsize_t> chunk = chunk_of(properties, extents(dataset).size());
  return chunk.empty() ? 1 : static_cast<Index>(chunk[1]);
}

Index rows_at_once(Index rows_together, Index width) {
  return std::max<Index>(kValuesAtOnce / std::max<Index>(width, 1) / rows_together, 1) *
         rows_together;
}

}  // namespace gadwall::files
