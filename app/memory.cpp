// Settings of glibc's allocator.
#include "memory.hpp"

#include <malloc.h>

namespace gadwall::app {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargest = 1 << 30;  // bytes
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
  mallopt(M_ARENA_MAX, 1);  // threads would have places of their own, which are small
#endif
}

}  // namespace gadwall::app
