// Text files as bytes of the library.
#include "report/assets.hpp"

// The assembler copies a file between two symbols. GADWALL_PAGE is the folder of
// the page's own files, GADWALL_ASSETS the one that the build fills (cmake/report_assets.cmake).
#define GADWALL_HIDDEN __attribute__((visibility("hidden")))
#define GADWALL_ASSET(name, file)                                    \
  __asm__(                                                           \
      ".pushsection .rodata\n"                                       \
      ".global gadwall_asset_" #name                                 \
      "\n"                                                           \
      ".hidden gadwall_asset_" #name                                 \
      "\n"                                                           \
      ".global gadwall_asset_" #name                                 \
      "_end\n"                                                       \
      ".hidden gadwall_asset_" #name                                 \
      "_end\n"                                                       \
      "gadwall_asset_" #name                                         \
      ":\n"                                                          \
      ".incbin \"" file                                              \
      "\"\n"                                                         \
      "gadwall_asset_" #name                                         \
      "_end:\n"                                                      \
      ".byte 0\n"                                                    \
      ".popsection\n");                                              \
  extern "C" GADWALL_HIDDEN const char gadwall_asset_##name[];       \
  extern "C" GADWALL_HIDDEN const char gadwall_asset_##name##_end[]; \
  std::string_view gadwall::assets::name() {                         \
    return {gadwall_asset_##name, gadwall_asset_##name##_end};       \
  }

GADWALL_ASSET(page_html, GADWALL_PAGE "/page.html")
GADWALL_ASSET(page_css, GADWALL_PAGE "/page.css")
GADWALL_ASSET(page_js, GADWALL_ASSETS "/page.js")
GADWALL_ASSET(reproduction_js, GADWALL_ASSETS "/reproduction.js")
GADWALL_ASSET(vega_js, GADWALL_ASSETS "/vega.js")
