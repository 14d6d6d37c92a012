#pragma once

/// What libgadwall_main.so shows of itself: the program.
extern "C" __attribute__((visibility("default"))) int gadwall_main(int argc, char** argv);
