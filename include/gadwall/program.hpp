// The gadwall program as a function, for programs that add samplers of their own to it
// (add_sampler in catalog.hpp). Link gadwall::program.
#pragma once

namespace gadwall {

/// The exit code. Takes the arguments of `gadwall`; catches everything; prints.
int run_program(int argc, char** argv);

}  // namespace gadwall
