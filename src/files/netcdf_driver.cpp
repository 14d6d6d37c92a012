// HDF5 on a journaled file: the functions of the virtual file driver.
#include "files/netcdf_driver.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace gadwall::files {
namespace {

/// What the access list carries to open_file.
struct Access {
  JournaledFile* file;
};

/// HDF5 may keep a damaged file open until the program ends, so the driver owns what it works on.
struct DriverFile {
  H5FD_t common;  // HDF5's own part comes first
  std::shared_ptr<JournaledFile> file;
  haddr_t end_of_allocation;
};

DriverFile& own(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}
const DriverFile& own(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* given = static_cast<const Access*>(H5Pget_driver_info(access));
  if (given == nullptr) return nullptr;
  auto* opened = new (std::nothrow) DriverFile{};
  if (opened != nullptr) opened->file = given->file->shared_from_this();
  return reinterpret_cast<H5FD_t*>(opened);
}

herr_t close_file(H5FD_t* file) {
  delete &own(file);
  return 0;
}

int compare(const H5FD_t* left, const H5FD_t* right) {
  return own(left).file == own(right).file ? 0 : own(left).file < own(right).file ? -1 : 1;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE |
           H5FD_FEAT_SUPPORTS_SWMR_IO;  // H5Fget_eoa asks for it; nothing else here uses it
  return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return own(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  own(file).end_of_allocation = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return own(file).file->size();
}

std::uint64_t whole_number_at(const char* bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

/// HDF5 1.10 goes from object to object of a heap, where texts of any length are kept, by the sizes
/// that these claim: one of none, or beyond the end, sends it in circles. A heap: GCOL, version,
/// its size in bytes 8 to 15; then objects: number (0: the free rest, whose size counts its header)
/// in 2 bytes, 6 bytes more, the size in 8.
constexpr std::size_t kHeapHeader = 16;

bool begins_heap(const char* bytes, std::size_t count) {
  return count >= kHeapHeader && std::memcmp(bytes, "GCOL\1", 5) == 0;
}

bool has_end(const std::vector<char>& heap) {
  const std::uint64_t size = heap.size();
  for (std::uint64_t at = kHeapHeader; at + kHeapHeader <= size;) {
    const bool is_free = heap[at] == 0 && heap[at + 1] == 0;
    const std::uint64_t claimed = whole_number_at(heap.data() + at + 8);
    if (claimed > size) return false;
    const std::uint64_t length = is_free ? claimed : kHeapHeader + (claimed + 7) / 8 * 8;
    if (length < kHeapHeader || length > size - at) return false;
    at += length;
  }
  return true;
}

/// HDF5 reads the beginning of a heap first, and the rest for itself.
bool is_endless_heap(const JournaledFile& file, haddr_t offset, const char* begin) {
  const std::uint64_t size = whole_number_at(begin + 8);
  if (offset > file.size() || size > file.size() - offset) return true;
  std::vector<char> heap(size);
  file.read(offset, heap.data(), size);
  return !has_end(heap);
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t count, void* bytes) {
  const JournaledFile& content = *own(file).file;
  auto* const to = static_cast<char*>(bytes);
  content.read(offset, to, count);
  return begins_heap(to, count) && is_endless_heap(content, offset, to) ? -1 : 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t count,
                   const void* bytes) {
  if (!own(file).file->is_writable()) return -1;
  own(file).file->write(offset, static_cast<const char*>(bytes), count);
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  own(file).file->resize(own(file).end_of_allocation);
  return 0;
}

hid_t register_driver() {
  static H5FD_class_t driver = [] {
    H5FD_class_t functions = {};
    functions.name = "gadwall_journaled";
    functions.maxaddr = static_cast<haddr_t>(1) << 62;
    functions.fc_degree = H5F_CLOSE_STRONG;
    functions.fapl_size = sizeof(Access);
    functions.open = open_file;
    functions.close = close_file;
    functions.cmp = compare;
    functions.query = query;
    functions.get_eoa = end_of_allocation;
    functions.set_eoa = set_end_of_allocation;
    functions.get_eof = end_of_file;
    functions.read = read_bytes;
    functions.write = write_bytes;
    functions.truncate = truncate_file;
    const H5FD_mem_t one_list[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(one_list), std::end(one_list), std::begin(functions.fl_map));
    return functions;
  }();
  return H5FDregister(&driver);
}

}  // namespace

hid_t journaled_access(JournaledFile& file) {
  static const hid_t driver = register_driver();
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  const Access given{&file};
  H5Pset_driver(access, driver, &given);
  // The format of HDF5 1.8: large attributes are possible, no mark says that a writer is there.
  if (file.is_writable()) H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  return access;
}

}  // namespace gadwall::files
