// What the program tells the allocator.
#pragma once

namespace gadwall::app {

/// Freed memory stays with the process: a summary allocates and frees tens of megabytes per
/// parameter, and much of its time would go into getting fresh pages from the system.
void keep_freed_memory();

}  // namespace gadwall::app
