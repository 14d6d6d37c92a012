// libgadwall_chooser.so, which is empty, needs libgadwall.so.0 and looks for it where it lies
// itself. To load it is to have ld.so take the libgadwall.so.0 for this processor from
// glibc-hwcaps/ there.
