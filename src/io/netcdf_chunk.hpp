// Compresses the chunks of a dataset the way HDF5's shuffle and deflate filters expect them.
#pragma once

#include <libdeflate.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace gadwall {

class ChunkCompressor {
 public:
  ChunkCompressor();

  /// Byte k of all elements, then byte k + 1, ..., in zlib's format. Valid until the next call.
  /// A row is what one draw takes.
  std::span<const char> compress(std::span<const char> chunk, std::size_t element_size);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const {
      libdeflate_free_compressor(compressor);
    }
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<char> shuffled_;
  std::vector<char> compressed_;
};

}  // namespace gadwall
