// Text of unknown origin as UTF-8.
#include "text/utf8.hpp"

#include <gtest/gtest.h>

namespace gadwall {
namespace {

TEST(Utf8, ValidTextIsUnchanged) {
  for (const char* text : {"", "age",
                           "gr\xC3\xB6\xC3\x9F"
                           "e",
                           "\xE2\x82\xAC", "\xF0\x9F\xA6\x86"}) {
    EXPECT_EQ(as_utf8(text), text);
  }
}

TEST(Utf8, OtherTextIsTakenForLatin1) {
  EXPECT_EQ(as_utf8("gr\xF6\xDF"
                    "e"),
            "gr\xC3\xB6\xC3\x9F"
            "e");
}

TEST(Utf8, OverlongFormsSurrogatesAndCutCharactersAreNotUtf8) {
  for (const char* text : {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5",
                           "\x80", "\xC3", "\xE2\x82", "\xC3("}) {
    EXPECT_NE(as_utf8(text), text);
    EXPECT_EQ(as_utf8(as_utf8(text)), as_utf8(text));
  }
}

}  // namespace
}  // namespace gadwall
