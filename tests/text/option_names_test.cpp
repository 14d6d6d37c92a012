#include "text/option_names.hpp"

#include <gtest/gtest.h>

namespace gadwall {
namespace {

TEST(OptionNames, InBackquotesGetDashes) {
  EXPECT_EQ(with_dashes("raise `target-accept`, or try `metric=dense` `max-depth=12`"),
            "raise --target-accept, or try --metric dense --max-depth 12");
}

TEST(OptionNames, OtherWordsInBackquotesStay) {
  EXPECT_EQ(with_dashes("for `summary --scores`; `X` and `lanes`"),
            "for `summary --scores`; `X` and --lanes");
  EXPECT_EQ(with_dashes("one ` alone"), "one ` alone");
  EXPECT_EQ(with_dashes(""), "");
}

}  // namespace
}  // namespace gadwall
