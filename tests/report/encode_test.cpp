// Numbers and texts on their way into the page.
#include "report/encode.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gadwall::report {
namespace {

std::string base64_of_text(const std::string& text) {
  return base64(std::as_bytes(std::span(text)));
}

TEST(Base64, IsThatOfTheStandard) {  // RFC 4648, section 10
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"},
                                                       {"\xff\xff\xfe", "///+"}};
  for (const auto& [text, wanted] : cases) EXPECT_EQ(base64_of_text(text), wanted);
}

TEST(Base64, WritesNumbersLittleEndian) {
  EXPECT_EQ(base64_of(std::vector<std::uint16_t>{1, 256}), "AQAAAQ==");
}

TEST(Quantiser, KeepsEndsAndOrder) {
  const Quantiser quantise(-2, 6);
  EXPECT_EQ(quantise(-2), 0);
  EXPECT_EQ(quantise(2), 32767);
  EXPECT_EQ(quantise(6), 65534);
  EXPECT_EQ(quantise(7), 65534);
}

TEST(Quantiser, MarksWhatIsNotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Matrix x{{1, infinity}, {std::nan(""), 3}};
  const Quantiser quantise = Quantiser::range_of(x);
  EXPECT_EQ(quantise.low(), 1);
  EXPECT_EQ(quantise.high(), 3);
  EXPECT_EQ(quantise(infinity), 65535);
  EXPECT_EQ(quantise(std::nan("")), 65535);
}

TEST(Quantiser, TakesConstantsAndTheWidestRange) {
  EXPECT_EQ(Quantiser::range_of(Matrix::Constant(2, 2, 5.0))(5), 32767);
  constexpr double most = std::numeric_limits<double>::max();
  EXPECT_EQ(Quantiser(-most, most)(0), 32767);
}

TEST(HtmlEscape, LeavesNoMarkup) {
  EXPECT_EQ(html_escape("<a href=\"x\">'&'"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;");
  EXPECT_EQ(html_escape("größe"), "größe");
  EXPECT_EQ(html_escape("\xff<"), "ÿ&lt;");  // not UTF-8: taken for Latin-1
}

TEST(JsonForScript, CannotEndOrCommentOutAScript) {
  const Json json = {{"</script><!--", "<script>"}, {"nan", std::nan("")}};
  const std::string text = json_for_script(json);
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json back = Json::parse(text);
  EXPECT_EQ(back["</script><!--"], "<script>");
  EXPECT_TRUE(back["nan"].is_null());
}

}  // namespace
}  // namespace gadwall::report
