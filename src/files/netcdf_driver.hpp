// HDF5 on a journaled file: a virtual file driver, so that a flush is seen whole or not at all.
#pragma once

#include <hdf5.h>

#include "files/netcdf_journal.hpp"

namespace gadwall::files {

/// A file access list (the caller closes it) with which H5Fcreate and H5Fopen work on the file,
/// whatever name they are given; the file must be owned by a shared_ptr. Nothing is durable before
/// file.commit(), which must follow an H5Fflush or H5Fclose. The file takes no lock of HDF5's and
/// carries no mark of an open writer, so that other programs may read it at any time.
hid_t journaled_access(JournaledFile& file);

}  // namespace gadwall::files
