// What the program tells the allocator and the system.
#pragma once

namespace gadwall::app {

/// Freed memory stays with the process: a summary allocates and frees tens of megabytes per
/// parameter, and much of its time would go into getting fresh pages from the system.
void keep_freed_memory();

/// Memory comes from the system, and goes back, in larger pieces than glibc asks for by itself: a
/// short run spends as long on asking as on its draws.
void ask_in_large_pieces();

/// More memory than the machine has free is an error of the program that asks for it, which it can
/// explain, where Linux would end it without a word.
void limit_memory_to_machine();

}  // namespace gadwall::app
